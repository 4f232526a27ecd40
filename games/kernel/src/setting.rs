//! Rules options with their descriptions and ranges.

use std::fmt;

use crate::Malformed;

/// A setting for options of type `O`.
pub struct Setting<O> {
    /// A field of the options message, or `mix.friendly` for a nested field.
    pub name: &'static str,
    pub sentence: &'static str,
    pub kind: Kind<O>,
}

/// The allowed values of an option.
pub enum Kind<O> {
    Flag(Flag<O>),
    Number(Number<O>),
    Word(Word<O>),
    Shares(Shares<O>),
    Names {
        most: usize,
        length: usize,
    },
    /// A nested message, documented in the contract.
    Message,
}

/// A Boolean option.
pub struct Flag<O> {
    /// Returns the value, or `None` if the value depends on another option.
    pub get: fn(&O) -> Option<bool>,
    pub set: fn(&mut O, bool),
    /// The description of a default that depends on other options. Empty if `get` returns it.
    pub unsaid: &'static str,
}

/// A numeric option.
pub struct Number<O> {
    pub least: u32,
    pub most: u32,
    /// The meaning of 0, if allowed in addition to the range. Empty if not.
    pub zero: &'static str,
    /// The name of another numeric option whose value is a lower bound. Empty if there is none.
    pub not_below: &'static str,
    pub get: fn(&O) -> Option<u32>,
    pub set: fn(&mut O, u32),
    pub unsaid: &'static str,
}

/// An option whose value is one of several words.
pub struct Word<O> {
    /// The words, named as in the contract's enum, with their meanings.
    pub words: &'static [(&'static str, &'static str)],
    pub get: fn(&O) -> usize,
    pub set: fn(&mut O, usize),
}

/// Several numbers with a fixed sum.
pub struct Shares<O> {
    /// The numbers: field name, description and minimum.
    pub parts: &'static [(&'static str, &'static str, u32)],
    pub sum: u32,
    pub get: fn(&O, usize) -> u32,
    pub set: fn(&mut O, usize, u32),
}

/// Implements `Clone` and `Copy` without a bound on `O`, which a derive would add.
macro_rules! copied {
    ($($type:ident),+) => {
        $(impl<O> Copy for $type<O> {}
        impl<O> Clone for $type<O> {
            fn clone(&self) -> Self {
                *self
            }
        })+
    };
}
copied!(Setting, Kind, Flag, Number, Word, Shares);

/// A value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Flag(bool),
    Number(u32),
    Word(usize),
}

impl<O> Setting<O> {
    pub const fn flag(
        name: &'static str,
        sentence: &'static str,
        get: fn(&O) -> Option<bool>,
        set: fn(&mut O, bool),
    ) -> Self {
        Self { name, sentence, kind: Kind::Flag(Flag { get, set, unsaid: "" }) }
    }

    pub const fn number(
        name: &'static str,
        sentence: &'static str,
        (least, most): (u32, u32),
        get: fn(&O) -> Option<u32>,
        set: fn(&mut O, u32),
    ) -> Self {
        assert!(least <= most, "a number without a value cannot be set");
        let number = Number { least, most, zero: "", not_below: "", get, set, unsaid: "" };
        Self { name, sentence, kind: Kind::Number(number) }
    }

    pub const fn word(
        name: &'static str,
        sentence: &'static str,
        words: &'static [(&'static str, &'static str)],
        get: fn(&O) -> usize,
        set: fn(&mut O, usize),
    ) -> Self {
        assert!(!words.is_empty(), "a choice without a word cannot be made");
        Self { name, sentence, kind: Kind::Word(Word { words, get, set }) }
    }

    pub const fn shares(
        name: &'static str,
        sentence: &'static str,
        (parts, sum): (&'static [(&'static str, &'static str, u32)], u32),
        get: fn(&O, usize) -> u32,
        set: fn(&mut O, usize, u32),
    ) -> Self {
        Self { name, sentence, kind: Kind::Shares(Shares { parts, sum, get, set }) }
    }

    #[must_use]
    pub const fn or_zero(self, zero: &'static str) -> Self {
        match self.kind {
            Kind::Number(number) => Self { kind: Kind::Number(Number { zero, ..number }), ..self },
            _ => panic!("only a number can be 0"),
        }
    }

    #[must_use]
    pub const fn not_below(self, not_below: &'static str) -> Self {
        match self.kind {
            Kind::Number(number) => {
                Self { kind: Kind::Number(Number { not_below, ..number }), ..self }
            }
            _ => panic!("only a number can be below another"),
        }
    }

    /// Describes a default that depends on other options.
    #[must_use]
    pub const fn unless_said(self, unsaid: &'static str) -> Self {
        let kind = match self.kind {
            Kind::Number(number) => Kind::Number(Number { unsaid, ..number }),
            Kind::Flag(flag) => Kind::Flag(Flag { unsaid, ..flag }),
            _ => panic!("only numbers and flags have a default that depends on others"),
        };
        Self { kind, ..self }
    }
}

impl<O> Setting<O> {
    /// Returns the value of this setting in these options. `None` if there is no single value.
    pub fn value(&self, options: &O) -> Option<Value> {
        match &self.kind {
            Kind::Flag(flag) => (flag.get)(options).map(Value::Flag),
            Kind::Number(number) => (number.get)(options).map(Value::Number),
            Kind::Word(word) => Some(Value::Word((word.get)(options))),
            Kind::Shares(_) | Kind::Names { .. } | Kind::Message => None,
        }
    }
}

impl<O> Number<O> {
    fn check(&self, name: &'static str, number: u32) -> Result<(), Malformed> {
        if (self.least..=self.most).contains(&number) || (number == 0 && !self.zero.is_empty()) {
            return Ok(());
        }
        let zero = if self.zero.is_empty() { "" } else { "0 or " };
        Err(Malformed::field(
            name,
            format!("{number} is out of range; expected {zero}{} to {}", self.least, self.most),
        ))
    }
}

/// Sets the value of an option. Without a value, the option stays unchanged. A number out of range
/// is an error.
///
/// # Panics
/// If there is no setting with this name and type.
pub fn put<O>(
    settings: &[Setting<O>],
    options: &mut O,
    name: &'static str,
    value: Option<Value>,
) -> Result<(), Malformed> {
    let setting = settings.iter().find(|setting| setting.name == name);
    let setting = setting.unwrap_or_else(|| panic!("{name} is not a setting"));
    let Some(value) = value else { return Ok(()) };
    match (&setting.kind, value) {
        (Kind::Flag(flag), Value::Flag(value)) => (flag.set)(options, value),
        (Kind::Number(number), Value::Number(value)) => {
            number.check(setting.name, value)?;
            (number.set)(options, value);
        }
        (Kind::Word(word), Value::Word(value)) => {
            assert!(value < word.words.len(), "{name} has no word in place {value}");
            (word.set)(options, value);
        }
        (_, value) => panic!("{name} is not {value:?}"),
    }
    Ok(())
}

/// Rejects options that differ from `printed` in a setting of `all` that is not in `own`.
pub fn only<O>(
    all: &[Setting<O>],
    own: &[Setting<O>],
    printed: &O,
    options: &O,
) -> Result<(), Malformed> {
    let strange = all.iter().filter(|setting| own.iter().all(|own| own.name != setting.name));
    for setting in strange {
        if setting.value(options) != setting.value(printed) {
            return Err(Malformed::field(setting.name, "this game does not have this option"));
        }
    }
    Ok(())
}

/// Sets all numbers of a [`Shares`] option. A number out of range is an error.
///
/// # Panics
/// If there is no setting with this name and number of values.
pub fn put_shares<O>(
    settings: &[Setting<O>],
    options: &mut O,
    name: &'static str,
    values: &[u32],
) -> Result<(), Malformed> {
    let setting = settings.iter().find(|setting| setting.name == name).map(|setting| &setting.kind);
    let Some(Kind::Shares(shares)) = setting else {
        panic!("{name} is not made of several numbers")
    };
    assert_eq!(shares.parts.len(), values.len(), "{name} takes one value for each part");
    for (index, ((part, _, least), value)) in shares.parts.iter().zip(values).enumerate() {
        if value < least || *value > shares.sum {
            let text = format!("{value} is out of range; expected {least} to {}", shares.sum);
            return Err(Malformed::field(format!("{name}.{part}"), text));
        }
        (shares.set)(options, index, *value);
    }
    Ok(())
}

impl<O> Shares<O> {
    fn check(&self, name: &'static str, options: &O) -> Result<(), Malformed> {
        let value = |index| (self.get)(options, index);
        for (index, (part, _, least)) in self.parts.iter().enumerate() {
            if value(index) < *least {
                return Err(Malformed::field(
                    format!("{name}.{part}"),
                    format!("{} is too small; the minimum is {least}", value(index)),
                ));
            }
        }
        let sum: u32 = (0..self.parts.len()).map(value).sum();
        if sum == self.sum {
            Ok(())
        } else {
            Err(Malformed::field(name, format!("the sum is {sum}; expected {}", self.sum)))
        }
    }
}

/// Checks that all numbers are within their ranges and lower bounds, and that all sums are right.
pub fn check<O>(settings: &[Setting<O>], options: &O) -> Result<(), Malformed> {
    for setting in settings {
        if let Kind::Shares(shares) = &setting.kind {
            shares.check(setting.name, options)?;
        }
        let Kind::Number(number) = &setting.kind else { continue };
        let Some(value) = (number.get)(options) else { continue };
        number.check(setting.name, value)?;
        if value == 0 && !number.zero.is_empty() {
            continue;
        }
        let other = settings.iter().find(|other| other.name == number.not_below);
        let Some(Kind::Number(bound)) = other.map(|other| &other.kind) else { continue };
        if let Some(bound) = (bound.get)(options).filter(|bound| value < *bound) {
            let text = format!("{value} is below {}, which is {bound}", number.not_below);
            return Err(Malformed::field(setting.name, text));
        }
    }
    Ok(())
}

impl<O> fmt::Debug for Setting<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting")
            .field("name", &self.name)
            .field("sentence", &self.sentence)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, PartialEq, Eq, Debug)]
    struct Options {
        rounds: u32,
        last: u32,
        fog: bool,
        press: usize,
        mix: [u32; 2],
    }

    const SETTINGS: &[Setting<Options>] = &[
        Setting::number(
            "rounds",
            "Rounds.",
            (1, 9),
            |o| Some(o.rounds),
            |o, value| o.rounds = value,
        ),
        Setting::number(
            "last",
            "The last.",
            (3, 20),
            |o: &Options| Some(o.last),
            |o: &mut Options, value| o.last = value,
        )
        .or_zero("never")
        .not_below("rounds"),
        Setting::flag("fog", "Fog.", |o| Some(o.fog), |o, value| o.fog = value),
        Setting::word(
            "press",
            "Press.",
            &[("full", "all"), ("none", "none")],
            |o| o.press,
            |o, value| o.press = value,
        ),
        Setting::shares(
            "mix",
            "Mix.",
            (&[("good", "Good ones", 1), ("bad", "Bad ones", 0)], 3),
            |o, index| o.mix[index],
            |o, index, value| o.mix[index] = value,
        ),
    ];

    #[test]
    fn given_values_are_set_and_others_stay() {
        let mut options = Options { rounds: 4, ..Options::default() };
        put_shares(SETTINGS, &mut options, "mix", &[1, 2]).unwrap();
        for (name, value) in [
            ("rounds", None),
            ("last", Some(Value::Number(5))),
            ("fog", Some(Value::Flag(true))),
            ("press", Some(Value::Word(1))),
        ] {
            put(SETTINGS, &mut options, name, value).unwrap();
        }
        assert_eq!(options, Options { rounds: 4, last: 5, fog: true, press: 1, mix: [1, 2] });
        assert_eq!(check(SETTINGS, &options), Ok(()));
    }

    #[test]
    fn debug_output_of_a_setting_is_its_name() {
        assert_eq!(
            format!("{:?}", SETTINGS[0]),
            r#"Setting { name: "rounds", sentence: "Rounds.", .. }"#
        );
    }

    #[test]
    fn values_out_of_range_are_rejected_by_name() {
        let said =
            |name, value| put(SETTINGS, &mut Options::default(), name, Some(Value::Number(value)));
        for (name, value) in [("rounds", 0), ("rounds", 10), ("last", 1), ("last", 2), ("last", 21)]
        {
            assert_eq!(said(name, value).unwrap_err().field, name, "{value}");
        }
        assert!(said("rounds", 1).is_ok() && said("rounds", 9).is_ok() && said("last", 0).is_ok());
        let mix = |values: [u32; 2]| {
            let mut options = Options { rounds: 1, ..Options::default() };
            put_shares(SETTINGS, &mut options, "mix", &values)?;
            check(SETTINGS, &options)
        };
        assert_eq!(mix([3, 0]), Ok(()));
        for (values, field) in
            [([0, 3], "mix.good"), ([4, 0], "mix.good"), ([2, 2], "mix"), ([1, 1], "mix")]
        {
            assert_eq!(mix(values).unwrap_err().field, field, "{values:?}");
        }
        let fog = Options { fog: true, ..Options::default() };
        assert_eq!(
            only(SETTINGS, &SETTINGS[..2], &Options::default(), &Options::default()),
            Ok(())
        );
        assert_eq!(
            only(SETTINGS, &SETTINGS[..2], &Options::default(), &fog).unwrap_err().field,
            "fog"
        );
        let crossed = Options { rounds: 9, last: 8, mix: [1, 2], ..Options::default() };
        let level = Options { last: 9, ..crossed };
        assert_eq!(check(SETTINGS, &level), Ok(()), "not below");
        let crossed = Options { last: 8, ..level };
        assert_eq!(check(SETTINGS, &crossed).unwrap_err().field, "last");
        assert_eq!(
            check(SETTINGS, &Options { rounds: 10, ..crossed }).unwrap_err().field,
            "rounds"
        );
    }

    #[test]
    fn a_dependent_default_is_described() {
        let unsaid = |setting: Setting<Options>| match setting.unless_said("by chance").kind {
            Kind::Number(number) => number.unsaid,
            Kind::Flag(flag) => flag.unsaid,
            Kind::Word(_) | Kind::Shares(_) | Kind::Names { .. } | Kind::Message => "",
        };
        let number =
            Setting::number("n", "N.", (1, 9), |o: &Options| Some(o.last), |o, n| o.last = n);
        assert_eq!(unsaid(number), "by chance");
        assert_eq!(
            unsaid(Setting::flag("f", "F.", |o| Some(o.fog), |o, f| o.fog = f)),
            "by chance"
        );
    }
}
