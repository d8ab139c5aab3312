//! Revision 2026-07-28: a result says of what type it is, and structured content is any value.

use super::dialect::{Dialect, TOOL_MEMBERS};

pub(super) const DIALECT: Dialect = Dialect {
    icons: true,
    any_structured_content: true,
    result_type: true,
    tool_members: &{
        let [name, title, description, input, output, annotations] = TOOL_MEMBERS;
        [
            name,
            title,
            description,
            input,
            output,
            annotations,
            "icons",
        ]
    },
};
