//! The options, and what the empires are called (R20).

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Malformed, setting};
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Province, standard_powers};
use crate::position::{Code, Variant};
use crate::settings;

/// The fewest players of either game.
pub const FEWEST_PLAYERS: usize = 2;
/// The most empires: as many as a table has seats. The rules know no limit (R1).
pub const MOST_EMPIRES: usize = heliopause_kernel::Seat::MAX;
/// The first year that is played (D2).
pub const FIRST_YEAR: u16 = 1901;
/// The last year that an option may name.
pub const LAST_YEAR: u16 = 2100;
/// The most characters in an empire's name.
pub(crate) const LONGEST_NAME: usize = 32;

/// What players may write to each other.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::PressRule)]
pub enum PressRule {
    /// Anything to anybody.
    #[default]
    Full,
    /// Only what everybody reads.
    Public,
    /// Nothing.
    None,
}

/// What becomes of powers of the standard game without a player.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[wire(words = proto::Leftover)]
pub enum Leftover {
    /// They are in civil disorder (D8.6).
    #[default]
    CivilDisorder,
    /// Automation plays them.
    Automated,
}

/// The rules options. `Default` is the standard game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Which game is played.
    pub variant: Variant,
    /// What the empires are called, in seat order; those without a name here take the next usual
    /// one (R20).
    pub names: Vec<String>,
    /// The centers that win.
    pub victory_centers: u8,
    /// What players may write to each other.
    pub press: PressRule,
    /// Whether messages may hide who sends them.
    pub anonymous_press: bool,
    /// What becomes of powers without a player.
    pub leftover: Leftover,
    /// After so many years without a center that changes hands the game is drawn (R22); 0 is never.
    pub stalemate_years: u8,
    /// The game is drawn after the fall of this year; 0 is never.
    pub last_year: u16,
}

impl Default for Options {
    fn default() -> Self {
        Self::of(Variant::Standard)
    }
}

impl Options {
    /// A game as printed.
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

    /// How many players these options allow.
    pub fn players(&self) -> std::ops::RangeInclusive<usize> {
        match self.variant {
            Variant::Standard => FEWEST_PLAYERS..=crate::board::STANDARD_POWERS,
            Variant::OuterSpace => FEWEST_PLAYERS..=MOST_EMPIRES,
        }
    }

    /// Whether the options can be played; names the field at fault.
    pub fn validate(&self) -> Result<(), Malformed> {
        let fault = |field: &'static str, text: String| Err(Malformed::field(field, text));
        let own = settings::settings(self.variant);
        setting::check(own, self)?;
        setting::only(settings::ALL, own, &Self::of(self.variant), self)?;
        if self.anonymous_press && self.press == PressRule::None {
            return fault("anonymous_press", "there are no messages at all".to_owned());
        }
        if self.variant == Variant::Standard && !self.names.is_empty() {
            return fault("names", "the powers of the standard game have their names".to_owned());
        }
        self.validate_names()
    }

    /// R20
    fn validate_names(&self) -> Result<(), Malformed> {
        if self.names.len() > MOST_EMPIRES {
            return Err(Malformed::field(
                "names",
                format!("it names more than {MOST_EMPIRES} empires"),
            ));
        }
        for (index, name) in self.names.iter().enumerate() {
            let field = || format!("names[{index}]");
            let good = (1..=LONGEST_NAME).contains(&name.chars().count())
                && name.trim() == name
                && !name.chars().any(char::is_control);
            if !good {
                let text = format!("a name has 1 to {LONGEST_NAME} printable characters");
                return Err(Malformed::field(field(), text));
            }
            if self.names[..index].iter().any(|other| is_same_name(other, name)) {
                return Err(Malformed::field(field(), "another empire is called so"));
            }
        }
        Ok(())
    }

    /// The powers of a game: names and codes, in seat order.
    pub fn powers(&self, players: usize) -> Vec<(String, Code)> {
        match self.variant {
            Variant::Standard => {
                let code = |name: &str| {
                    name[..3].parse::<Code>().expect("powers begin with three letters")
                };
                standard_powers().map(|(name, _)| (name.to_owned(), code(name))).collect()
            }
            Variant::OuterSpace => self.empires(players),
        }
    }

    /// R20: names are given or usual ones; codes are their first letters, or vary in the last
    /// place.
    fn empires(&self, players: usize) -> Vec<(String, Code)> {
        let mut empires: Vec<(String, Code)> = Vec::with_capacity(players);
        for seat in 0..players {
            let usual = || (seat..=seat + MOST_EMPIRES).map(usual_name);
            let is_free = |name: &String| {
                let given = self.names.iter().any(|other| is_same_name(other, name));
                !given && !empires.iter().any(|(other, _)| is_same_name(other, name))
            };
            let (name, code) = if let Some(name) = self.names.get(seat) {
                (name.clone(), first_letters(name))
            } else {
                let name = usual().find(is_free).expect("there are more usual names than empires");
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

/// What an empire is called if nobody names it (R20).
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

/// The code itself if it is free, else one that differs from it as late as possible.
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
    codes.find(is_free).expect("there are more codes than empires")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_names_its_field() {
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
        assert_eq!(fault(|o| o.leftover = Leftover::Automated), "leftover");
        assert_eq!(fault(|o| o.names = vec!["A".into(), String::new()]), "names[1]");
        assert_eq!(fault(|o| o.names = vec!["Zo".into(), "ZO".into()]), "names[1]");
        assert_eq!(
            fault(|o| (o.press, o.anonymous_press) = (PressRule::None, true)),
            "anonymous_press"
        );
    }

    #[test]
    fn r20_empires_have_usual_names_and_codes() {
        let empires = Options::of(Variant::OuterSpace).powers(MOST_EMPIRES);
        assert_eq!((empires[0].0.as_str(), empires[0].1.to_string().as_str()), ("Zorgon", "ZOR"));
        assert_eq!(
            (empires[12].0.as_str(), empires[12].1.to_string().as_str()),
            ("Empire 13", "E13")
        );
        let codes: std::collections::BTreeSet<Code> =
            empires.iter().map(|(_, code)| *code).collect();
        assert_eq!(codes.len(), MOST_EMPIRES);
    }

    #[test]
    fn r20_codes_are_no_words_of_orders() {
        let mut options = Options::of(Variant::OuterSpace);
        options.names =
            ["Paris", "Orbital", "Zorgon", "zorro", "77", "Velari 2"].map(str::to_owned).to_vec();
        let powers = options.powers(7);
        let codes: Vec<String> = powers.iter().map(|(_, code)| code.to_string()).collect();
        assert_eq!(codes, ["PAA", "ORA", "ZOR", "ZOA", "XXX", "VEL", "TET"]);
    }
}
