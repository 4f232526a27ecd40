//! Options describe themselves. Each accepts its minimum, maximum and default, and rejects values
//! out of range with an error that names the option. No option of a game lacks a description.

use heliopause_proto::json;
use heliopause_proto::v1::{GameOptions, NumberOption, OptionInfo, option_info::Type};
use heliopause_table::Fault;
use heliopause_table::registry::{KINDS, Kind};
use serde_json::{Value, json};

fn said(kind: &Kind, name: &str, value: &Value) -> Result<(), Fault> {
    let usual = json::to_value(&kind.rules.options(None).expect("the default options").0);
    let game = usual
        .as_object()
        .and_then(|games| games.keys().next())
        .expect("the game's own options")
        .clone();
    let options: GameOptions =
        json::from_value(&json!({ game: { name: value } })).expect("a field of the options");
    kind.rules.options(Some(&options)).map(|_| ())
}

fn refused(kind: &Kind, option: &OptionInfo, value: &Value) {
    match said(kind, &option.name, value) {
        Ok(()) => panic!("{}: {} may not be {value}", kind.id, option.name),
        Err(fault) => {
            assert_eq!(
                fault.field.as_deref().unwrap_or_default().trim_start_matches("options."),
                option.name,
                "{}: {fault:?}",
                kind.id
            );
            // If a message does not start a sentence, clients prefix the field's name.
            let is_sentence = fault.message.starts_with(char::is_uppercase);
            let is_named = !is_sentence || fault.message.contains(&option.name);
            assert!(is_named, "{}: {fault:?}", kind.id);
        }
    }
}

fn accepted(kind: &Kind, option: &OptionInfo, value: &Value) {
    said(kind, &option.name, value)
        .unwrap_or_else(|fault| panic!("{}: {}={value}: {fault:?}", kind.id, option.name));
}

fn check_number(kind: &Kind, options: &[OptionInfo], option: &OptionInfo, number: &NumberOption) {
    let bound =
        options.iter().find(|other| other.name == number.not_below).and_then(|other| match &other
            .r#type
        {
            Some(Type::Number(bound)) => bound.default_value,
            _ => None,
        });
    let least = number.least.max(bound.unwrap_or(0));
    for value in [Some(least), Some(number.most), number.default_value].into_iter().flatten() {
        accepted(kind, option, &json!(value));
    }
    refused(kind, option, &json!(number.most + 1));
    if least > 1 || (least == 1 && number.zero.is_empty()) {
        refused(kind, option, &json!(least - 1));
    }
    if !number.zero.is_empty() {
        accepted(kind, option, &json!(0));
    }
}

#[test]
fn options_match_their_descriptions() {
    for kind in KINDS.iter() {
        let options = kind.describe().options;
        for option in &options {
            assert!(option.sentence.ends_with('.'), "{}: {}", kind.id, option.name);
            match option.r#type.as_ref().expect("a type") {
                Type::Flag(_) => {
                    for value in [true, false] {
                        accepted(kind, option, &json!(value));
                    }
                }
                Type::Number(number) => check_number(kind, &options, option, number),
                Type::Word(word) => {
                    assert!(
                        word.words.iter().any(|each| each.value == word.default_value),
                        "{}",
                        option.name
                    );
                    word.words.iter().for_each(|word| accepted(kind, option, &json!(word.value)));
                }
                Type::Shares(shares) => {
                    let sum: u32 = shares.shares.iter().map(|share| share.default_value).sum();
                    assert_eq!(sum, shares.sum, "{}", option.name);
                    let message = |change: &dyn Fn(usize, u32) -> u32| {
                        let parts = shares.shares.iter().enumerate();
                        let parts = parts.map(|(index, share)| {
                            (share.name.clone(), json!(change(index, share.default_value)))
                        });
                        Value::Object(parts.collect())
                    };
                    accepted(kind, option, &message(&|_, value| value));
                    refused(kind, option, &message(&|index, value| value + u32::from(index == 0)));
                }
                Type::Names(names) => {
                    let all: Vec<String> =
                        (0..=names.most).map(|number| format!("Name {number}")).collect();
                    accepted(kind, option, &json!(all[..names.most as usize]));
                    refused(kind, option, &json!(all));
                }
                Type::Message(_) => {}
            }
        }
    }
}

/// The variant has no description, because the kind implies it.
#[test]
fn every_option_is_described() {
    for kind in KINDS.iter() {
        let usual =
            json::to_value(&kind.describe().default_options.expect("every kind has options"));
        let fields =
            usual.as_object().and_then(|games| games.values().next()).and_then(Value::as_object);
        let described: Vec<String> =
            kind.describe().options.into_iter().map(|option| option.name).collect();
        for field in
            fields.expect("the game's own options").keys().filter(|field| *field != "variant")
        {
            let mut name = String::new();
            for letter in field.chars() {
                if letter.is_ascii_uppercase() {
                    name.push('_');
                }
                name.push(letter.to_ascii_lowercase());
            }
            let elsewhere = [
                ("it-came-from-outer-space", "unplayed_powers"),
                ("fate-of-empire", "private_battles"),
                ("fate-of-empire", "attackable_shields"),
                ("fate-of-empire", "armed_scouts"),
                ("fate-of-empire", "fractional_growth"),
                ("alone-in-outer-space", "private_battles"),
            ];
            assert_ne!(
                described.contains(&name),
                elsewhere.contains(&(kind.id, &name)),
                "{}: {name}",
                kind.id
            );
        }
    }
}

#[test]
fn options_of_other_games_are_rejected() {
    let kind = |id: &str| KINDS.iter().find(|kind| kind.id == id).expect("a kind");
    for (id, name, value) in [
        ("it-came-from-outer-space", "unplayed_powers", json!("UNPLAYED_POWERS_AUTOMATED")),
        ("fate-of-empire", "armed_scouts", json!(true)),
        ("alone-in-outer-space", "private_battles", json!(true)),
        ("diplomacy", "names", json!(["Zorgon"])),
    ] {
        let fault = said(kind(id), name, &value).expect_err(name);
        assert!(fault.field.as_deref().is_some_and(|field| field.ends_with(name)), "{fault:?}");
    }
}
