//! A value that is asked for a type. It looks before the type does, and so knows what was wanted.

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

use super::{ErrorKind, Fact, Fault, Step};

type Result<T> = std::result::Result<T, Fault>;

/// A value.
#[derive(Clone, Copy)]
pub(super) struct Node<'de>(&'de Value);

impl<'de> Node<'de> {
    pub(super) fn new(value: &'de Value) -> Self {
        Node(value)
    }

    fn wrong<T>(self, wanted: &'static str) -> Result<T> {
        Err(Fault::wanted(ErrorKind::WrongType, wanted).of(self.0))
    }

    /// A whole number of a type with these limits.
    fn whole<V: Visitor<'de>>(self, visitor: V, low: i128, high: i128) -> Result<V::Value> {
        let number = match self.0 {
            Value::Number(number) => {
                number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from))
            }
            _ => None,
        };
        whole(visitor, number, low, high).map_err(|fault: Fault| fault.of(self.0))
    }

    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Array(items) => visitor
                .visit_seq(Items { items: items.iter().enumerate() })
                .map_err(|fault: Fault| fault.of(self.0)),
            _ => self.wrong("a list"),
        }
    }

    fn table<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Object(map) => {
                visitor.visit_map(Entries::of(map)).map_err(|fault: Fault| fault.of(self.0))
            }
            _ => self.wrong("a table"),
        }
    }

    fn real<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.as_f64() {
            Some(number) => visitor.visit_f64(number).map_err(|fault: Fault| fault.of(self.0)),
            None => self.wrong("a number"),
        }
    }

    fn text<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::String(text) => {
                visitor.visit_borrowed_str(text).map_err(|fault: Fault| fault.of(self.0))
            }
            _ => self.wrong("a text"),
        }
    }
}

/// A whole number, if it is one, for a type with these limits.
fn whole<'de, V: Visitor<'de>>(
    visitor: V,
    number: Option<i128>,
    low: i128,
    high: i128,
) -> Result<V::Value> {
    let refused = |kind, large| Err(Fault::new(Fact::Whole { low, kind, large }));
    match number {
        None => refused(ErrorKind::WrongType, false),
        Some(number) if number < low => refused(ErrorKind::OutOfRange, false),
        Some(number) if number > high => refused(ErrorKind::OutOfRange, true),
        Some(number) => match (u64::try_from(number), i64::try_from(number)) {
            (Ok(number), _) => visitor.visit_u64(number),
            (_, Ok(number)) => visitor.visit_i64(number),
            _ => refused(ErrorKind::OutOfRange, true),
        },
    }
}

macro_rules! wholes {
    ($($method:ident $type:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.whole(visitor, $type::MIN as i128, $type::MAX as i128)
        })*
    };
}

macro_rules! all_wholes {
    () => {
        wholes! {
            deserialize_u8 u8, deserialize_u16 u16, deserialize_u32 u32, deserialize_u64 u64,
            deserialize_i8 i8, deserialize_i16 i16, deserialize_i32 i32, deserialize_i64 i64,
        }
    };
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Fault;

    all_wholes!();

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_unit::<Fault>(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (_, Some(number)) => visitor.visit_i64(number),
                _ => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => return self.list(visitor),
            Value::Object(_) => return self.table(visitor),
        }
        .map_err(|fault: Fault| fault.of(self.0))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => self.wrong("true or false"),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.real(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.real(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.text(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.text(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.list(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        match self.0 {
            Value::Array(items) if items.len() != length => {
                let wanted = format!("a list of {length} values");
                Err(Fault::wanted(ErrorKind::OutOfRange, wanted).of(self.0))
            }
            _ => self.list(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.table(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.table(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let found = match self.0 {
            Value::String(name) => Some((name, None)),
            Value::Object(map) if map.len() == 1 => {
                map.iter().next().map(|(name, value)| (name, Some(value)))
            }
            _ => None,
        };
        match found {
            Some((name, value)) => {
                visitor.visit_enum(Variant { name, value }).map_err(|fault: Fault| fault.of(self.0))
            }
            None => {
                let wanted = format!("one of {}", known.join(", "));
                Err(Fault::wanted(ErrorKind::WrongType, wanted).of(self.0))
            }
        }
    }

    forward_to_deserialize_any! {
        i128 u128 char bytes byte_buf unit unit_struct identifier ignored_any
    }
}

/// The items of a list.
struct Items<'de> {
    items: std::iter::Enumerate<std::slice::Iter<'de, Value>>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let next = self.items.next();
        next.map(|(index, item)| {
            seed.deserialize(Node(item)).map_err(|fault| fault.below(Step::Index(index)))
        })
        .transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// The entries of a table.
struct Entries<'de> {
    entries: serde_json::map::Iter<'de>,
    next: Option<(&'de String, &'de Value)>,
}

impl<'de> Entries<'de> {
    fn of(map: &'de Map<String, Value>) -> Self {
        Entries { entries: map.iter(), next: None }
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.next = self.entries.next();
        self.next.map(|(key, _)| seed.deserialize(Key(key))).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match self.next.take() {
            Some((key, value)) => {
                seed.deserialize(Node(value)).map_err(|fault| fault.below(Step::Key(key.clone())))
            }
            None => Err(de::Error::custom("a value without a key")),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// A key: a text, which may stand for a whole number.
struct Key<'de>(&'de str);

impl<'de> Key<'de> {
    fn whole<V: Visitor<'de>>(self, visitor: V, low: i128, high: i128) -> Result<V::Value> {
        let place = |fault: Fault| {
            Fault { value: Some(String::new()), ..fault }.below(Step::Key(self.0.to_owned()))
        };
        whole(visitor, self.0.parse().ok(), low, high).map_err(place)
    }
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Fault;

    all_wholes!();

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(Variant { name: self.0, value: None })
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 bool char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A variant: a name alone, or a table whose one key is the name.
struct Variant<'de> {
    name: &'de str,
    value: Option<&'de Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Content<'de>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Content<'de>)> {
        let name: StrDeserializer<'de, Fault> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Content(self)))
    }
}

/// What stands in a variant.
struct Content<'de>(Variant<'de>);

impl<'de> Content<'de> {
    fn node(&self) -> Result<Node<'de>> {
        let table = format!("a table with the key `{}`", self.0.name);
        self.0.value.map(Node).ok_or_else(|| Fault::wanted(ErrorKind::WrongType, table))
    }

    fn placed<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|fault| fault.below(Step::Key(self.0.name.to_owned())))
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<()> {
        match self.0.value {
            None => Ok(()),
            Some(_) => {
                let wanted = format!("`{}` alone, without a value", self.0.name);
                Err(Fault::wanted(ErrorKind::WrongType, wanted))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let node = self.node()?;
        self.placed(seed.deserialize(node))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        let node = self.node()?;
        self.placed(node.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let node = self.node()?;
        self.placed(node.table(visitor))
    }
}
