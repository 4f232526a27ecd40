//! Reading the results of a finished game from its table and its journal.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heliopause_proto::store::v1::{Entry, PublishedEvent, Step, entrant, step};
use heliopause_proto::v1::{SeatChange, SeatChanged, event, seat};
use heliopause_table::{Fault, SeatResult};
use prost::Message as _;

use super::DECISIONS_KEPT;
use crate::host::{load_from, unreadable};
use crate::store::{Millis, Store};

const PAGE: usize = 512;
const PAGE_BYTES: usize = 4 << 20;
/// The maximum length of a stored opening, and the maximum number of designs per game.
const OPENING_CHARS: usize = 200;
const DESIGNS: usize = 12;

/// The results of a finished game.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    pub(super) ladder: String,
    pub(super) rated: bool,
    pub(super) seats: Vec<Finish>,
}

/// The result of one seat, for the occupant at the start.
#[derive(Clone, Debug, Default)]
pub(super) struct Finish {
    /// The player id, or "bot:PROFILE/LEVEL".
    pub(super) entity: String,
    pub(super) place: u32,
    pub(super) won: bool,
    pub(super) drawn: bool,
    pub(super) left: bool,
    pub(super) answered: u32,
    pub(super) missed: u32,
    pub(super) seconds: VecDeque<u32>,
    /// The roles and openings that the player chose.
    pub(super) choices: Vec<(String, String)>,
}

impl Finish {
    pub(super) fn is_player(&self) -> bool {
        !self.entity.starts_with(super::BOT)
    }
}

/// Returns the ladder of a kind and a number of players' seats.
pub(super) fn ladder(kind: &str, seats: usize) -> String {
    let size = match seats {
        0 | 1 => "1",
        2 => "2",
        _ => "3+",
    };
    format!("{kind}/{size}")
}

pub(super) async fn read(store: &dyn Store, game_id: &str) -> Result<Results, Fault> {
    let table = load_from(store, game_id).await?;
    let results = table.results();
    let mut seats: BTreeMap<u32, Observed> =
        results.iter().map(|result| (result.seat.number(), Observed::of(result))).collect();
    let mut last = 0;
    while last < table.entry() {
        let page = store.entries(game_id, last, PAGE, PAGE_BYTES).await?;
        for stored in &page {
            let entry = Entry::decode(stored.clone()).map_err(|_| unreadable())?;
            observe(&mut seats, &entry);
        }
        if page.is_empty() {
            break;
        }
        last += page.len() as u64;
    }
    let kind = table.kind().id;
    let finish =
        |result: SeatResult<'_>| Some(seats.remove(&result.seat.number())?.finish(kind, &result));
    Ok(Results {
        ladder: ladder(kind, table.player_seats()),
        rated: table.counts_for_ratings(),
        seats: results.into_iter().filter_map(finish).collect(),
    })
}

/// What the journal says about a seat while its first player has it.
#[derive(Default)]
struct Observed {
    player_id: String,
    gone: bool,
    opened: Option<Millis>,
    acted: Option<Millis>,
    answered: u32,
    missed: u32,
    seconds: VecDeque<u32>,
    /// The latest order of each unit in the first decision, until it closes.
    opening: BTreeMap<String, String>,
    opening_closed: bool,
    designs: BTreeSet<String>,
}

impl Observed {
    fn of(result: &SeatResult<'_>) -> Self {
        let player_id = match result.entrant {
            entrant::Who::Player(person) => person.player_id.clone(),
            entrant::Who::Automated(_) => String::new(),
        };
        Self { gone: player_id.is_empty(), player_id, ..Self::default() }
    }

    fn closed(&mut self) {
        self.opening_closed |= !self.opening.is_empty();
        let (opened, acted) = (self.opened.take(), self.acted.take());
        let Some((opened, acted)) = opened.zip(acted) else { return };
        self.answered += 1;
        if self.seconds.len() == DECISIONS_KEPT {
            self.seconds.pop_front();
        }
        let seconds = (acted - opened).max(0) / 1_000;
        self.seconds.push_back(u32::try_from(seconds).unwrap_or(u32::MAX));
    }

    fn ordered(&mut self, notation: &[String]) {
        if !self.opening_closed && notation.is_empty() {
            self.opening.clear();
        }
        for order in notation {
            if let Some(design) = design(order).filter(|_| self.designs.len() < DESIGNS) {
                self.designs.insert(design);
            }
            if !self.opening_closed {
                self.opening.insert(unit(order).to_owned(), order.clone());
            }
        }
    }

    fn finish(self, kind: &str, result: &SeatResult<'_>) -> Finish {
        let entity = match result.entrant {
            entrant::Who::Player(person) => person.player_id.clone(),
            entrant::Who::Automated(by) => format!("{}{}/{}", super::BOT, by.profile, by.level),
        };
        let role = result.role.to_owned();
        let opening: Vec<String> = self.opening.into_values().collect();
        let opening = opening.join(", ");
        let mut choices = Vec::new();
        if !self.player_id.is_empty() && !role.is_empty() {
            choices.push((role.clone(), String::new()));
        }
        if OPENINGS.contains(&kind) && (1..=OPENING_CHARS).contains(&opening.chars().count()) {
            choices.push((role.clone(), opening));
        }
        choices.extend(self.designs.into_iter().map(|design| (role.clone(), design)));
        Finish {
            entity,
            place: result.place,
            won: result.won,
            drawn: result.drawn,
            left: result.left,
            answered: self.answered,
            missed: self.missed,
            seconds: self.seconds,
            choices,
        }
    }
}

/// The kinds whose first orders are an opening.
const OPENINGS: [&str; 1] = ["diplomacy"];

/// Returns the unit of an order of Diplomacy, for example "A Vie" of "A Vie-Gal".
fn unit(order: &str) -> &str {
    let end = order.char_indices().skip(2).find(|(_, c)| matches!(c, ' ' | '-'));
    end.map_or(order, |(at, _)| &order[..at])
}

/// Returns the hull and the ratings of an order that designs a class of ships.
fn design(order: &str) -> Option<String> {
    let words: Vec<&str> = order.strip_prefix("DESIGN ")?.split(' ').collect();
    let hull = words.iter().rposition(|word| word.parse::<u32>().is_err())?;
    Some(words[hull..].join(" ").chars().take(OPENING_CHARS).collect())
}

fn observe(seats: &mut BTreeMap<u32, Observed>, entry: &Entry) {
    let now = entry.time.as_ref().map_or(0, |time| {
        time.seconds.saturating_mul(1_000).saturating_add(Millis::from(time.nanos / 1_000_000))
    });
    let step = entry.step.as_ref();
    if let Some((by, seat)) = step.and_then(acting)
        && let Some(seat) = seats.get_mut(&seat).filter(|seat| seat.player_id == by)
    {
        seat.acted = Some(now);
    }
    for published in &entry.events {
        let Some(body) = published.event.as_ref().and_then(|event| event.body.as_ref()) else {
            continue;
        };
        if let event::Body::SeatChanged(changed) = body {
            if published.spectators {
                seat_changed(seats, changed);
            }
            continue;
        }
        let Some(seat) = reader(published).and_then(|number| seats.get_mut(&number)) else {
            continue;
        };
        match body {
            _ if seat.gone => {}
            event::Body::DecisionOpened(_) => (seat.opened, seat.acted) = (Some(now), None),
            event::Body::DecisionClosed(_) => seat.closed(),
            event::Body::OrdersAccepted(accepted) if accepted.automation.is_empty() => {
                seat.ordered(&accepted.notation);
            }
            _ => {}
        }
    }
}

/// Returns the actor and the seat of a step that answers a decision.
fn acting(step: &Step) -> Option<(&str, u32)> {
    match step.kind.as_ref()? {
        step::Kind::OrdersGiven(given) => Some((&step.by, given.seat)),
        step::Kind::FlagSet(flag) if flag.ready == Some(true) => Some((&step.by, flag.seat)),
        _ => None,
    }
}

/// Returns the only seat that receives an event.
fn reader(published: &PublishedEvent) -> Option<u32> {
    let alone = published.seats.is_power_of_two() && !published.spectators;
    alone.then(|| published.seats.trailing_zeros() + 1)
}

fn seat_changed(seats: &mut BTreeMap<u32, Observed>, changed: &SeatChanged) {
    let Some(now) = &changed.seat else { return };
    let Some(seat) = seats.get_mut(&now.number).filter(|seat| !seat.gone) else { return };
    match changed.change() {
        SeatChange::MissedDeadline => seat.missed += 1,
        SeatChange::Replaced => seat.gone = true,
        SeatChange::Resigned | SeatChange::Automated | SeatChange::AccountDeleted => {
            seat.gone = !matches!(now.occupant, Some(seat::Occupant::Player(_)));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::{FlagSet, OrdersGiven, Person};
    use heliopause_proto::v1::{
        DecisionClosed, DecisionOpened, Event, OrdersAccepted, Seat as SeatMessage,
    };
    use prost_types::Timestamp;

    use super::*;

    #[test]
    fn ladders_differ_by_the_number_of_seats() {
        let ladders = [1, 2, 3, 7].map(|seats| ladder("go", seats));
        assert_eq!(ladders, ["go/1", "go/2", "go/3+", "go/3+"]);
    }

    #[test]
    fn units_and_designs_are_read_from_notations() {
        assert_eq!(unit("A Vie-Gal"), "A Vie");
        assert_eq!(unit("F StP/sc S A Mos-Lvn"), "F StP/sc");
        assert_eq!(unit("waive"), "waive");
        let of = |order| design(order).unwrap_or_default();
        assert_eq!(of("DESIGN Alpha frigate gunship 20 15 4 2 0"), "gunship 20 15 4 2 0");
        assert_eq!(of("DESIGN Alpha lance missile 20 3"), "missile 20 3");
        assert_eq!(of("BUILD Alpha 3 frigate"), "");
        assert_eq!(of("DESIGN 1 2"), "");
    }

    fn to(seat: u32, body: event::Body) -> PublishedEvent {
        let event = Some(Event { body: Some(body), ..Event::default() });
        PublishedEvent { seats: 1 << (seat - 1), event, ..PublishedEvent::default() }
    }

    fn at(seconds: i64, by: &str, kind: step::Kind, events: Vec<PublishedEvent>) -> Entry {
        let step = Some(Step { by: by.to_owned(), kind: Some(kind), ..Step::default() });
        let time = Some(Timestamp { seconds, nanos: 0 });
        Entry { time, step, events, ..Entry::default() }
    }

    #[test]
    fn decisions_are_timed_until_the_player_answers() {
        let opened = || to(1, event::Body::DecisionOpened(DecisionOpened::default()));
        let closed = || to(1, event::Body::DecisionClosed(DecisionClosed::default()));
        let accepted = |automation: &str, order: &str| {
            let (automation, notation) = (automation.to_owned(), vec![order.to_owned()]);
            to(
                1,
                event::Body::OrdersAccepted(OrdersAccepted {
                    automation,
                    notation,
                    ..OrdersAccepted::default()
                }),
            )
        };
        let given = || step::Kind::OrdersGiven(OrdersGiven { seat: 1, ..OrdersGiven::default() });
        let ready = || {
            let ready = Some(true);
            step::Kind::FlagSet(FlagSet { seat: 1, ready, ..FlagSet::default() })
        };
        let who = entrant::Who::Player(Person { player_id: "ann".into(), name: "Ann".into() });
        let result = SeatResult {
            seat: heliopause_kernel::Seat::at(0),
            entrant: &who,
            role: "Austria",
            place: 1,
            won: true,
            drawn: false,
            left: false,
        };
        let mut seats = BTreeMap::from([(1, Observed::of(&result))]);
        let changed = |change: SeatChange, occupant| {
            let seat = Some(SeatMessage { number: 1, occupant, ..SeatMessage::default() });
            let body = event::Body::SeatChanged(SeatChanged { seat, change: change.into() });
            PublishedEvent { spectators: true, ..to(1, body) }
        };
        let player = || Some(seat::Occupant::Player("Ann".to_owned()));
        for entry in [
            at(10, "ann", given(), vec![opened()]),
            at(20, "ann", given(), vec![accepted("", "A Vie-Tri")]),
            at(25, "ann", given(), vec![accepted("", "A Vie-Gal"), accepted("", "A Bud H")]),
            at(50, "ann", ready(), vec![closed(), opened()]),
            at(60, "ann", given(), vec![accepted("", "A Gal-War"), closed(), opened()]),
            at(90, "", given(), vec![changed(SeatChange::MissedDeadline, player())]),
            at(91, "worker", given(), vec![accepted("captain", "A War H"), closed(), opened()]),
            at(95, "", given(), vec![changed(SeatChange::Resigned, None)]),
            at(96, "eve", given(), vec![accepted("", "A War H"), closed(), opened()]),
            at(97, "", given(), vec![changed(SeatChange::MissedDeadline, player())]),
        ] {
            observe(&mut seats, &entry);
        }
        let finish = seats.remove(&1).unwrap().finish("diplomacy", &result);
        assert_eq!((finish.answered, finish.missed), (2, 1));
        assert_eq!(finish.seconds, [40, 10]);
        let choices = [("Austria", ""), ("Austria", "A Bud H, A Vie-Gal")];
        let choices = choices.map(|(role, opening)| (role.to_owned(), opening.to_owned()));
        assert_eq!(finish.choices, choices);
        assert!(finish.is_player() && finish.won);
    }
}
