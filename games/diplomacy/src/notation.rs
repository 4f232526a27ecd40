//! Orders in the usual notation: `A Par - Bur`, `F NTH C A Lon - Bel`, `A Gas S VEL A ORB - Par`,
//! `BUILD F Stp/nc`. `forms` declares how each order is written, labelled and offered. Conditional
//! orders list choices: `IF A Bud DISLODGED: Vie, Tri, D`.

use std::fmt;

use heliopause_kernel::offer::{Argument, Choice, Form, Sort, Weight, fill};
use heliopause_kernel::{Malformed, quoted};

use crate::board::{Node, Province};
use crate::command::Command;
use crate::conditional::Conditional;
use crate::describe::{name, place};
use crate::order::{Named, Order, Place, Site};
use crate::position::{Code, Kind};

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Earth(node) => node.fmt(f),
            Self::Orbit => f.write_str("ORB"),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => write!(f, "{} {}", kind.as_str(), self.at),
            None => self.at.fmt(f),
        }
    }
}

/// Declares the form of each order: the order with its arguments, key, weight and rule of its
/// offer; then its notation, its label, and the argument that the offer asks for.
macro_rules! forms {
    ($(
        $order:ident $fields:tt ($($argument:ident),*) $key:literal $weight:ident $rule:expr,
            $notation:literal, $label:literal
            $(, $choice:ident $slot:literal $question:literal)?;
    )+) => {
        /// Returns the form and the arguments of an order.
        pub(crate) fn form_of(order: &Order) -> (Form, Vec<Argument>) {
            match *order {
                $(Order::$order $fields => (
                    Form {
                        key: $key,
                        weight: Weight::$weight,
                        rule: $rule,
                        notation: $notation,
                        label: $label,
                        choice: None$(.or(Some(Choice {
                            argument: stringify!($choice),
                            slot: $slot,
                            question: $question,
                        })))?,
                    },
                    vec![$($argument.argument(stringify!($argument))),*],
                ),)+
            }
        }
    };
}

forms! {
    Hold { unit } (unit) "hold" Usual "D3",
        "{unit} H", "{unit} holds";
    Move { unit, to: Place::Orbit, via_convoy } (unit, via_convoy) "beam-up" Usual "2",
        "{unit} - ORB{via_convoy}", "{unit} beams up";
    Move { unit: unit @ Named { at: Place::Orbit, .. }, to, via_convoy } (unit, to, via_convoy)
        "beam-down" Main "2",
        "{unit} - {to}{via_convoy}", "An army beams down to {to}", to "place" "where to";
    Move { unit, to, via_convoy: false } (unit, to) "move" Main "D3.2",
        "{unit} - {to}", "{unit} moves to {to}", to "place" "where to";
    Move { unit, to, via_convoy: true } (unit, to) "move-by-convoy" Minor "D3.2",
        "{unit} - {to} via convoy", "{unit} moves to {to} by convoy", to "place" "where to";
    SupportHold { unit, other } (unit, other) "support-hold" Usual "D3.3",
        "{unit} S {other}", "{unit} supports {other}", other "unit" "whom";
    SupportMove { unit, other, of: None, to } (unit, other, to) "support-move" Usual
        if other.at == Place::Orbit { "R4" } else { "D3.4" },
        "{unit} S {other} - {to}", "{unit} supports {other} to {to}", to "place" "where to";
    SupportMove { unit, other, of: Some(of), to } (unit, of, other, to) "support-move" Usual
        if other.at == Place::Orbit { "R4" } else { "D3.4" },
        "{unit} S {of} {other} - {to}", "{unit} supports {other} of {of} to {to}",
        to "place" "where to";
    Convoy { unit, army, to } (unit, army, to) "convoy" Usual "D3.5",
        "{unit} C {army} - {to}", "{unit} convoys {army} to {to}", to "place" "where to";
    Colonize { unit, target: None } (unit) "colonize-here" Usual "3",
        "{unit} COL", "{unit} colonizes its province";
    Colonize { unit, target: Some(target) } (unit, target) "colonize" Usual "3",
        "{unit} COL {target}", "{unit} colonizes {target}", target "place" "where";
    Retreat { unit, to: Place::Orbit } (unit) "retreat-up" Main "5",
        "{unit} R ORB", "{unit} retreats to orbit";
    Retreat { unit, to } (unit, to) "retreat" Main "D7",
        "{unit} R {to}", "{unit} retreats to {to}", to "place" "where to";
    Disband { unit } (unit) "disband" Usual "D7",
        "{unit} D", "{unit} is disbanded";
    Build { unit: Site { kind: Some(Kind::Army), at } } (at) "build" Main "D8",
        "BUILD A {at}", "Build an army in {at}", at "place" "where";
    Build { unit: Site { kind: Some(Kind::Fleet), at } } (at) "build" Main "D8",
        "BUILD F {at}", "Build a fleet in {at}", at "place" "where";
    Build { unit: Site { kind: None, at } } (at) "build" Main "D8",
        "BUILD {at}", "Build an army in {at}", at "place" "where";
    Remove { unit } (unit) "remove" Main "D8",
        "REMOVE {unit}", "Remove {unit}", unit "unit" "which";
    Waive {} () "waive" Minor "D8",
        "WAIVE", "Waive a build";
}

/// The value of an argument.
trait Value: fmt::Display + Sized {
    const SORT: Sort;

    fn label(&self) -> String {
        self.to_string()
    }

    fn argument(&self, name: &'static str) -> Argument {
        Argument { name, text: self.to_string(), label: self.label(), sort: Self::SORT }
    }
}

impl Value for Named {
    const SORT: Sort = Sort::Piece;

    fn label(&self) -> String {
        name(*self)
    }
}

impl Value for Place {
    const SORT: Sort = Sort::Place;

    fn label(&self) -> String {
        place(*self)
    }
}

impl Value for Node {
    const SORT: Sort = Sort::Place;

    fn label(&self) -> String {
        place(Place::Earth(*self))
    }
}

impl Value for Province {
    const SORT: Sort = Sort::Place;

    fn label(&self) -> String {
        self.name().to_owned()
    }
}

impl Value for Code {
    const SORT: Sort = Sort::Word;
}

/// A convoy that an order names needlessly, because it beams.
impl Value for bool {
    const SORT: Sort = Sort::Word;

    fn argument(&self, name: &'static str) -> Argument {
        let text = if *self { " via convoy" } else { "" };
        Argument { name, text: text.to_owned(), label: String::new(), sort: Self::SORT }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, arguments) = form_of(self);
        f.write_str(&fill(form.notation, &arguments, |argument| &argument.text))
    }
}

/// The text between the choices of a conditional order.
pub(crate) const SEPARATOR: &str = ", ";

impl Conditional {
    /// Returns the notation and the sentence up to the choices.
    pub(crate) fn case_in_words(&self) -> (String, String) {
        let (notation, sentence) = match self {
            Self::Dislodged { unit, .. } => {
                let sentence = format!("If {} is dislodged:", name(*unit));
                return (format!("IF {unit} DISLODGED:"), sentence);
            }
            Self::Building { .. } => ("IF BUILDING:", "If you can build:"),
            Self::Removing { .. } => ("IF REMOVING:", "If you must remove units:"),
        };
        (notation.to_owned(), sentence.to_owned())
    }

    /// Returns the choices with their display names.
    pub(crate) fn choices(&self) -> Vec<(String, String)> {
        let places = |places: &[Place]| -> Vec<(String, String)> {
            places.iter().map(|at| (at.to_string(), place(*at))).collect()
        };
        let (mut choices, last) = match self {
            Self::Dislodged { retreats, disband, .. } => {
                (places(retreats), disband.then_some(("D", "disband")))
            }
            Self::Building { builds, waive } => {
                let units =
                    builds.iter().map(|site| Named { kind: site.kind, at: Place::Earth(site.at) });
                let builds = units.map(|unit| (unit.to_string(), name(unit))).collect();
                (builds, waive.then_some(("WAIVE", "waive the rest")))
            }
            Self::Removing { removals } => (places(removals), None),
        };
        choices.extend(last.map(|(text, label)| (text.to_owned(), label.to_owned())));
        choices
    }
}

impl fmt::Display for Conditional {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let choices: Vec<String> = self.choices().into_iter().map(|(text, _)| text).collect();
        write!(f, "{} {}", self.case_in_words().0, choices.join(SEPARATOR))
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(order) => order.fmt(f),
            Self::Conditional(order) => order.fmt(f),
            Self::Clear => f.write_str("CLEAR"),
        }
    }
}

const TEXT_CHARS_MAX: usize = 64 * 1024;

/// Parses orders, one per line. Skips empty lines and text after a `#`.
pub fn read_orders(text: &str) -> Result<Vec<Order>, Malformed> {
    let read = |reader: &mut Reader<'_>| reader.order();
    read_lines(text, read)
}

pub(crate) fn read_commands(text: &str) -> Result<Vec<Command>, Malformed> {
    let read = |reader: &mut Reader<'_>| {
        if reader.skip("CLEAR") {
            Ok(Command::Clear)
        } else if reader.skip("IF") {
            reader.conditional().map(Command::Conditional)
        } else {
            reader.order().map(Command::Order)
        }
    };
    read_lines(text, read)
}

fn read_lines<T>(
    text: &str,
    read: impl Fn(&mut Reader<'_>) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let count = text.chars().count();
    if count > TEXT_CHARS_MAX {
        return Err(Malformed::text(
            1,
            1,
            format!("{count} characters are too many; the maximum is {TEXT_CHARS_MAX}"),
        ));
    }
    let mut orders = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut reader = Reader::new(line, index as u32 + 1);
        if reader.words.is_empty() {
            continue;
        }
        orders.push(read(&mut reader)?);
        reader.end()?;
    }
    Ok(orders)
}

/// Signs that are words by themselves.
const SIGNS: [char; 3] = ['-', ':', ','];

struct Reader<'a> {
    words: Vec<(u32, &'a str)>,
    next: usize,
    line: u32,
    end_column: u32,
}

impl<'a> Reader<'a> {
    /// Splits a line at spaces and signs. A sign is a word even without spaces: `A Par-Bur`.
    fn new(line: &'a str, number: u32) -> Self {
        let line = line.split('#').next().unwrap_or_default();
        let mut reader = Self {
            words: Vec::new(),
            next: 0,
            line: number,
            end_column: line.chars().count() as u32 + 1,
        };
        let mut start = None;
        for (column, (at, letter)) in line.char_indices().enumerate() {
            let begins = start.is_some_and(|(_, begin): (u32, usize)| begin < at);
            if (letter.is_whitespace() || SIGNS.contains(&letter)) && begins {
                reader.push(line, &mut start, at);
            }
            match letter {
                letter if letter.is_whitespace() => {}
                letter if SIGNS.contains(&letter) => {
                    reader.words.push((column as u32 + 1, &line[at..=at]));
                }
                _ if start.is_none() => start = Some((column as u32 + 1, at)),
                _ => {}
            }
        }
        reader.push(line, &mut start, line.len());
        reader
    }

    fn push(&mut self, line: &'a str, start: &mut Option<(u32, usize)>, end: usize) {
        if let Some((column, begin)) = start.take() {
            self.words.push((column, &line[begin..end]));
        }
    }

    fn expected<T>(&self, what: &str) -> Result<T, Malformed> {
        Err(match self.words.get(self.next) {
            Some((column, word)) => Malformed::text(
                self.line,
                *column,
                format!("expected {what}, found {}", quoted(word)),
            ),
            None => Malformed::text(
                self.line,
                self.end_column,
                format!("expected {what}, found the end of the line"),
            ),
        })
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|&(_, word)| word)
    }

    fn skip(&mut self, keyword: &str) -> bool {
        let found = self.peek().is_some_and(|word| word.eq_ignore_ascii_case(keyword));
        self.next += usize::from(found);
        found
    }

    fn end(&self) -> Result<(), Malformed> {
        if self.next == self.words.len() { Ok(()) } else { self.expected("the end of the line") }
    }

    fn node(&mut self) -> Result<Node, Malformed> {
        match self.peek().and_then(read_node) {
            Some(node) => {
                self.next += 1;
                Ok(node)
            }
            None => self.expected("a province such as Par, NTH or Spa/nc"),
        }
    }

    fn place(&mut self) -> Result<Place, Malformed> {
        if self.skip("ORB") || self.skip("Orbit") {
            Ok(Place::Orbit)
        } else {
            self.node().map(Place::Earth)
        }
    }

    fn kind(&mut self) -> Option<Kind> {
        let kind = self.peek().and_then(|word| word.parse().ok());
        self.next += usize::from(kind.is_some());
        kind
    }

    fn named(&mut self) -> Result<Named, Malformed> {
        Ok(Named { kind: self.kind(), at: self.place()? })
    }

    /// Parses the optional power or empire of a unit: a word before a unit letter, or a word that
    /// is not a place.
    fn nationality(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        let before_letter =
            self.words.get(self.next + 1).is_some_and(|&(_, word)| word.parse::<Kind>().is_ok());
        let is_place =
            read_node(word).is_some() || ["ORB", "ORBIT"].contains(&word.to_uppercase().as_str());
        let found = word.parse::<Kind>().is_err() && (before_letter || !is_place) && word != "-";
        self.next += usize::from(found);
        found.then_some(word)
    }

    fn conditional(&mut self) -> Result<Conditional, Malformed> {
        if self.skip("BUILDING") {
            let (builds, waive) = self.choices(&["WAIVE"], |reader| {
                Ok(Site { kind: reader.kind(), at: reader.node()? })
            })?;
            return Ok(Conditional::Building { builds, waive });
        }
        if self.skip("REMOVING") {
            let (removals, _) = self.choices(&[], |reader| Ok(reader.named()?.at))?;
            return Ok(Conditional::Removing { removals });
        }
        let unit = self.named()?;
        if !self.skip("DISLODGED") {
            return self.expected("\"DISLODGED\"");
        }
        let (retreats, disband) = self.choices(&["D", "DISBAND"], Self::place)?;
        Ok(Conditional::Dislodged { unit, retreats, disband })
    }

    /// Parses a colon and a list of choices, and returns whether the list has one of the words
    /// `last`. Choices after such a word would never apply, and are dropped.
    fn choices<T>(
        &mut self,
        last: &[&str],
        read: impl Fn(&mut Self) -> Result<T, Malformed>,
    ) -> Result<(Vec<T>, bool), Malformed> {
        if !self.skip(":") {
            return self.expected("\":\"");
        }
        let (mut choices, mut ended) = (Vec::new(), false);
        while self.peek().is_some() {
            if last.iter().any(|word| self.skip(word)) {
                ended = true;
            } else {
                let choice = read(self)?;
                choices.extend((!ended).then_some(choice));
            }
            if !self.skip(",") {
                break;
            }
        }
        Ok((choices, ended))
    }

    fn order(&mut self) -> Result<Order, Malformed> {
        if self.skip("WAIVE") {
            return Ok(Order::Waive);
        }
        if self.skip("BUILD") {
            return Ok(Order::Build { unit: Site { kind: self.kind(), at: self.node()? } });
        }
        if self.skip("REMOVE") {
            return Ok(Order::Remove { unit: self.named()? });
        }
        let unit = self.named()?;
        if self.skip("H") || self.skip("HOLD") || self.skip("HOLDS") {
            Ok(Order::Hold { unit })
        } else if self.skip("-") {
            self.move_of(unit)
        } else if self.skip("S") || self.skip("SUPPORTS") {
            self.support_by(unit)
        } else if self.skip("C") || self.skip("CONVOYS") {
            self.nationality();
            let army = self.named()?;
            if !self.skip("-") {
                return self.expected("\"-\"");
            }
            Ok(Order::Convoy { unit, army, to: self.node()? })
        } else if self.skip("COL") || self.skip("COLONIZE") {
            let target = if self.peek().is_some() { Some(self.node()?.province()) } else { None };
            Ok(Order::Colonize { unit, target })
        } else if self.skip("R") || self.skip("RETREAT") {
            Ok(Order::Retreat { unit, to: self.place()? })
        } else if self.skip("D") || self.skip("DISBAND") {
            Ok(Order::Disband { unit })
        } else {
            self.expected("an action (H, -, S, C, COL, R or D)")
        }
    }

    fn move_of(&mut self, unit: Named) -> Result<Order, Malformed> {
        let to = self.place()?;
        let via_convoy = self.skip("VIA");
        if via_convoy && !self.skip("CONVOY") {
            return self.expected("\"convoy\"");
        }
        Ok(Order::Move { unit, to, via_convoy })
    }

    fn support_by(&mut self, unit: Named) -> Result<Order, Malformed> {
        let nationality = self.nationality();
        let named_at = self.next.saturating_sub(1);
        let other = self.named()?;
        if !self.skip("-") {
            self.skip("H");
            return Ok(Order::SupportHold { unit, other });
        }
        let to = self.place()?;
        let of = match nationality {
            Some(word) if other.at == Place::Orbit => {
                let Some(code) = word.parse::<Code>().ok() else {
                    self.next = named_at;
                    return self.expected("the code of an empire, such as VEL");
                };
                Some(code)
            }
            _ => None,
        };
        Ok(Order::SupportMove { unit, other, of, to })
    }
}

/// Parses a place by its abbreviation, or by its English name if the name is one word.
fn read_node(word: &str) -> Option<Node> {
    let by_name = || {
        Province::ALL
            .into_iter()
            .find(|province| province.name().eq_ignore_ascii_case(word))
            .map(Province::node)
    };
    word.parse::<Node>().ok().or_else(by_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Order {
        read_orders(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))[0]
    }

    #[test]
    fn orders_survive_a_round_trip() {
        for text in [
            "A Par H",
            "A ORB H",
            "A Par - Bur",
            "A Lon - Bel via convoy",
            "A ORB - Par",
            "A Par - ORB",
            "F MAO - Spa/nc",
            "A Par S A Bur",
            "A Par S A Mar - Bur",
            "A Gas S A ORB - Par",
            "A Gas S VEL A ORB - Par",
            "F ENG C A Lon - Bel",
            "A Par COL",
            "F NTH COL Nwy",
            "A Vie R Boh",
            "A Vie R ORB",
            "A Vie D",
            "BUILD A Par",
            "BUILD F Stp/nc",
            "BUILD Par",
            "REMOVE A ORB",
            "WAIVE",
            "Par - Bur",
        ] {
            assert_eq!(read(text).to_string(), text);
            assert_eq!(read(&text.to_lowercase()), read(text), "whatever the case");
        }
    }

    #[test]
    fn common_notations_are_equivalent() {
        assert_eq!(read("  A  Par-Bur  # to the east"), read("A Par - Bur"));
        assert_eq!(read("F MAO - Spa(nc)"), read("F MAO - Spa/nc"));
        assert_eq!(read("A Paris - Burgundy"), read("A Par - Bur"));
        assert_eq!(
            read("A Par S Germany A Mun - Bur"),
            read("A Par S A Mun - Bur"),
            "4.C.5: nationality is ignored"
        );
        assert_eq!(read("F Lon S ENG F NTH"), read("F Lon S F NTH"));
        assert_eq!(read("A Par hold"), read("A Par H"));
        assert_eq!(read("A orbit - Par"), read("A ORB - Par"));
        assert_eq!(read_orders("\n# nothing\nWAIVE\n").unwrap(), [Order::Waive]);
    }

    #[test]
    fn d3_8_conditional_orders_survive_a_round_trip() {
        let read = |text: &str| {
            let read = read_commands(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            read[0].to_string()
        };
        for text in [
            "IF A Bud DISLODGED: Vie, Tri, D",
            "IF F MAO DISLODGED: Spa/nc",
            "IF Bud DISLODGED: ORB",
            "IF A Bud DISLODGED: D",
            "IF BUILDING: A Vie, F Stp/nc, Tri, WAIVE",
            "IF BUILDING: WAIVE",
            "IF REMOVING: Gal, ADR, ORB",
        ] {
            assert_eq!(read(text), text);
            assert_eq!(read(&text.to_lowercase().replace(", ", " ,")), text);
        }
        assert_eq!(read("if a bud dislodged:vie,disband,tri"), "IF A Bud DISLODGED: Vie, D");
        assert_eq!(read("IF REMOVING: A Gal, F ADR"), "IF REMOVING: Gal, ADR");
        let column = |text: &str| read_commands(text).unwrap_err().column;
        assert_eq!(column("IF A Bud: Vie"), 9);
        assert_eq!(column("IF A Bud DISLODGED Vie"), 20);
        assert_eq!(column("IF A Bud DISLODGED: Vie Tri"), 25);
        assert_eq!(column("IF BUILDING: A Vie, R"), 21);
    }

    #[test]
    fn faults_name_line_and_column() {
        let fault = |text: &str| {
            let fault = read_orders(text).unwrap_err();
            (fault.line, fault.column)
        };
        assert_eq!(fault("A Par H\nA Xyz H"), (2, 3));
        assert_eq!(fault("A Par -"), (1, 8));
        assert_eq!(fault("A Par - Bur via"), (1, 16));
        assert_eq!(fault("A Par H H"), (1, 9));
        assert_eq!(fault("A Gas S EMPIRE A ORB - Par"), (1, 9));
        assert_eq!(fault("ä Par H"), (1, 1));
        assert_eq!(fault(&"A Par H\n".repeat(20_000)), (1, 1));
    }
}
