//! The contract's messages, fields, enums and reasons that a scenario refers to.

use heliopause_proto::POOL;
use heliopause_table::registry;
use prost_reflect::{Cardinality, EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};

use crate::nearest::{did_you_mean, suggestion_or_list};

/// The message types of one kind of game.
#[derive(Clone, Debug)]
pub struct Messages {
    pub kind: String,
    pub field: String,
    pub view: MessageDescriptor,
    pub position: MessageDescriptor,
    pub event: MessageDescriptor,
    pub order: MessageDescriptor,
    pub options: MessageDescriptor,
}

impl Messages {
    pub fn of(kind: &str) -> Result<Self, String> {
        let kinds = || registry::KINDS.iter().map(|kind| kind.id);
        if !kinds().any(|known| known == kind) {
            let hint = did_you_mean(kind, kinds());
            let known = kinds().collect::<Vec<_>>().join(", ");
            return Err(format!("Unknown kind of game `{kind}`{hint} The kinds are {known}."));
        }
        let field = heliopause_client::envelope::field(kind);
        let inner = |name: &str| {
            let message = message(name)?;
            let found = message.fields().find(|known| known.json_name() == field);
            match found.map(|found| found.kind()) {
                Some(Kind::Message(message)) => Ok(message),
                _ => Err(format!("{name} has no message for the kind of game `{kind}`.")),
            }
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

    /// Returns the type of a field. In events and choices, this is the game's message without its
    /// envelope.
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

/// Returns a message by its full name, or an error if the contract has no such message.
pub fn message(name: &str) -> Result<MessageDescriptor, String> {
    POOL.get_message_by_name(name).ok_or_else(|| format!("The contract has no message {name}."))
}

/// The type of a value in a scenario.
#[derive(Clone, Debug)]
pub enum Type {
    Message(MessageDescriptor),
    /// Fields that the scenario format itself defines.
    Record(&'static [(&'static str, Type)]),
    List(Box<Type>),
    Map(Box<Type>),
    Text,
    Whole(i128, i128),
    Real,
    Boolean,
    Enum(EnumDescriptor),
    /// An error reason: a name from the contract, or one of the client's own.
    Reason,
    /// A value in the metadata of an error: a string, or a number that is sent as a string.
    MetadataValue,
    Time,
    Span,
}

impl Type {
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
            Kind::Bool => Self::Boolean,
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

    pub fn type_name(&self) -> String {
        match self {
            Self::Message(message) => format!("an object ({})", message.name()),
            Self::Record(_) => "an object".into(),
            Self::List(_) => "a list".into(),
            Self::Map(_) => "a map".into(),
            Self::Text => "a string".into(),
            Self::Whole(..) => "an integer".into(),
            Self::Real => "a number".into(),
            Self::Boolean => "true or false".into(),
            Self::Enum(values) => format!("a name of {}", values.name()),
            Self::Reason => "a reason".into(),
            Self::MetadataValue => "a string or a number".into(),
            Self::Time => "a time".into(),
            Self::Span => "a duration".into(),
        }
    }
}

/// Returns the reasons for rejecting an action: those of the contract and of the client.
pub fn reasons() -> Vec<String> {
    let values = POOL.get_enum_by_name("heliopause.v1.ErrorReason");
    let names = values.iter().flat_map(EnumDescriptor::values).map(|value| value.name().to_owned());
    let contract = names.filter_map(|name| name.strip_prefix("ERROR_REASON_").map(str::to_owned));
    contract.filter(|name| name != "UNSPECIFIED").chain(OWN_REASONS.map(str::to_owned)).collect()
}

/// The client's own reasons: a partly rejected list, or a missing or ambiguous choice.
const OWN_REASONS: [&str; 3] = ["TAKEN_IN_PART", "NO_SUCH_CHOICE", "AMBIGUOUS_CHOICE"];

/// Returns a field of a message by its JSON name or its `.proto` name. The error suggests the
/// nearest name, or lists all names.
pub fn field(message: &MessageDescriptor, name: &str) -> Result<FieldDescriptor, String> {
    let found = message.fields().find(|field| field.json_name() == name || field.name() == name);
    found.ok_or_else(|| {
        let fields: Vec<FieldDescriptor> = message.fields().collect();
        let known: Vec<&str> = fields.iter().map(FieldDescriptor::json_name).collect();
        let hint = suggestion_or_list(name, &known, "fields");
        format!("{} has no field `{name}`{hint}", message.name())
    })
}

/// Returns an error message if a name is not a value of an enum, otherwise `None`.
pub fn wrong_value(values: &EnumDescriptor, name: &str) -> Option<String> {
    if values.get_value_by_name(name).is_some() {
        return None;
    }
    let known: Vec<String> = values.values().map(|value| value.name().to_owned()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let hint = suggestion_or_list(name, &known, "values");
    Some(format!("{} has no value `{name}`{hint}", values.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_game_has_messages() -> Result<(), String> {
        for kind in registry::KINDS.iter() {
            let view = Messages::of(kind.id)?.view;
            assert!(view.full_name().starts_with("heliopause."), "{}", kind.id);
        }
        let wrong = Messages::of("diplomazy").err().unwrap_or_default();
        assert!(wrong.contains("Did you mean `diplomacy`"), "{wrong}");
        Ok(())
    }

    #[test]
    fn an_unknown_name_is_reported_with_the_nearest() -> Result<(), String> {
        let event = message("heliopause.v1.Event")?;
        let fault = field(&event, "seatChangd").err().unwrap_or_default();
        assert!(fault.contains("Did you mean `seatChanged`"), "{fault}");
        assert_eq!(field(&event, "seat_changed")?.json_name(), "seatChanged");
        let status = POOL.get_enum_by_name("heliopause.v1.GameStatus").ok_or("no GameStatus")?;
        assert_eq!(wrong_value(&status, "GAME_STATUS_ENDED"), None);
        assert!(wrong_value(&status, "ENDED").is_some());
        Ok(())
    }
}
