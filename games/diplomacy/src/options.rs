//! The options of both games, and the names of empires (R20).

use heliopause_kernel::setting::{Kind, Setting};
use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Malformed, quoted, setting};
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Province, standard_powers};
use crate::position::{Code, Variant};

/// The minimum number of players in both games.
pub const PLAYERS_MIN: usize = 2;
/// The maximum number of empires, equal to the maximum number of seats. The rules have no limit
/// (R1).
pub const EMPIRES_MAX: usize = heliopause_kernel::Seat::MAX;
/// The first year (D2).
pub const FIRST_YEAR: u16 = 1901;
/// The maximum of the option `last_year`.
pub const LAST_YEAR: u16 = 2100;
pub(crate) const NAME_CHARS_MAX: usize = 32;

/// The kinds of messages that players may write.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::PressRule)]
pub enum PressRule {
    /// Messages to one player or to all players.
    #[default]
    Full,
    /// Only messages to all players.
    Public,
    None,
}

/// The treatment of standard powers without a player.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::UnplayedPowers)]
pub enum Leftover {
    /// Civil disorder (D8.6).
    #[default]
    CivilDisorder,
    Automated,
}

/// The game options. `Default` is the standard game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    pub variant: Variant,
    /// The names of empires, in seat order. Empires without a name get a default one (R20).
    pub names: Vec<String>,
    pub victory_centers: u8,
    pub press: PressRule,
    pub anonymous_press: bool,
    pub leftover: Leftover,
    /// Years without a change of centers until the game is drawn (R22). 0 means never.
    pub stalemate_years: u8,
    /// The game is drawn after the fall of this year. 0 means never.
    pub last_year: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self::of(Variant::Standard)
    }
}

impl Options {
    pub fn of(variant: Variant) -> Self {
        Self {
            variant,
            names: Vec::new(),
            victory_centers: 18,
            press: PressRule::default(),
            anonymous_press: false,
            leftover: Leftover::default(),
            stalemate_years: 0,
            last_year: 0,
        }
    }

    pub fn players(&self) -> std::ops::RangeInclusive<usize> {
        match self.variant {
            Variant::Standard => PLAYERS_MIN..=crate::board::STANDARD_POWERS,
            Variant::OuterSpace => PLAYERS_MIN..=EMPIRES_MAX,
        }
    }

    pub fn validate(&self) -> Result<(), Malformed> {
        let fault = |field: &'static str, text: String| Err(Malformed::field(field, text));
        let own = settings(self.variant);
        setting::check(own, self)?;
        setting::only(ALL, own, &Self::of(self.variant), self)?;
        if self.anonymous_press && self.press == PressRule::None {
            return fault(
                "anonymous_press",
                "messages are not allowed in this game; set press, or omit this option".to_owned(),
            );
        }
        if self.variant == Variant::Standard && !self.names.is_empty() {
            return fault(
                "names",
                "the powers of the standard game have fixed names; omit this option".to_owned(),
            );
        }
        self.validate_names()
    }

    /// R20: checks the names of empires.
    fn validate_names(&self) -> Result<(), Malformed> {
        if self.names.len() > EMPIRES_MAX {
            return Err(Malformed::field(
                "names",
                format!("{} names are too many; the maximum is {EMPIRES_MAX}", self.names.len()),
            ));
        }
        for (index, name) in self.names.iter().enumerate() {
            let field = || format!("names[{index}]");
            let good = (1..=NAME_CHARS_MAX).contains(&name.chars().count())
                && name.trim() == name
                && !name.chars().any(char::is_control);
            if !good {
                let text = format!(
                    "expected 1 to {NAME_CHARS_MAX} printable characters, without spaces at the \
                     ends, found {}",
                    quoted(name)
                );
                return Err(Malformed::field(field(), text));
            }
            if self.names[..index].iter().any(|other| is_same_name(other, name)) {
                let text = format!("another empire already has the name {}", quoted(name));
                return Err(Malformed::field(field(), text));
            }
        }
        Ok(())
    }

    pub fn powers(&self, players: usize) -> Vec<(String, Code)> {
        match self.variant {
            Variant::Standard => {
                let code = |name: &str| {
                    name[..3]
                        .parse::<Code>()
                        .expect("every power has a name with at least three letters")
                };
                standard_powers().map(|(name, _)| (name.to_owned(), code(name))).collect()
            }
            Variant::OuterSpace => self.empires(players),
        }
    }

    /// Returns the names of empires and their codes. A code is the first letters of the name. If
    /// the code is taken, its last letters vary (R20).
    fn empires(&self, players: usize) -> Vec<(String, Code)> {
        let mut empires: Vec<(String, Code)> = Vec::with_capacity(players);
        for seat in 0..players {
            let usual = || (seat..=seat + EMPIRES_MAX).map(usual_name);
            let is_free = |name: &String| {
                let given = self.names.iter().any(|other| is_same_name(other, name));
                !given && !empires.iter().any(|(other, _)| is_same_name(other, name))
            };
            let (name, code) = if let Some(name) = self.names.get(seat) {
                (name.clone(), first_letters(name))
            } else {
                let name =
                    usual().find(is_free).expect("there are more default names than empires");
                let code = match name.strip_prefix("Empire ") {
                    Some(number) => format!("E{number:0>2}"),
                    None => first_letters(&name),
                };
                (name, code)
            };
            let code = free_code(&code, &empires);
            empires.push((name, code));
        }
        empires
    }
}

fn is_same_name(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

fn usual_name(index: usize) -> String {
    const NAMES: [&str; 12] = [
        "Zorgon", "Velari", "Krull", "Mimas", "Oxiphon", "Pyrrh", "Tethid", "Quell", "Ashari",
        "Drenn", "Ixal", "Yonnish",
    ];
    NAMES.get(index).map_or_else(|| format!("Empire {}", index + 1), |&name| name.to_owned())
}

fn first_letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric).skip_while(char::is_ascii_digit);
    let mut code: String = letters.take(3).collect();
    while code.len() < 3 {
        code.push('X');
    }
    code
}

/// Returns the code if it is free, otherwise the most similar free code.
fn free_code(wanted: &str, taken: &[(String, Code)]) -> Code {
    let is_word = |code: Code| {
        let text = code.to_string();
        text.parse::<Province>().is_ok()
            || ["ORB", "COL", "BUI", "REM", "WAI", "VIA"].contains(&text.as_str())
    };
    let is_free = |code: &Code| !is_word(*code) && taken.iter().all(|(_, other)| other != code);
    let signs = || ('A'..='Z').chain('0'..='9');
    let last = signs().map(|last| format!("{}{last}", &wanted[..2]));
    let two = signs()
        .flat_map(|middle| signs().map(move |last| format!("{}{middle}{last}", &wanted[..1])));
    let mut codes = std::iter::once(wanted.to_owned())
        .chain(last)
        .chain(two)
        .filter_map(|text| text.parse::<Code>().ok());
    codes.find(is_free).expect("there are more codes than seats")
}

const NAMES: Setting<Options> = Setting {
    name: "names",
    sentence: "Names of the empires, in seat order. Empires without a name get a default name \
               (R20).",
    kind: Kind::Names { most: EMPIRES_MAX, length: NAME_CHARS_MAX },
};

const VICTORY_CENTERS: Setting<Options> = Setting::number(
    "victory_centers",
    "Number of supply centers needed to win (D8.7).",
    (1, 34),
    |options: &Options| Some(options.victory_centers.into()),
    |options: &mut Options, value| options.victory_centers = value as u8,
);

/// The contract's words for press rules and their descriptions, in the order of [`PRESS`].
const PRESS_WORDS: &[(&str, &str)] = &[
    ("PRESS_RULE_FULL", "private and public messages"),
    ("PRESS_RULE_PUBLIC", "public messages only"),
    ("PRESS_RULE_NONE", "nothing"),
];

/// Press rules in the order of [`PRESS_WORDS`].
pub(crate) const PRESS: [PressRule; 3] = [PressRule::Full, PressRule::Public, PressRule::None];

const PRESS_SETTING: Setting<Options> = Setting::word(
    "press",
    "Messages that players may write to each other (D9).",
    PRESS_WORDS,
    |options: &Options| PRESS.iter().position(|rule| *rule == options.press).unwrap_or_default(),
    |options: &mut Options, value| options.press = PRESS[value],
);

const ANONYMOUS: Setting<Options> = Setting::flag(
    "anonymous_press",
    "Whether messages may be anonymous; not possible without messages.",
    |options: &Options| Some(options.anonymous_press),
    |options: &mut Options, value| options.anonymous_press = value,
);

/// Treatments of leftover powers, in the order of the words in [`LEFTOVER_SETTING`].
pub(crate) const LEFTOVER: [Leftover; 2] = [Leftover::CivilDisorder, Leftover::Automated];

const LEFTOVER_SETTING: Setting<Options> = Setting::word(
    "unplayed_powers",
    "What happens to powers without a player (D8.6).",
    &[
        ("UNPLAYED_POWERS_CIVIL_DISORDER", "civil disorder, without a seat"),
        ("UNPLAYED_POWERS_AUTOMATED", "played by automation"),
    ],
    |options: &Options| {
        LEFTOVER.iter().position(|leftover| *leftover == options.leftover).unwrap_or_default()
    },
    |options: &mut Options, value| options.leftover = LEFTOVER[value],
);

const STALEMATE: Setting<Options> = Setting::number(
    "stalemate_years",
    "The game is drawn after this many years without a change of center ownership (R22).",
    (1, 255),
    |options: &Options| Some(options.stalemate_years.into()),
    |options: &mut Options, value| options.stalemate_years = value as u8,
)
.or_zero("never");

const LAST: Setting<Options> = Setting::number(
    "last_year",
    "The game is drawn after the fall of this year.",
    (FIRST_YEAR as u32, LAST_YEAR as u32),
    |options: &Options| Some(options.last_year.into()),
    |options: &mut Options, value| options.last_year = value as u16,
)
.or_zero("never");

pub(crate) const ALL: &[Setting<Options>] =
    &[NAMES, VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, LEFTOVER_SETTING, STALEMATE, LAST];

const STANDARD: &[Setting<Options>] =
    &[VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, LEFTOVER_SETTING, STALEMATE, LAST];

/// The settings of the game with spacecraft, in which every empire has a player.
const SPACE: &[Setting<Options>] =
    &[NAMES, VICTORY_CENTERS, PRESS_SETTING, ANONYMOUS, STALEMATE, LAST];

pub(crate) const fn settings(variant: Variant) -> &'static [Setting<Options>] {
    match variant {
        Variant::Standard => STANDARD,
        Variant::OuterSpace => SPACE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_their_field() {
        assert_eq!(Options::default().validate(), Ok(()));
        let space = Options::of(Variant::OuterSpace);
        assert_eq!(space.validate(), Ok(()));
        let fault = |change: fn(&mut Options)| {
            let mut options = Options::of(Variant::OuterSpace);
            change(&mut options);
            options.validate().unwrap_err().field.into_owned()
        };
        assert_eq!(fault(|o| o.victory_centers = 35), "victory_centers");
        assert_eq!(fault(|o| o.last_year = 1900), "last_year");
        assert_eq!(fault(|o| o.leftover = Leftover::Automated), "unplayed_powers");
        assert_eq!(fault(|o| o.names = vec!["A".into(), String::new()]), "names[1]");
        assert_eq!(fault(|o| o.names = vec!["Zo".into(), "ZO".into()]), "names[1]");
        assert_eq!(
            fault(|o| (o.press, o.anonymous_press) = (PressRule::None, true)),
            "anonymous_press"
        );
    }

    #[test]
    fn r20_empires_have_default_names_and_codes() {
        let empires = Options::of(Variant::OuterSpace).powers(EMPIRES_MAX);
        assert_eq!((empires[0].0.as_str(), empires[0].1.to_string().as_str()), ("Zorgon", "ZOR"));
        assert_eq!(
            (empires[12].0.as_str(), empires[12].1.to_string().as_str()),
            ("Empire 13", "E13")
        );
        let codes: std::collections::BTreeSet<Code> =
            empires.iter().map(|(_, code)| *code).collect();
        assert_eq!(codes.len(), EMPIRES_MAX);
    }

    #[test]
    fn r20_codes_differ_from_order_keywords() {
        let mut options = Options::of(Variant::OuterSpace);
        options.names =
            ["Paris", "Orbital", "Zorgon", "zorro", "77", "Velari 2"].map(str::to_owned).to_vec();
        let powers = options.powers(7);
        let codes: Vec<String> = powers.iter().map(|(_, code)| code.to_string()).collect();
        assert_eq!(codes, ["PAA", "ORA", "ZOR", "ZOA", "XXX", "VEL", "TET"]);
    }
}
