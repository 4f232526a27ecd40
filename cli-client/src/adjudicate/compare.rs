//! What differs between the answer of the engine and what a case expects.

use std::collections::BTreeMap;

use heliopause_proto::diplomacy::v1::{
    Dislodged as Driven, EndReason, LineReport, Power, Resolution, Unit, UnitKind, retreat_report,
};

use super::file::{Attacker, Dislodged, Expected, GameOver, Gone, LineResult, Lines, Owners, Step};
use super::play::listed;

/// What the powers of a case are called, in seat order.
pub(super) struct Names(Vec<String>);

impl Names {
    /// The powers of the standard game.
    pub(super) fn powers<const N: usize>(names: [&str; N]) -> Self {
        Self(names.map(str::to_owned).to_vec())
    }

    /// Empires by their codes.
    pub(super) fn empires(codes: Vec<String>) -> Result<Self, String> {
        match codes.iter().find(|code| code.len() != 3) {
            Some(wrong) => {
                Err(format!("`{wrong}` is no code of an empire: it has three letters or digits"))
            }
            None if codes.is_empty() => Err("the case names no empire".into()),
            None => Ok(Self(codes)),
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    /// The index of a power, by its name or its first three letters.
    pub(super) fn index(&self, name: &str) -> Result<usize, String> {
        let name = name.trim();
        let is = |own: &&String| {
            own.eq_ignore_ascii_case(name)
                || own.get(..3).is_some_and(|code| code.eq_ignore_ascii_case(name))
        };
        let known = || self.0.join(", ");
        let found = self.0.iter().position(|own| is(&own));
        found.ok_or_else(|| format!("`{name}` is none of the powers {}", known()))
    }

    /// The seat of a power.
    pub(super) fn seat(&self, name: &str) -> Result<u32, String> {
        self.index(name).map(|index| index as u32 + 1)
    }

    /// What a seat is called.
    fn of(&self, seat: u32) -> String {
        let name = (seat as usize).checked_sub(1).and_then(|index| self.0.get(index));
        name.cloned().unwrap_or_else(|| format!("seat {seat}"))
    }

    /// A name in one spelling; one that is unknown as it is.
    fn same(&self, name: &str) -> String {
        self.seat(name).map_or_else(|_| name.to_owned(), |seat| self.of(seat))
    }
}

/// One spelling for texts of orders, units and places.
fn plain(text: &str) -> String {
    let text = text.to_uppercase().replace('(', "/").replace(')', "").replace("ORBIT", "ORB");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn written(unit: &Unit) -> String {
    let letter = if unit.kind() == UnitKind::Fleet { 'F' } else { 'A' };
    format!("{letter} {}", unit.at)
}

/// All that differs, a sentence each.
pub(super) fn compare(
    step: &Step,
    found: &Resolution,
    names: &Names,
    colonizing: &[(u32, String)],
    explained: bool,
) -> Vec<String> {
    let expected = &step.expect;
    let mut differences = Differences { names, list: Vec::new() };
    differences.board(expected, found);
    differences.dislodged(expected, &found.dislodged);
    differences.moves(expected, &found.lines);
    differences.results(step, &found.lines);
    differences.disbanded(expected, found);
    differences.end_of_turn(expected, found, colonizing);
    if explained {
        differences.info(expected, &found.lines);
    }
    differences.list
}

struct Differences<'a> {
    names: &'a Names,
    list: Vec<String>,
}

impl Differences<'_> {
    /// Compares two lists as sets.
    fn sets(&mut self, what: &str, mut expected: Vec<String>, mut found: Vec<String>) {
        expected.sort();
        found.sort();
        self.lists(what, &expected, &found);
    }

    fn lists(&mut self, what: &str, expected: &[String], found: &[String]) {
        let spelled = |list: &[String]| list.iter().map(|text| plain(text)).collect::<Vec<_>>();
        let (mut one, mut other) = (spelled(expected), spelled(found));
        if one == other {
            return;
        }
        let told =
            |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        one.sort();
        other.sort();
        self.list.push(format!("{what}: expected {}; found {}", told(expected), told(found)));
    }

    fn board(&mut self, expected: &Expected, found: &Resolution) {
        if let Some(units) = &expected.units {
            let of = |power: &Power| {
                (self.names.of(power.seat), power.units.iter().map(written).collect())
            };
            let found: Lines = found.powers.iter().map(of).collect();
            let expected = units
                .iter()
                .map(|(power, units)| (self.names.same(power), units.clone()))
                .collect();
            self.lines("units", &expected, &found);
        }
        if let Some(orbit) = &expected.orbit {
            let text = |name: String, armies: u32| format!("{name} {armies}");
            let told = orbit.iter().filter(|(_, armies)| **armies > 0);
            let expected =
                told.map(|(power, armies)| text(self.names.same(power), *armies)).collect();
            let armed = found.powers.iter().filter(|power| power.orbit > 0);
            let found = armed.map(|power| text(self.names.of(power.seat), power.orbit)).collect();
            self.sets("orbit", expected, found);
        }
        let (powers, names) = (&found.powers, self.names);
        self.owners(
            "centers",
            expected.centers.as_ref(),
            owned(powers, names, |power| &power.centers),
        );
        self.owners(
            "colonies",
            expected.colonies.as_ref(),
            owned(powers, names, |power| &power.colonies),
        );
        if let Some(out) = &expected.eliminated {
            let expected = out.iter().map(|power| self.names.same(power)).collect();
            let found = found.eliminated.iter().map(|seat| self.names.of(*seat)).collect();
            self.sets("eliminated", expected, found);
        }
    }

    /// Compares lists by power, each as a set.
    fn lines(&mut self, what: &str, expected: &Lines, found: &Lines) {
        let spelled = |lines: &Lines| -> BTreeMap<String, Vec<String>> {
            let filled = lines.iter().filter(|(_, units)| !units.is_empty());
            let sorted = |units: &Vec<String>| {
                let mut units: Vec<String> = units.iter().map(|unit| plain(unit)).collect();
                units.sort();
                units
            };
            filled.map(|(power, units)| (power.clone(), sorted(units))).collect()
        };
        if spelled(expected) != spelled(found) {
            self.list.push(format!(
                "{what}: expected {}; found {}",
                listed(expected),
                listed(found)
            ));
        }
    }

    fn owners(&mut self, what: &str, expected: Option<&Owners>, found: Vec<String>) {
        let Some(expected) = expected else { return };
        let pair =
            |(province, power): (&str, &str)| format!("{province}={}", self.names.same(power));
        let expected = expected.pairs().into_iter().map(pair).collect();
        self.sets(what, expected, found);
    }

    fn dislodged(&mut self, expected: &Expected, found: &[Driven]) {
        let Some(expected) = &expected.dislodged else { return };
        // Whose the attacker was is compared only if the case says it.
        let whose =
            expected.iter().any(|one| matches!(one.by, Attacker::Of { empire: Some(_), .. }));
        let expected = expected.iter().map(|one| self.expected_dislodged(one, whose)).collect();
        let found = found.iter().map(|one| self.found_dislodged(one, whose)).collect();
        self.sets("dislodged", expected, found);
    }

    fn expected_dislodged(&self, one: &Dislodged, whose: bool) -> String {
        let (by, from) = match &one.by {
            Attacker::From(from) => (None, from),
            Attacker::Of { empire, from } => (empire.as_deref(), from),
        };
        let by = by.filter(|_| whose).map(|by| self.names.same(by));
        dislodged(&self.names.same(&one.power), &one.unit, by, from, &one.retreats)
    }

    fn found_dislodged(&self, one: &Driven, whose: bool) -> String {
        let owned = one.unit.clone().unwrap_or_default();
        let unit = owned.unit.as_ref().map(written).unwrap_or_default();
        let from = if one.attacked_from.is_empty() { "ORB" } else { &one.attacked_from };
        let by = whose.then(|| self.names.of(one.by));
        dislodged(&self.names.of(owned.seat), &unit, by, from, &one.retreats)
    }

    fn moves(&mut self, expected: &Expected, lines: &[LineReport]) {
        for (order, succeeds) in expected.moves.iter().flatten() {
            // Two powers may have written the same: then one of them is meant.
            let mut same = lines.iter().filter(|line| plain(&line.line) == plain(order)).peekable();
            let Some(line) = same.peek().copied() else {
                self.list.push(format!("moves: `{order}` is no order of this step"));
                continue;
            };
            if !same.any(|line| (line.result == "succeeds") == *succeeds) {
                let wanted = if *succeeds { "to succeed" } else { "to fail" };
                self.list.push(format!("moves: expected {order} {wanted}; found {}", line.text));
            }
        }
    }

    /// Results are listed power by power; within a power in the order of its lines.
    fn results(&mut self, step: &Step, lines: &[LineReport]) {
        let Some(results) = &step.expect.results else { return };
        for name in self.names.all() {
            let own = results.iter().filter(|result| self.names.same(&result.power) == *name);
            let found = lines.iter().filter(|line| self.names.of(line.seat) == *name).map(told);
            let adjusts = step.phase.to_lowercase().starts_with("adjustment");
            let (mut expected, mut found): (Vec<_>, Vec<_>) =
                (own.map(told_by_case).collect(), found.collect());
            if adjusts {
                expected.sort();
                found.sort();
            }
            let alike = expected.len() == found.len()
                && expected.iter().zip(&found).all(|(one, other)| one.is(other));
            if !alike {
                let list =
                    |told: &[Told]| told.iter().map(Told::text).collect::<Vec<_>>().join(", ");
                let difference = format!(
                    "results of {name}: expected {}; found {}",
                    list(&expected),
                    list(&found)
                );
                self.list.push(difference);
            }
        }
        let stranger = results.iter().find(|result| self.names.seat(&result.power).is_err());
        self.list.extend(
            stranger.map(|result| format!("results: `{}` is no power of this case", result.power)),
        );
    }

    fn disbanded(&mut self, expected: &Expected, found: &Resolution) {
        let Some(gone) = &expected.disbanded else { return };
        let expected = gone
            .iter()
            .map(|gone| match gone {
                Gone::Text(text) => {
                    let (power, unit) = text.split_once(' ').unwrap_or((text, ""));
                    format!("{} {unit}", self.names.same(power))
                }
                Gone::Parts { power, unit } => format!("{} {unit}", self.names.same(power)),
            })
            .collect();
        let is_gone = |fate: &Option<retreat_report::Fate>| {
            matches!(fate, Some(retreat_report::Fate::Disbanded(_)))
        };
        let gone = found.retreats.iter().filter(|report| is_gone(&report.fate));
        let unit = gone.map(|report| {
            let owned = report.unit.clone().unwrap_or_default();
            format!(
                "{} {}",
                self.names.of(owned.seat),
                owned.unit.as_ref().map(written).unwrap_or_default()
            )
        });
        let found = unit.collect();
        self.sets("disbanded", expected, found);
    }

    fn end_of_turn(
        &mut self,
        expected: &Expected,
        found: &Resolution,
        colonizing: &[(u32, String)],
    ) {
        if let Some(results) = &expected.colonize {
            let text = |power: &str, order: &str, result: &str| format!("{power} {order} {result}");
            let expected = results
                .iter()
                .map(|one| text(&self.names.same(&one.power), &one.order, &one.result))
                .collect();
            let reports = found.turn_ended.iter().flat_map(|ended| &ended.colonizing);
            let found = colonizing
                .iter()
                .zip(reports)
                .map(|((seat, order), report)| {
                    let result = if report.fault == 0 { "colonized" } else { "fails" };
                    text(&self.names.of(*seat), order, result)
                })
                .collect();
            self.sets("colonize", expected, found);
        }
        if let Some(over) = &expected.game_over {
            let expected =
                over.as_ref().map_or_else(|| vec!["no".to_owned()], |over| self.over(over));
            let found = match &found.ending {
                None => vec!["no".to_owned()],
                Some(ending) => {
                    let won =
                        matches!(ending.reason(), EndReason::Centers | EndReason::LastStanding);
                    let winners = ending.winners.iter().map(|seat| self.names.of(*seat));
                    winners
                        .map(|name| format!("{} {name}", if won { "winner" } else { "draw" }))
                        .collect()
                }
            };
            self.sets("game over", expected, found);
        }
    }

    fn over(&self, over: &GameOver) -> Vec<String> {
        match over {
            GameOver::Winner(name) => vec![format!("winner {}", self.names.same(name))],
            GameOver::Draw(names) => {
                names.iter().map(|name| format!("draw {}", self.names.same(name))).collect()
            }
        }
    }

    fn info(&mut self, expected: &Expected, lines: &[LineReport]) {
        for (order, word) in expected.info.iter().flatten() {
            let mut same = lines.iter().filter(|line| plain(&line.line) == plain(order)).peekable();
            let Some(line) = same.peek().copied() else { continue };
            let wanted = Told { order: plain(order), result: word.clone(), reason: None };
            if !same.any(|line| wanted.is(&Told { reason: None, ..told(line) })) {
                self.list.push(format!("info: expected {order} {word}; found {}", line.text));
            }
        }
    }
}

fn owned(powers: &[Power], names: &Names, of: impl Fn(&Power) -> &Vec<String>) -> Vec<String> {
    let pairs =
        powers.iter().flat_map(|power| of(power).iter().map(|province| (province, power.seat)));
    pairs.map(|(province, seat)| format!("{province}={}", names.of(seat))).collect()
}

fn dislodged(
    power: &str,
    unit: &str,
    by: Option<String>,
    from: &str,
    retreats: &[String],
) -> String {
    let mut retreats: Vec<String> = retreats.iter().map(|to| plain(to)).collect();
    retreats.sort();
    let from = from.split('/').next().unwrap_or_default();
    let by = by.map_or_else(String::new, |by| format!("{by} "));
    format!("{power} {unit} by {by}{from} to [{}]", retreats.join(" "))
}

/// A line and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    order: String,
    result: String,
    reason: Option<String>,
}

impl Told {
    /// Whether two results are the same. Of supports and convoys it does not matter whether they
    /// are called void or illegal; a line of adjustments that is illegal fails.
    fn is(&self, other: &Self) -> bool {
        let helps = self.order.contains(" S ") || self.order.contains(" C ");
        let both =
            |words: [&str; 2]| words.contains(&&*self.result) && words.contains(&&*other.result);
        let same = self.result == other.result
            || both(["illegal", "fails"])
            || helps && both(["void", "illegal"]);
        self.order == other.order && same && self.is_jammed() == other.is_jammed()
    }

    /// The only reason that cases write down.
    fn is_jammed(&self) -> bool {
        self.reason.as_deref() == Some("jammed")
    }

    fn text(&self) -> String {
        let jammed = if self.is_jammed() { " (jammed)" } else { "" };
        format!("{} {}{jammed}", self.order, self.result)
    }
}

fn told_by_case(result: &LineResult) -> Told {
    let of_removal = result.result.strip_prefix("removed ");
    let word = of_removal
        .map_or_else(|| result.result.to_lowercase(), |unit| format!("removed {}", plain(unit)));
    Told { order: plain(&result.order), result: word, reason: result.reason.clone() }
}

fn told(line: &LineReport) -> Told {
    let reason = Some(line.reason.clone()).filter(|reason| !reason.is_empty());
    match &line.unit {
        Some(unit) if line.line.is_empty() => Told {
            order: plain("(civil disorder)"),
            result: format!("removed {}", plain(&written(unit))),
            reason,
        },
        _ => Told { order: plain(&line.line), result: line.result.clone(), reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(order: &str, result: &str) -> Told {
        Told { order: plain(order), result: result.to_owned(), reason: None }
    }

    #[test]
    fn void_and_illegal_are_alike_for_supports_and_convoys_only() {
        assert!(told("A Par S A Mar - Bur", "void").is(&told("a par  s a mar - bur", "illegal")));
        assert!(told("F ENG C A Lon - Bel", "illegal").is(&told("F ENG C A Lon - Bel", "void")));
        assert!(!told("A Par - Bur", "void").is(&told("A Par - Bur", "illegal")));
        assert!(!told("A Par S A Mar - Bur", "void").is(&told("A Par S A Mar - Bur", "given")));
    }

    #[test]
    fn names_are_read_in_several_ways() {
        let names = Names::powers(["Austria", "England"]);
        assert_eq!((names.seat("ENG"), names.seat("england")), (Ok(2), Ok(2)));
        assert!(names.seat("Spain").is_err());
        assert!(Names::empires(vec!["ZORG".into()]).is_err());
    }

    #[test]
    fn places_have_one_spelling() {
        assert_eq!(plain("F Spa(nc)"), plain("f spa/nc"));
        assert_eq!(plain("A Orbit - Par"), plain("A ORB - Par"));
    }
}
