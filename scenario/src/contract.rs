//! What the contract says of the messages in a scenario: names, types, which fields know whether
//! they were set.

use heliopause_proto::POOL;
use heliopause_table::registry;
use prost_reflect::{Cardinality, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

use crate::nearest::did_you_mean;

/// The messages of one kind of game.
#[derive(Clone, Debug)]
pub struct Messages {
    pub kind: String,
    /// The field of the envelope around them.
    pub field: String,
    /// What a seat or a spectator sees.
    pub view: MessageDescriptor,
    /// The complete state.
    pub position: MessageDescriptor,
    /// What happens.
    pub event: MessageDescriptor,
    /// What is ordered.
    pub order: MessageDescriptor,
    /// The rules options.
    pub options: MessageDescriptor,
}

impl Messages {
    /// The messages of a kind of game, if there is such a kind; else what to tell about it.
    pub fn of(kind: &str) -> Result<Self, String> {
        let kinds = || registry::KINDS.iter().map(|kind| kind.id);
        if !kinds().any(|known| known == kind) {
            let hint = did_you_mean(kind, kinds());
            return Err(format!(
                "There is no game `{kind}`{hint}. There are: {}.",
                kinds().collect::<Vec<_>>().join(", ")
            ));
        }
        let field = heliopause_client::envelope::field(kind);
        let inner = |name: &str| {
            let message = message(name)?;
            let field = message.fields().find(|known| known.json_name() == field);
            let kind = field.map(|field| field.kind());
            kind.as_ref()
                .and_then(Kind::as_message)
                .cloned()
                .ok_or_else(|| format!("{name} has no part for {kind:?}."))
        };
        Ok(Self {
            kind: kind.to_owned(),
            view: inner("heliopause.v1.GameView")?,
            position: inner("heliopause.v1.GamePosition")?,
            event: inner("heliopause.v1.GameEvent")?,
            order: inner("heliopause.v1.GameOrder")?,
            options: inner("heliopause.v1.GameOptions")?,
            field: field.clone(),
        })
    }

    /// The type of a field. Events and choices hold the game's own message without the envelope
    /// around it.
    pub fn type_of(&self, field: &FieldDescriptor) -> Type {
        let own = match field.kind() {
            Kind::Message(message) => match message.full_name() {
                "heliopause.v1.GameEvent" => Some(&self.event),
                "heliopause.v1.GameOrder" => Some(&self.order),
                _ => None,
            },
            _ => None,
        };
        own.map_or_else(|| Type::of(field), |message| Type::Message(message.clone()))
    }
}

/// A message by its full name.
pub fn message(name: &str) -> Result<MessageDescriptor, String> {
    POOL.get_message_by_name(name).ok_or_else(|| format!("The contract has no {name}."))
}

/// What may stand in a place.
#[derive(Clone, Debug)]
pub enum Type {
    /// A message of the contract.
    Message(MessageDescriptor),
    /// Fields that the scenario format itself names.
    Record(&'static [(&'static str, Type)]),
    /// Values of one type.
    List(Box<Type>),
    /// Values of one type by name.
    Map(Box<Type>),
    Text,
    /// A whole number within bounds.
    Whole(i128, i128),
    /// Any number.
    Real,
    /// True or false.
    Truth,
    /// A name of these.
    Enum(EnumDescriptor),
    /// Why something was refused: a name of the contract's, or one of the client's own.
    Reason,
    /// A word of a refusal: a text, or a number that is sent as one.
    Word,
    /// A time: `2026-01-31T12:00:00Z`.
    Time,
    /// A duration: `3600s`.
    Span,
}

impl Type {
    /// The type of a field of the contract, its items' if it is repeated.
    pub fn of(field: &FieldDescriptor) -> Self {
        if field.is_map()
            && let Kind::Message(entry) = field.kind()
        {
            return Self::Map(Box::new(Self::of(&entry.map_entry_value_field())));
        }
        let one = match field.kind() {
            Kind::Message(message) => match message.full_name() {
                "google.protobuf.Timestamp" => Self::Time,
                "google.protobuf.Duration" => Self::Span,
                _ => Self::Message(message),
            },
            Kind::Enum(values) => Self::Enum(values),
            Kind::String | Kind::Bytes => Self::Text,
            Kind::Bool => Self::Truth,
            Kind::Double | Kind::Float => Self::Real,
            Kind::Uint32 | Kind::Fixed32 => Self::Whole(0, u32::MAX.into()),
            Kind::Uint64 | Kind::Fixed64 => Self::Whole(0, u64::MAX.into()),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                Self::Whole(i32::MIN.into(), i32::MAX.into())
            }
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                Self::Whole(i64::MIN.into(), i64::MAX.into())
            }
        };
        if field.cardinality() == Cardinality::Repeated { Self::List(Box::new(one)) } else { one }
    }

    /// What it is, for a message.
    pub fn is_a(&self) -> String {
        match self {
            Self::Message(message) => format!("a {}", message.name()),
            Self::Record(_) => "an object".into(),
            Self::List(_) => "a list".into(),
            Self::Map(_) => "a map".into(),
            Self::Text => "a text".into(),
            Self::Whole(..) => "a whole number".into(),
            Self::Real => "a number".into(),
            Self::Truth => "true or false".into(),
            Self::Enum(values) => format!("a {}", values.name()),
            Self::Reason => "a reason".into(),
            Self::Word => "a text or a number".into(),
            Self::Time => "a time".into(),
            Self::Span => "a duration".into(),
        }
    }
}

/// Why an action can be refused: the contract's reasons, and those that the client itself gives.
pub fn reasons() -> Vec<String> {
    let values = POOL.get_enum_by_name("heliopause.v1.ErrorReason");
    let names = values.iter().flat_map(EnumDescriptor::values).map(|value| value.name().to_owned());
    let contract = names.filter_map(|name| name.strip_prefix("ERROR_REASON_").map(str::to_owned));
    contract.filter(|name| name != "UNSPECIFIED").chain(OWN_REASONS.map(str::to_owned)).collect()
}

/// What the client itself refuses: part of a list, or a choice that is not there.
const OWN_REASONS: [&str; 3] = ["TAKEN_IN_PART", "NO_SUCH_CHOICE", "AMBIGUOUS_CHOICE"];

/// A field of a message by the name that JSON gives it, or that the `.proto` file gives it.
pub fn field(message: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, String> {
    let found = message.fields().find(|field| field.json_name() == name || field.name() == name);
    found.ok_or_else(|| {
        let fields: Vec<FieldDescriptor> = message.fields().collect();
        let hint = did_you_mean(name, fields.iter().map(FieldDescriptor::json_name));
        if !hint.is_empty() || fields.is_empty() {
            return format!("{} has no field `{name}`{hint}.", message.name());
        }
        let known: Vec<&str> = fields.iter().map(FieldDescriptor::json_name).collect();
        format!("{} has no field `{name}`. It has: {}.", message.name(), known.join(", "))
    })
}

/// What to tell about a name that is no value of an enum; nothing if it is one.
pub fn wrong_value(values: &EnumDescriptor, name: &str) -> Option<String> {
    if values.get_value_by_name(name).is_some() {
        return None;
    }
    let known: Vec<String> = values.values().map(|value| value.name().to_owned()).collect();
    let hint = did_you_mean(name, known.iter().map(String::as_str));
    let list =
        if hint.is_empty() { format!(" It has: {}.", known.join(", ")) } else { String::new() };
    Some(format!("{} has no value `{name}`{hint}.{list}", values.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_game_has_its_messages() -> Result<(), String> {
        for kind in registry::KINDS.iter() {
            assert!(
                Messages::of(kind.id)?.view.full_name().starts_with("heliopause."),
                "{}",
                kind.id
            );
        }
        let wrong = Messages::of("diplomazy").err().unwrap_or_default();
        assert!(wrong.contains("did you mean `diplomacy`"), "{wrong}");
        Ok(())
    }

    #[test]
    fn a_wrong_name_is_told_with_the_nearest() -> Result<(), String> {
        let event = message("heliopause.v1.Event")?;
        assert!(
            field(&event, "seatChangd")
                .err()
                .unwrap_or_default()
                .contains("did you mean `seatChanged`")
        );
        assert_eq!(field(&event, "seat_changed")?.json_name(), "seatChanged");
        let status = POOL.get_enum_by_name("heliopause.v1.GameStatus").ok_or("no GameStatus")?;
        assert_eq!(wrong_value(&status, "GAME_STATUS_ENDED"), None);
        assert!(wrong_value(&status, "ENDED").is_some());
        Ok(())
    }
}
