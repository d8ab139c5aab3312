//! Schemas of older drafts as those of 2020-12, and what no verdict is given on (28.3).

use super::graph::is_remark;
use super::reference::{self, resolve_anchors};
use super::value::{Members, Value};

/// The keywords with one schema.
pub(super) const ONE: [&str; 11] = [
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Those with a list of schemas.
pub(super) const MANY: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/// Those with schemas by names.
pub(super) const NAMED: [&str; 5] = [
    "$defs",
    "definitions",
    "dependentSchemas",
    "patternProperties",
    "properties",
];

/// Drafts of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Draft7,
    Draft2019,
    Draft2020,
}

impl Dialect {
    /// What a schema calls itself; without a word it is 2020-12.
    pub(super) fn of(root: &Value) -> Result<Dialect, String> {
        let Some(name) = root.members().and_then(|members| members.get("$schema")) else {
            return Ok(Dialect::Draft2020);
        };
        let name = name.text().unwrap_or_default();
        let bare = name.trim_end_matches('#');
        let bare = bare
            .strip_prefix("https://")
            .or_else(|| bare.strip_prefix("http://"));
        Ok(match bare {
            Some("json-schema.org/draft-07/schema") => Dialect::Draft7,
            Some("json-schema.org/draft/2019-09/schema") => Dialect::Draft2019,
            Some("json-schema.org/draft/2020-12/schema") => Dialect::Draft2020,
            _ => {
                let name = toolwire::json::brief(name, 80).into_owned();
                return Err(format!("the dialect `{name}` is not known"));
            }
        })
    }
}

/// Makes a schema one of 2020-12; the reason if that can't be done, or if no verdict is given on such a
/// schema (DIFF-12, DIFF-13).
pub(super) fn translate(root: &mut Value) -> Result<Dialect, String> {
    let dialect = Dialect::of(root)?;
    if let Value::Object(members) = root {
        members.remove("$schema");
    }
    schema(root, dialect, true)?;
    resolve_anchors(root);
    reference::lead_to_schemas(root)?;
    Ok(dialect)
}

/// What has no meaning before 2019-09.
const NEW_IN_2019: [&str; 10] = [
    "$anchor",
    "$defs",
    "$recursiveAnchor",
    "$recursiveRef",
    "dependentRequired",
    "dependentSchemas",
    "maxContains",
    "minContains",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// What has no meaning before 2020-12.
const NEW_IN_2020: [&str; 3] = ["$dynamicAnchor", "$dynamicRef", "prefixItems"];
/// What no verdict is given on, because it depends on what else was looked at, or from where.
const UNDECIDED: [&str; 6] = [
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "unevaluatedItems",
    "unevaluatedProperties",
];

fn schema(value: &mut Value, dialect: Dialect, is_root: bool) -> Result<(), String> {
    let Value::Object(members) = value else {
        return Ok(());
    };
    if dialect == Dialect::Draft7 && members.contains_key("$ref") {
        // Whatever stands beside a reference had no meaning; definitions are still found there.
        members.retain(|name, _| {
            let is_word = is_remark(name) && !name.starts_with('$');
            is_word || matches!(&**name, "$ref" | "definitions" | "$defs" | "$comment")
        });
    }
    for name in members.keys() {
        let name = name.as_str();
        let too_new = match dialect {
            // `$defs` is only a place there, and references find it.
            Dialect::Draft7 => {
                name != "$defs" && (NEW_IN_2019.contains(&name) || NEW_IN_2020.contains(&name))
            }
            Dialect::Draft2019 => NEW_IN_2020.contains(&name),
            Dialect::Draft2020 => false,
        };
        if too_new {
            return Err(format!(
                "`{name}` has no meaning in the dialect of the schema"
            ));
        }
        if UNDECIDED.contains(&name) || name == "$id" && !is_root {
            return Err(format!("`{name}` is not decided"));
        }
        if matches!(name, "additionalItems" | "dependencies") && dialect == Dialect::Draft2020 {
            return Err(format!("`{name}` has no meaning in 2020-12"));
        }
    }
    if dialect != Dialect::Draft2020 {
        older(members)?;
    }
    for name in ONE {
        if let Some(inner) = members.get_mut(name) {
            schema(inner, dialect, false)?;
        }
    }
    for name in MANY {
        if let Some(Value::Array(all)) = members.get_mut(name) {
            all.iter_mut()
                .try_for_each(|inner| schema(inner, dialect, false))?;
        }
    }
    for name in NAMED {
        if let Some(Value::Object(all)) = members.get_mut(name) {
            all.values_mut()
                .try_for_each(|inner| schema(inner, dialect, false))?;
        }
    }
    Ok(())
}

/// Writes tuples and dependencies as 2020-12 does.
fn older(members: &mut Members) -> Result<(), String> {
    let rest = members.remove("additionalItems");
    if matches!(members.get("items"), Some(Value::Array(_))) {
        if let Some(tuple) = members.remove("items")
            && !tuple.elements().is_empty()
        {
            members.insert("prefixItems".to_owned(), tuple);
        }
        if let Some(rest) = rest {
            members.insert("items".to_owned(), rest);
        }
    }
    let Some(Value::Object(dependencies)) = members.remove("dependencies") else {
        return Ok(());
    };
    for (name, what) in dependencies {
        let keyword = match what {
            Value::Array(_) => "dependentRequired",
            _ => "dependentSchemas",
        };
        let all = members
            .entry(keyword.to_owned())
            .or_insert_with(|| Value::Object(Members::new()));
        if all
            .members_mut()
            .is_none_or(|all| all.insert(name, what).is_some())
        {
            return Err("`dependencies` stands beside what replaced it".to_owned());
        }
    }
    Ok(())
}
