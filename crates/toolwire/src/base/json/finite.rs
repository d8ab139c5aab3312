//! Numbers that JSON does not have, found in a value that serde writes: serde_json writes null for them.

use std::fmt;

use serde::ser::{self, Serialize, Serializer};

use super::pointer;

/// The place of the first number that is infinite or none, as a JSON Pointer, and how it is called.
pub(super) fn not_finite(value: &impl Serialize) -> Option<(String, &'static str)> {
    let mut walk = Walk::default();
    match value.serialize(&mut walk) {
        // Whatever else can't be written has been refused before.
        Ok(()) | Err(Stop(None)) => None,
        Err(Stop(Some(found))) => Some((walk.path.concat(), found)),
    }
}

#[derive(Default)]
struct Walk {
    /// The steps of the pointer.
    path: Vec<String>,
}

#[derive(Debug)]
struct Stop(Option<&'static str>);

impl fmt::Display for Stop {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Stop {}

impl ser::Error for Stop {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Stop(None)
    }
}

type Done = Result<(), Stop>;

impl Walk {
    fn inside(&mut self, step: &str, value: &(impl Serialize + ?Sized)) -> Done {
        self.path.push(pointer::join("", step));
        value.serialize(&mut *self)?;
        self.path.pop();
        Ok(())
    }
}

/// The elements or members of one value.
struct Parts<'w> {
    walk: &'w mut Walk,
    index: usize,
    key: String,
    /// Whether the whole stands in an object with the name of its variant.
    is_variant: bool,
}

impl<'w> Parts<'w> {
    fn new(walk: &'w mut Walk, variant: Option<&str>) -> Result<Self, Stop> {
        walk.path
            .extend(variant.map(|variant| pointer::join("", variant)));
        Ok(Parts {
            walk,
            index: 0,
            key: String::new(),
            is_variant: variant.is_some(),
        })
    }

    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Done {
        self.index += 1;
        self.walk.inside(&(self.index - 1).to_string(), value)
    }

    fn finish(self) -> Done {
        if self.is_variant {
            self.walk.path.pop();
        }
        Ok(())
    }
}

macro_rules! nothing_in {
    ($($name:ident($type:ty)),+) => {
        $(fn $name(self, _: $type) -> Done {
            Ok(())
        })+
    };
}

impl<'w> Serializer for &'w mut Walk {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Parts<'w>;
    type SerializeTuple = Parts<'w>;
    type SerializeTupleStruct = Parts<'w>;
    type SerializeTupleVariant = Parts<'w>;
    type SerializeMap = Parts<'w>;
    type SerializeStruct = Parts<'w>;
    type SerializeStructVariant = Parts<'w>;

    nothing_in!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_i128(i128),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_u64(u64),
        serialize_u128(u128),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str)
    );

    fn serialize_f32(self, number: f32) -> Done {
        self.serialize_f64(f64::from(number))
    }

    fn serialize_f64(self, number: f64) -> Done {
        match number {
            number if number.is_nan() => Err(Stop(Some("NaN"))),
            f64::INFINITY => Err(Stop(Some("Infinity"))),
            f64::NEG_INFINITY => Err(Stop(Some("-Infinity"))),
            _ => Ok(()),
        }
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_none(self) -> Done {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.inside(variant, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Parts<'w>, Stop> {
        Parts::new(self, None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Parts<'w>, Stop> {
        Parts::new(self, None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Parts<'w>, Stop> {
        Parts::new(self, None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, Stop> {
        Parts::new(self, Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Parts<'w>, Stop> {
        Parts::new(self, None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Parts<'w>, Stop> {
        Parts::new(self, None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Parts<'w>, Stop> {
        Parts::new(self, Some(variant))
    }
}

macro_rules! elements {
    ($($trait:ident::$method:ident),+) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Stop;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.element(value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        })+
    };
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! fields {
    ($($trait:ident),+) => {
        $(impl ser::$trait for Parts<'_> {
            type Ok = ();
            type Error = Stop;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Done {
                self.walk.inside(name, value)
            }

            fn end(self) -> Done {
                self.finish()
            }
        })+
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Parts<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let key = serde_json::to_value(key).unwrap_or_default();
        self.key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        let key = std::mem::take(&mut self.key);
        self.walk.inside(&key, value)
    }

    fn end(self) -> Done {
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use crate::{Code, Json};

    #[derive(Serialize)]
    enum Shape {
        Circle(f32),
        Line {
            from: [f64; 2],
            to: (f64, Option<f64>),
        },
        Both(f64, f64),
    }

    #[derive(Serialize)]
    struct Found {
        #[serde(rename = "a/b")]
        shapes: Vec<Shape>,
        by_number: BTreeMap<u8, f64>,
        none: Option<f64>,
    }

    fn place(shape: Shape, number: f64) -> String {
        let by_number = BTreeMap::from([(7, number)]);
        let found = Found {
            shapes: vec![shape],
            by_number,
            none: None,
        };
        match Json::from_value(&found) {
            Ok(json) => json.to_string(),
            Err(error) => {
                assert_eq!(error.code(), Code::NonFinite);
                error.pointer().to_owned()
            }
        }
    }

    #[test]
    fn a_number_that_json_does_not_have_is_named_by_its_place() {
        let line = |x, y| Shape::Line {
            from: [0.0, x],
            to: (1.0, y),
        };
        assert_eq!(place(Shape::Circle(f32::NAN), 1.0), "/a~1b/0/Circle");
        assert_eq!(place(line(f64::INFINITY, None), 1.0), "/a~1b/0/Line/from/1");
        assert_eq!(place(line(0.0, Some(f64::NAN)), 1.0), "/a~1b/0/Line/to/1");
        assert_eq!(place(Shape::Both(0.0, f64::NAN), 1.0), "/a~1b/0/Both/1");
        assert_eq!(
            place(Shape::Both(0.0, 0.0), f64::NEG_INFINITY),
            "/by_number/7"
        );
        let fine = place(line(0.0, None), 1.0);
        assert!(fine.starts_with(r#"{"a/b":[{"Line":"#), "{fine}");
    }
}
