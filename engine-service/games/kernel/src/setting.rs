//! Rules options that describe themselves: one definition holds an option's name, its meaning and
//! its range, and reads it too.
//!
//! A game has a list of [`Setting`]s. [`put`] reads its options, [`check`] checks them, and
//! [`Game::settings`](crate::Game::settings) tells clients of them, all from that list; so none of
//! these can differ.

use std::fmt;

use crate::Malformed;

/// An option of a game whose options are an `O`.
pub struct Setting<O> {
    /// Its name: the field of the game's message of options; `mix.friendly` for a part of a message
    /// within it.
    pub name: &'static str,
    /// What it is, as a sentence.
    pub sentence: &'static str,
    /// Its possible values, and its place.
    pub kind: Kind<O>,
}

/// The possible values of an option.
pub enum Kind<O> {
    /// Yes or no.
    Flag(Flag<O>),
    Number(Number<O>),
    /// One of several words.
    Word(Word<O>),
    /// Several numbers whose sum is given.
    Shares(Shares<O>),
    /// A list of names.
    Names {
        /// The most names.
        most: usize,
        /// The most characters of each.
        length: usize,
    },
    /// A message of its own, which has a comment in the contract.
    Message,
}

/// Yes or no.
pub struct Flag<O> {
    /// Its value; none if that depends on something else.
    pub get: fn(&O) -> Option<bool>,
    /// Makes it so.
    pub set: fn(&mut O, bool),
    /// The default; empty if `get` gives it.
    pub unsaid: &'static str,
}

/// A number.
pub struct Number<O> {
    pub least: u32,
    pub most: u32,
    /// What 0 means, if 0 is allowed besides the numbers from `least`; empty if it is not.
    pub zero: &'static str,
    /// The option, a number too, below which it may not be; empty if there is none.
    pub not_below: &'static str,
    /// Its value; none if that depends on something else.
    pub get: fn(&O) -> Option<u32>,
    /// Makes it so; the number is within its bounds.
    pub set: fn(&mut O, u32),
    /// The default; empty if `get` gives it.
    pub unsaid: &'static str,
}

/// One of several words.
pub struct Word<O> {
    /// The words, as the enum of the contract names them, each with its meaning.
    pub words: &'static [(&'static str, &'static str)],
    /// Which of them it is.
    pub get: fn(&O) -> usize,
    /// Makes it so.
    pub set: fn(&mut O, usize),
}

/// Several numbers whose sum is given.
pub struct Shares<O> {
    /// The numbers: the field of the option's message, its meaning, and the least.
    pub parts: &'static [(&'static str, &'static str, u32)],
    pub sum: u32,
    /// What the number at a place is.
    pub get: fn(&O, usize) -> u32,
    /// Makes it so.
    pub set: fn(&mut O, usize, u32),
}

/// All of these hold only functions and fixed words, for any options.
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

/// A value for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    Number(u32),
    /// The place of a word in its list.
    Word(usize),
}

impl<O> Setting<O> {
    /// Yes or no.
    pub const fn flag(
        name: &'static str,
        sentence: &'static str,
        get: fn(&O) -> Option<bool>,
        set: fn(&mut O, bool),
    ) -> Self {
        Self { name, sentence, kind: Kind::Flag(Flag { get, set, unsaid: "" }) }
    }

    /// A number from and to.
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

    /// One of several words.
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

    /// Several numbers with this sum; each has a field, a meaning, and a least value.
    pub const fn shares(
        name: &'static str,
        sentence: &'static str,
        (parts, sum): (&'static [(&'static str, &'static str, u32)], u32),
        get: fn(&O, usize) -> u32,
        set: fn(&mut O, usize, u32),
    ) -> Self {
        Self { name, sentence, kind: Kind::Shares(Shares { parts, sum, get, set }) }
    }

    /// The same number, with 0 also allowed, in this meaning.
    #[must_use]
    pub const fn or_zero(self, zero: &'static str) -> Self {
        match self.kind {
            Kind::Number(number) => Self { kind: Kind::Number(Number { zero, ..number }), ..self },
            _ => panic!("only a number can be 0"),
        }
    }

    /// The same number, which may not be below that of another option.
    #[must_use]
    pub const fn not_below(self, not_below: &'static str) -> Self {
        match self.kind {
            Kind::Number(number) => {
                Self { kind: Kind::Number(Number { not_below, ..number }), ..self }
            }
            _ => panic!("only a number can be below another"),
        }
    }

    /// The same, with a default that depends on this.
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
    /// The value in these options; none if they have none, or more than one.
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
        Err(Malformed::field(
            name,
            format!("it is {number}, but must be between {} and {}", self.least, self.most),
        ))
    }
}

/// Puts the given values into an option; the others stay as they are.
///
/// # Panics
/// If no setting has this name and this type of value: the caller names them by its own list.
pub fn put<O>(
    settings: &[Setting<O>],
    options: &mut O,
    name: &'static str,
    value: Option<Value>,
) -> Result<(), Malformed> {
    let setting = settings.iter().find(|setting| setting.name == name);
    let setting = setting.unwrap_or_else(|| panic!("{name} is no setting"));
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
        (_, value) => panic!("{name} is no {value:?}"),
    }
    Ok(())
}

/// Refuses values for options that this game lacks, though others of the same rules have them:
/// `all` of the rules, the game's `own`, and its options as `printed`.
pub fn only<O>(
    all: &[Setting<O>],
    own: &[Setting<O>],
    printed: &O,
    options: &O,
) -> Result<(), Malformed> {
    let strange = all.iter().filter(|setting| own.iter().all(|own| own.name != setting.name));
    for setting in strange {
        if setting.value(options) != setting.value(printed) {
            return Err(Malformed::field(setting.name, "it is no option of this game"));
        }
    }
    Ok(())
}

/// Puts several numbers into an option made of them.
///
/// # Panics
/// If no setting of this name has so many numbers.
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
            let text = format!("it is {value}, but must be between {least} and {}", shares.sum);
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
                    format!("it must be at least {least}"),
                ));
            }
        }
        let sum: u32 = (0..self.parts.len()).map(value).sum();
        if sum == self.sum {
            Ok(())
        } else {
            Err(Malformed::field(name, format!("it has a sum of {sum} instead of {}", self.sum)))
        }
    }
}

/// Whether every number of these options is within its bounds.
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
            let text = format!("it is {value}, below {}, which is {bound}", number.not_below);
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
    fn what_is_said_is_put_and_what_is_not_stays() {
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
    fn a_setting_shows_its_name_where_a_test_fails() {
        assert_eq!(
            format!("{:?}", SETTINGS[0]),
            r#"Setting { name: "rounds", sentence: "Rounds.", .. }"#
        );
    }

    #[test]
    fn what_is_out_of_bounds_is_refused_by_name() {
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
    fn a_default_that_depends_on_other_options_is_said() {
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
