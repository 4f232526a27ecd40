//! Which ships move, and where to.

use heliopause_kernel::Viewer;
use heliopause_stellar_conquest::{
    Command, Fleet, Order, RouteChoice, ShipKind, ShipNumber, StarId, StellarConquest, VoyageChoices,
};

use super::{Case, Does, Entry, Menu, Page, desk};
use crate::render::stellar_conquest::{palette, words};

/// So many destinations are listed before `more` is asked for.
const NEAREST: usize = 12;

/// Ships of one hex that move together.
#[derive(Clone, Debug)]
pub(super) struct Party {
    /// Which.
    ships: Vec<ShipNumber>,
    /// What they are.
    fleet: Fleet,
    /// Whether all destinations are listed.
    more: bool,
}

impl Party {
    pub(super) fn new(case: &Case, ships: Vec<ShipNumber>) -> Self {
        let fleet = desk::fleet(case, &ships);
        Self { ships, fleet, more: false }
    }

    /// The first question about them: which, if there are several.
    pub(super) fn page(self) -> Page {
        if self.ships.len() > 1 { Page::Which(self) } else { Page::Where(self) }
    }

    /// Some of them: so many of each kind, those with the lowest numbers.
    fn some(&self, case: &Case, wanted: Fleet) -> Self {
        let mut left = wanted;
        let power = case.view.power();
        let is_wanted = |number: &ShipNumber| {
            let kind = power.and_then(|power| power.ship(*number)).map(heliopause_stellar_conquest::Ship::kind);
            let chosen = kind.filter(|kind| left.count(*kind) > 0);
            if let Some(kind) = chosen {
                left.remove(kind);
            }
            chosen.is_some()
        };
        let ships: Vec<ShipNumber> = self.ships.iter().copied().filter(is_wanted).collect();
        Self::new(case, ships)
    }
}

/// Which of the ships move.
pub(super) fn which(case: &Case, party: &Party) -> Menu {
    let open = |party: Party| Does::Open(Page::Where(party));
    let mut entries = vec![Entry::new(format!("all: {}", words::fleet(party.fleet)), open(party.clone()))];
    let kinds: Vec<ShipKind> = ShipKind::ALL.into_iter().filter(|kind| party.fleet.count(*kind) > 0).collect();
    for kind in kinds.iter().filter(|_| kinds.len() > 1) {
        let mut fleet = Fleet::NONE;
        fleet.add(*kind, party.fleet.count(*kind));
        entries.push(Entry::new(format!("only {}", words::fleet_at_length(fleet)), open(party.some(case, fleet))));
    }
    Menu {
        lead: vec!["Which ships?".into()],
        entries,
        hint: "A number, or how many of each: 1 C 5 CT. Enter means all; back chooses others.".into(),
    }
}

/// "1 c 5 ct", "1c 5ct", "all", or nothing for all.
pub(super) fn read_which(case: &Case, party: &Party, line: &str) -> Option<Does> {
    if line.is_empty() || line == "all" {
        return Some(Does::Open(Page::Where(party.clone())));
    }
    let wanted = read_fleet(line)?;
    let lacking = ShipKind::ALL.into_iter().find(|kind| wanted.count(*kind) > party.fleet.count(*kind));
    if let Some(kind) = lacking {
        let there = format!("There are {} {} here.", party.fleet.count(kind), kind.letters());
        return Some(Does::Say(there));
    }
    Some(Does::Open(Page::Where(party.some(case, wanted))))
}

/// Numbers of ships by their letters; at least one of each.
fn read_fleet(line: &str) -> Option<Fleet> {
    let mut fleet = Fleet::NONE;
    let spaced: String = line.chars().map(|char| if char == ',' { ' ' } else { char }).collect();
    let mut number: Option<u32> = None;
    for word in spaced.split_whitespace() {
        let split = word.find(|char: char| !char.is_ascii_digit()).unwrap_or(word.len());
        let (digits, letters) = word.split_at(split);
        if !digits.is_empty() {
            number = Some(digits.parse().ok().filter(|number| *number > 0)?);
        }
        if !letters.is_empty() {
            let kind = ShipKind::ALL.into_iter().find(|kind| kind.letters().eq_ignore_ascii_case(letters))?;
            fleet.add(kind, number.take()?);
        }
    }
    (number.is_none() && !fleet.is_empty()).then_some(fleet)
}

/// A destination that all ships of a party have.
struct Target {
    star: StarId,
    route: RouteChoice,
    /// Whether the ships cannot be there as things stand, though they survive the way so far (7.1).
    far: bool,
}

/// Whether a star is out of range for some of the ships.
fn is_far(case: &Case, party: &Party, star: StarId) -> bool {
    let (Viewer::Seat(seat), Some(power)) = (case.view.viewer(), case.view.power()) else { return false };
    let bound = ShipKind::ALL.into_iter().any(|kind| kind.is_range_bound() && party.fleet.count(kind) > 0);
    bound && !Command::of(&case.view.table, seat, power).reaches(star.at())
}

/// The destinations that all ships of a party have, nearest first.
fn common(case: &Case, party: &Party) -> Vec<Target> {
    let with_them = |voyage: &&VoyageChoices| voyage.ships.iter().any(|ship| party.ships.contains(ship));
    let voyages: Vec<&VoyageChoices> = case.choices.voyages.iter().filter(with_them).collect();
    let Some((first, others)) = voyages.split_first() else { return Vec::new() };
    let mut targets: Vec<Target> = Vec::new();
    for route in &first.routes {
        let Some(star) = route.destination else { continue };
        let of_others: Option<Vec<&RouteChoice>> =
            others.iter().map(|voyage| voyage.routes.iter().find(|other| other.destination == Some(star))).collect();
        let Some(of_others) = of_others else { continue };
        let mut route = route.clone();
        for other in of_others {
            route.turns = route.turns.max(other.turns);
            route.safe = [route.safe, other.safe].into_iter().flatten().min();
        }
        let far = is_far(case, party, star);
        targets.push(Target { star, route, far });
    }
    let from = first.at.or_else(|| entry(case));
    targets.sort_by_key(|target| {
        let distance = from.map_or(0, |from| from.distance(target.star.at()));
        (target.route.safe.is_some() || target.far, target.route.turns, distance)
    });
    targets
}

/// Where ships from off the board begin.
fn entry(case: &Case) -> Option<heliopause_stellar_conquest::Place> {
    match case.view.viewer() {
        Viewer::Seat(seat) => case.view.table.entry(seat),
        _ => None,
    }
}

/// Where to.
pub(super) fn targets(case: &Case, party: &Party) -> Menu {
    let all = common(case, party);
    let shown = if party.more { all.len() } else { NEAREST };
    let entries = all.iter().take(shown).map(|target| target_entry(case, party, target)).collect();
    let more = if all.len() > shown { format!(" more lists all {}.", all.len()) } else { String::new() };
    Menu {
        lead: vec![format!("Where to with {}?", words::fleet(party.fleet))],
        entries,
        hint: format!("A number, or the name of any star.{more} back chooses other ships."),
    }
}

fn target_entry(case: &Case, party: &Party, target: &Target) -> Entry {
    let star = target.star;
    let turns = if target.route.turns <= 1 { "this turn".into() } else { format!("{} turns", target.route.turns) };
    let note = match target.route.safe {
        Some(0) => "out of command range",
        Some(_) => "out of command range; goes to its edge",
        None if target.far => "out of command range now",
        None => "",
    };
    let cells = vec![
        format!("{star} {}", star.at()),
        palette::colour_name(star.colour()).to_owned(),
        turns,
        known(case, star),
        note.to_owned(),
    ];
    Entry { cells, does: voyage(case, party, target) }
}

/// What is known of a star.
fn known(case: &Case, star: StarId) -> String {
    let Some(power) = case.view.power() else { return String::new() };
    let chart = power.chart(star);
    let Some(card) = chart.card else { return "unexplored".into() };
    let planet = |planet: &heliopause_stellar_conquest::Planet| {
        format!("{}{}{}", planet.kind.letters(), planet.capacity, if planet.mineral_rich { "*" } else { "" })
    };
    let mut known: Vec<String> = card.planets().iter().map(planet).collect();
    if known.is_empty() {
        known.push("no planets".into());
    }
    if power.colonies_of(star).next().is_some() {
        known.push("(yours)".into());
    }
    if chart.colonies.iter().any(Option::is_some) {
        known.push("(others')".into());
    }
    known.join(" ")
}

/// The movement to a destination, as far as it goes this turn without loss.
fn voyage(case: &Case, party: &Party, target: &Target) -> Does {
    if target.route.safe == Some(0) {
        return Does::Say(format!(
            "{} lies where these ships would be lost: only scouts go more than 8 hexes from a command post (7.1). \
             Set up posts at your colonies on the way.",
            target.star
        ));
    }
    let order = Order::Move(target.route.voyage(party.ships.clone(), target.route.safe.unwrap_or(usize::MAX)));
    match StellarConquest::judge_view(&case.view, &order) {
        Ok(()) => Does::Orders(vec![order]),
        Err(refusal) => Does::Say(format!("{} ({})", refusal.message, refusal.rule)),
    }
}

/// `more`, or the name of a star or its beginning.
pub(super) fn read_target(case: &Case, party: &Party, line: &str) -> Option<Does> {
    if line == "more" {
        return Some(Does::Open(Page::Where(Party { more: true, ..party.clone() })));
    }
    if line.len() < 2 || line.parse::<usize>().is_ok() {
        return None;
    }
    let exact = line.parse::<StarId>().ok();
    let begins = || {
        let mut found = StarId::all().filter(|star| star.name().to_lowercase().starts_with(line));
        found.next().filter(|_| found.next().is_none())
    };
    let star = exact.or_else(begins)?;
    let target = common(case, party).into_iter().find(|target| target.star == star);
    Some(match target {
        Some(target) => voyage(case, party, &target),
        None => Does::Say(format!("These ships cannot go to {star} now.")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fleets_are_read_by_their_letters() {
        let fleet = |scouts, transports, corvettes| Some(Fleet::new([scouts, transports, corvettes, 0, 0]));
        assert_eq!(read_fleet("1 c 5 ct"), fleet(0, 5, 1));
        assert_eq!(read_fleet("2s, 1C"), fleet(2, 0, 1));
        for wrong in ["", "c", "5", "5 x", "0 c", "5 ct 3"] {
            assert_eq!(read_fleet(wrong), None, "{wrong}");
        }
    }
}
