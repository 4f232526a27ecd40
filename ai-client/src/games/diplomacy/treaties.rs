//! Agreements made by messages, kept in the memo from phase to phase.
//!
//! The lines `peace?` and `dmz Bur Pie?` are proposals, in upper or lower case. A demilitarized
//! zone (dmz) is a list of provinces that both sides stay out of. An answer is never a proposal, so
//! two bots cannot exchange messages without end.
//!
//! An agreement binds both sides alike until the end of the year, or of the next year if made after
//! the fall movement. It ends at once when the other side breaks it.
//!
//! The bot keeps a record of each power for eight years: the phases in which it attacked, and those
//! in which it could have attacked and did not. It makes agreements only with a power that spared
//! the bot for two years and did not attack it for three. Even then, it refuses:
//!
//! - a power that the bot must attack to win,
//! - a power with too few units next to the bot's centers, fewer than twice as many as the bot has
//!   next to that power's centers,
//! - a power that has more centers or is close to victory,
//! - a power that broke an agreement in recent years.

use std::collections::BTreeMap;

use bytes::{Buf as _, TryGetError};
use heliopause_diplomacy::{Phase, Position, PressRule, Province, Provinces, Table, centers};
use heliopause_kernel::{Seat, SeatSet};

use super::conduct::{Conduct, PhaseConduct, Turn, next_turn};
use super::survey::{Survey, entered};
use crate::bot::{ReceivedMessage, Reply};
use crate::games::letters::{replies, unanswered};

const ZONE_MAX: usize = 8;
/// The bot refuses peace to a power that needs fewer centers than this for victory.
const NEAR_VICTORY: usize = 4;
/// Minimum ratio of the other side's threatening units to the viewer's. With a ratio of 1, a power
/// could gain by breaking the agreement.
const MIN_THREAT_RATIO: usize = 2;
const DISTRUST: u16 = 8;
/// Number of movement phases (two years) in which a power must spare the bot to be trusted. An
/// aggressive power rarely spares a neighbor for that long.
const SPARED_PHASES: Turn = 4;
/// Number of movement phases (three years) for which the bot refuses agreements after an attack.
const ATTACKED_PHASES: Turn = 6;
const ENTRY_BYTES: usize = 31;

const HINT: &str =
    "You can send \"peace?\", or \"dmz Bur Pie?\" with any provinces, each on its own line.";
const BINDS_US_MORE: &str = "No: it would bind us more than you.";
const EXPIRED: &str = "Our agreement for last year is over. Propose it again if you like.";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Treaties {
    last_answered: u64,
    hinted: SeatSet,
    centers: Provinces,
    /// The last movement phase in the records.
    recorded: Turn,
    terms: BTreeMap<Seat, Terms>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Terms {
    peace: Term,
    empty: Term,
    zone: Provinces,
    /// The year in which the power last broke an agreement, or 0.
    broken: u16,
    record: Record,
}

/// What a power did in the last 16 recorded movement phases, newest in the lowest bit. Phases that
/// the bot did not see are in neither set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Record {
    attacked: u16,
    spared: u16,
}

impl Record {
    fn age(&mut self, phases: Turn) {
        let aged = |bits: u16| bits.checked_shl(phases.into()).unwrap_or(0);
        *self = Self { attacked: aged(self.attacked), spared: aged(self.spared) };
    }
}

/// Returns a set of the newest phases, as in a [`Record`].
fn newest(phases: Turn) -> u16 {
    1_u16.checked_shl(phases.into()).map_or(u16::MAX, |bit| bit - 1)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Term {
    last: u16,
    from: Turn,
}

impl Term {
    fn holds(self) -> bool {
        self.last > 0
    }

    fn agree(&mut self, table: &Table) {
        if !self.holds() {
            self.from = next_turn(table);
        }
        self.last = last_year(table);
    }
}

impl Terms {
    fn end(&mut self) {
        *self = Self { broken: self.broken, record: self.record, ..Self::default() };
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    Peace,
    /// `None` if a word is not a province.
    Zone(Option<Provinces>),
}

impl Proposal {
    fn all_in(text: &str) -> impl Iterator<Item = Self> {
        text.lines().filter_map(|line| {
            let line = line.trim().to_ascii_lowercase();
            let words = line.strip_suffix('?')?.trim();
            match words.strip_prefix("dmz ") {
                Some(names) => {
                    let names = names.split([' ', ',']).filter(|name| !name.is_empty());
                    Some(Self::Zone(names.map(|name| name.parse().ok()).collect()))
                }
                None => (words == "peace").then_some(Self::Peace),
            }
        })
    }
}

impl Treaties {
    /// Reads a memo. Treats a damaged memo, or one of another game, as empty.
    pub(super) fn read(memo: &[u8], powers: usize) -> Self {
        Self::try_read(memo, powers).unwrap_or_default()
    }

    fn try_read(mut memo: &[u8], powers: usize) -> Result<Self, TryGetError> {
        let (last_answered, hinted) = (memo.try_get_u64_le()?, memo.try_get_u64_le()?);
        let (centers, recorded) =
            (read_set(memo.try_get_u128_le()?), memo.try_get_u16_le()?.min(20_000));
        let hinted = SeatSet::from_bits(hinted).intersection(SeatSet::first(powers));
        let entry = |mut entry: &[u8]| {
            let seat = Seat::numbered(entry.get_u8().into());
            let mut term = || Term { last: entry.get_u16_le(), from: entry.get_u16_le() };
            let (peace, empty) = (term(), term());
            let (broken, zone) = (entry.get_u16_le(), read_set(entry.get_u128_le()));
            let record = Record { attacked: entry.get_u16_le(), spared: entry.get_u16_le() };
            // Years are bounded so that additions cannot overflow.
            let sound = [peace.last, empty.last, broken].iter().all(|&year| year < 10_000);
            let seat = seat.filter(|seat| sound && seat.index() < powers)?;
            Some((seat, Terms { peace, empty, zone, broken, record }))
        };
        let terms = memo.chunks_exact(ENTRY_BYTES).filter_map(entry).collect();
        Ok(Self { last_answered, hinted, centers, recorded, terms })
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut memo = [self.last_answered, self.hinted.bits()].map(u64::to_le_bytes).concat();
        memo.extend(write_set(self.centers));
        memo.extend(self.recorded.to_le_bytes());
        for (seat, terms) in &self.terms {
            let Terms { peace, empty, zone, broken, record } = *terms;
            memo.push(seat.number() as u8);
            let years = [peace.last, peace.from, empty.last, empty.from, broken];
            memo.extend(years.map(u16::to_le_bytes).concat());
            memo.extend(write_set(zone));
            memo.extend([record.attacked, record.spared].map(u16::to_le_bytes).concat());
        }
        memo
    }

    pub(super) fn centers(&self) -> Provinces {
        self.centers
    }

    /// Ends agreements that were broken, have expired or would help a power to win. Returns their
    /// powers, with reasons.
    pub(super) fn review(
        &mut self,
        survey: &Survey<'_>,
        conduct: &Conduct,
    ) -> Vec<(Seat, &'static str)> {
        self.remember(conduct);
        let (position, year, recorded) = (survey.position, survey.table.year, self.recorded);
        let lost = self.aggressors(survey);
        let mut ended = Vec::new();
        for (&seat, terms) in &mut self.terms {
            let since = newest((recorded + 1).saturating_sub(terms.peace.from));
            let attacked = lost.contains(seat) || terms.record.attacked & since != 0;
            let stands = |at: Province| position.unit(at).is_some_and(|unit| unit.owner == seat);
            let entered = terms.zone.iter().any(stands)
                || conduct.entered_since(seat, terms.zone, terms.empty.from);
            let why = if terms.peace.holds() && attacked {
                terms.broken = year;
                "You attacked us: the peace is over."
            } else if terms.empty.holds() && entered {
                terms.broken = year;
                "You entered the demilitarized zone: our agreement is over."
            } else if terms.peace.holds() && is_near_victory(survey, seat) {
                "You are too close to victory: the peace is over."
            } else if [terms.peace, terms.empty].iter().any(|term| term.holds() && term.last < year)
            {
                EXPIRED
            } else {
                continue;
            };
            terms.end();
            ended.push((seat, why));
        }
        self.terms.retain(|_, terms| *terms != Terms::default());
        self.centers = position.centers_of(survey.me);
        ended
    }

    /// Adds the phases since the last one to the records.
    fn remember(&mut self, conduct: &Conduct) {
        for PhaseConduct { turn, attacked, spared, .. } in conduct.phases() {
            let Some(passed) = turn.checked_sub(self.recorded).filter(|&passed| passed > 0) else {
                continue;
            };
            self.recorded = *turn;
            self.terms.values_mut().for_each(|terms| terms.record.age(passed));
            for seat in attacked.iter() {
                self.terms.entry(seat).or_default().record.attacked |= 1;
            }
            for seat in spared.iter() {
                self.terms.entry(seat).or_default().record.spared |= 1;
            }
        }
    }

    /// Returns the phases that are not in the records, although they are over.
    fn missed(&self, table: &Table) -> Turn {
        next_turn(table).saturating_sub(self.recorded + 1)
    }

    fn aggressors(&self, survey: &Survey<'_>) -> SeatSet {
        let position = survey.position;
        let centers = position.centers_of(survey.me).union(self.centers);
        let taken = centers.iter().filter_map(|at| position.centers[at.index()]);
        let entered = centers.iter().filter_map(|at| position.unit(at)).map(|unit| unit.owner);
        let dislodged = survey.table.dislodged.iter();
        let driven_out = dislodged.filter(|one| one.unit.owner == survey.me).map(|one| one.by);
        taken.chain(entered).chain(driven_out).filter(|&seat| seat != survey.me).collect()
    }

    fn friends(&self) -> SeatSet {
        let friends = self.terms.iter().filter(|(_, terms)| terms.peace.holds());
        friends.map(|(&seat, _)| seat).collect()
    }

    pub(super) fn closed(&self, position: &Position) -> Provinces {
        let zones = self.terms.values().fold(Provinces::EMPTY, |all, terms| all.union(terms.zone));
        self.friends().iter().fold(zones, |all, seat| {
            let units: Provinces = position.units_of(seat).map(|unit| unit.at.province()).collect();
            all.union(position.centers_of(seat)).union(units)
        })
    }

    pub(super) fn correspond(
        &mut self,
        survey: &Survey<'_>,
        incoming: &[ReceivedMessage],
        ended: Vec<(Seat, &'static str)>,
    ) -> Vec<Reply> {
        if survey.table.options.press != PressRule::Full {
            return Vec::new();
        }
        let mut said: BTreeMap<Seat, Vec<&'static str>> = BTreeMap::new();
        for (seat, why) in ended {
            said.entry(seat).or_default().push(why);
        }
        let alive = survey.active.without(survey.me);
        for (from, text) in unanswered(incoming, &mut self.last_answered, alive) {
            let lines = said.entry(from).or_default();
            for proposal in Proposal::all_in(text) {
                lines.push(self.answer(survey, from, proposal));
            }
            if lines.is_empty() && self.hinted.insert(from) {
                lines.push(HINT);
            }
        }
        said.retain(|&seat, lines| alive.contains(seat) && !lines.is_empty());
        replies(&said)
    }

    fn answer(&mut self, survey: &Survey<'_>, from: Seat, proposal: Proposal) -> &'static str {
        let table = survey.table;
        let terms = self.terms.get(&from).copied().unwrap_or_default();
        let refused = match proposal {
            Proposal::Zone(None) => return "One of these is not a province.",
            Proposal::Peace if terms.peace.last >= last_year(table) => {
                return "Agreed: we are already at peace.";
            }
            _ if terms.broken > 0 && table.year < terms.broken.saturating_add(DISTRUST) => {
                Some("No: you broke your word.")
            }
            Proposal::Peace => {
                // At least one power must remain as an opponent.
                let others = survey.active.without(survey.me).len();
                let last = self.friends().without(from).len() + 1 >= others;
                last.then_some("No: we would have no opponents left.")
            }
            Proposal::Zone(Some(zone)) => refused_zone(survey, from, zone, terms.zone),
        };
        if let Some(why) = refused.or_else(|| self.refusal(survey, from)) {
            return why;
        }
        let terms = self.terms.entry(from).or_default();
        match proposal {
            Proposal::Peace => {
                terms.peace.agree(table);
                "Agreed: peace for this year, as long as you attack neither our centers nor \
                    our units."
            }
            Proposal::Zone(zone) => {
                terms.empty.agree(table);
                terms.zone = terms.zone.union(zone.unwrap_or(Provinces::EMPTY));
                "Agreed: we stay out of these provinces this year as long as you do."
            }
        }
    }

    /// Returns the reason to refuse any agreement with a power, if there is one.
    fn refusal(&self, survey: &Survey<'_>, from: Seat) -> Option<&'static str> {
        let position = survey.position;
        let stands_in = |who: Seat, whose: Seat| {
            position
                .centers_of(whose)
                .iter()
                .any(|at| position.unit(at).is_some_and(|unit| unit.owner == who))
        };
        let (danger, own) = (
            units_threatening(survey, from, survey.me),
            units_threatening(survey, survey.me, from),
        );
        let missed = self.missed(survey.table);
        let mut record = self.terms.get(&from).map(|terms| terms.record).unwrap_or_default();
        record.age(missed);
        let spared = newest(SPARED_PHASES);
        if record.attacked & newest(ATTACKED_PHASES) != 0 {
            Some("Not so soon after your attack on us.")
        } else if stands_in(from, survey.me) {
            Some("Not while your units are in our centers.")
        } else if stands_in(survey.me, from) {
            Some("No: our units are in your centers.")
        } else if record.spared & spared != spared {
            Some("Not yet: move next to our centers for two years without attacking us.")
        } else if danger == 0 {
            Some("No: none of your units is next to our centers, so it would gain us nothing.")
        } else if MIN_THREAT_RATIO * own > danger {
            Some(BINDS_US_MORE)
        } else if is_near_victory(survey, from) {
            Some("No: you are too close to victory.")
        } else if self.must_attack(survey, from) {
            Some("No: we can grow only at your cost.")
        } else if position.centers_of(from).len() > position.centers_of(survey.me).len() {
            Some("No: you are stronger than we are.")
        } else {
            None
        }
    }

    /// Returns whether the bot could not win, or could not grow soon, in peace with this power and
    /// its other friends.
    fn must_attack(&self, survey: &Survey<'_>, from: Seat) -> bool {
        let position = survey.position;
        let mut friends = self.friends();
        friends.insert(from);
        let bound = friends.iter().map(|seat| position.centers_of(seat));
        let bound = bound.fold(Provinces::EMPTY, Provinces::union);
        let own = position.centers_of(survey.me);
        let open = centers().difference(bound);
        open.len() < usize::from(survey.table.options.victory_centers)
            || survey.reached_soon().intersection(open).difference(own).is_empty()
    }
}

/// Returns the reason to refuse to keep these provinces empty in addition to `before`, if any.
fn refused_zone(
    survey: &Survey<'_>,
    from: Seat,
    zone: Provinces,
    before: Provinces,
) -> Option<&'static str> {
    let stands = |at: Province| {
        let unit = survey.position.unit(at);
        unit.is_some_and(|unit| unit.owner == survey.me || unit.owner == from)
    };
    let comes = |seat: Seat| zone.iter().filter(|&at| survey.coming(seat, at) > 0).count();
    if zone.is_empty() || before.union(zone).len() > ZONE_MAX {
        Some("No: list fewer provinces, but at least one.")
    } else if zone.iter().any(|at| stands(at) || at.is_center()) {
        Some("No: your units or ours are there, or it is a supply center.")
    } else if comes(from) < comes(survey.me) {
        Some(BINDS_US_MORE)
    } else {
        None
    }
}

fn last_year(table: &Table) -> u16 {
    match table.phase {
        Phase::FallRetreat | Phase::Winter => table.year.saturating_add(1),
        Phase::SpringMovement | Phase::SpringRetreat | Phase::FallMovement => table.year,
    }
}

fn units_threatening(survey: &Survey<'_>, of: Seat, to: Seat) -> usize {
    let centers = survey.position.centers_of(to);
    let near = |unit: &heliopause_diplomacy::Unit| {
        !entered(unit.kind, unit.at).intersection(centers).is_empty()
    };
    survey.position.units_of(of).filter(near).count()
}

fn is_near_victory(survey: &Survey<'_>, seat: Seat) -> bool {
    survey.position.centers_of(seat).len() + NEAR_VICTORY
        > usize::from(survey.table.options.victory_centers)
}

fn write_set(set: Provinces) -> [u8; 16] {
    set.iter().fold(0_u128, |bits, at| bits | 1 << at.index()).to_le_bytes()
}

fn read_set(bits: u128) -> Provinces {
    Province::ALL.into_iter().filter(|at| bits & (1 << at.index()) != 0).collect()
}

#[cfg(test)]
mod tests {
    use heliopause_diplomacy::{
        Event, Given, Insight, Movement, Options, Sheet, Unit, Variant, View, read_orders,
    };

    use super::*;

    const ME: usize = 2;
    const GERMANY: usize = 3;

    /// Returns a view with a German army next to Paris and Marseilles.
    fn view() -> View {
        let mut table = Table::start(&Options::of(Variant::Standard), 7);
        (table.year, table.phase) = (1903, Phase::FallMovement);
        table.position.put(Unit::read(Seat::at(GERMANY), "A Bur").unwrap());
        View { table, insight: Insight::Seat(Seat::at(ME), Sheet::default()) }
    }

    /// Moves of all powers, none of which attacks France.
    const QUIET: &str = "0 A Bud - Ser;1 F Edi - NWG;3 A Bur - Gas/A Mun - Ruh/A Ber - Kie/\
        F Kie - Hol;4 A Ven - Tyr;5 A Mos - Ukr;6 A Con - Bul";

    /// Returns the events of a phase with these orders, in which all French units hold. German
    /// armies start in Burgundy and Picardy.
    fn movement(orders: &str, year: u16, phase: Phase) -> [Event; 2] {
        let mut position = view().table.position;
        position.put(Unit::read(Seat::at(GERMANY), "A Pic").unwrap());
        let orders = ["2 A Par H/A Mar H/F Bre H"].into_iter().chain(orders.split(';'));
        let given = orders.flat_map(|orders| {
            let (power, text) = orders.split_once(' ').unwrap();
            let orders = read_orders(&text.replace('/', "\n")).unwrap();
            orders.into_iter().map(move |order| Given { seat: seat(power), order })
        });
        let given: Vec<Given> = given.collect();
        let reports = Movement::resolve(&position, &given).reports(&given);
        let (dislodged, contested) = (Vec::new(), Provinces::EMPTY);
        [Event::Moved { reports, dislodged, contested }, Event::PhaseBegan { year, phase }]
    }

    fn two_years(first: &str) -> Vec<Event> {
        [
            movement(first, 1902, Phase::SpringMovement),
            movement(QUIET, 1902, Phase::FallMovement),
            movement(QUIET, 1903, Phase::SpringMovement),
            movement(QUIET, 1903, Phase::FallMovement),
        ]
        .concat()
    }

    fn seat(text: &str) -> Seat {
        Seat::at(text.parse().unwrap())
    }

    fn set(names: &str) -> Provinces {
        names.split_whitespace().map(|name| name.parse::<Province>().unwrap()).collect()
    }

    /// A bot of France, the messages to it, and the events of the last two years.
    struct Desk {
        treaties: Treaties,
        view: View,
        recent: Vec<Event>,
        incoming: Vec<ReceivedMessage>,
    }

    impl Desk {
        /// Performs a line of a case. Returns the replies.
        fn perform(&mut self, line: &str) -> Vec<String> {
            let table = &mut self.view.table;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let first = rest.split_once(' ').map_or(rest, |(first, _)| first);
            let last = rest.split_once(' ').map_or("", |(_, last)| last);
            match word {
                "now" => {
                    table.year = first.parse().unwrap();
                    table.phase =
                        if last == "winter" { Phase::Winter } else { Phase::SpringMovement };
                }
                "first" => self.recent = two_years(rest),
                "then" => {
                    let orders = if rest == "quiet" { QUIET } else { rest };
                    self.recent.extend(movement(orders, 1903, Phase::Winter));
                }
                "late" => _ = self.recent.drain(..2),
                "forget" => self.recent.clear(),
                "recall" => self.recent = two_years(QUIET),
                "put" => table.position.put(Unit::read(seat(first), last).unwrap()),
                "take" => _ = table.position.take(rest.parse::<Province>().unwrap()),
                "center" => {
                    let center = first.parse::<Province>().unwrap();
                    table.position.centers[center.index()] = Some(seat(last));
                }
                "strong" => {
                    let centers = Province::ALL.into_iter().filter(|at| at.is_center());
                    for center in centers.take(16) {
                        table.position.centers[center.index()] = Some(seat(rest));
                    }
                }
                "peace" => {
                    let terms = Terms { peace: Term { last: 1903, from: 0 }, ..Terms::default() };
                    let powers = rest.split(' ').map(|power| (seat(power), terms));
                    self.treaties.terms.extend(powers);
                }
                "answers" => {
                    let survey = Survey::new(&self.view).unwrap();
                    let conduct = Conduct::read(&survey, self.treaties.centers(), &self.recent);
                    let ended = self.treaties.review(&survey, &conduct);
                    let replies = self.treaties.correspond(&survey, &self.incoming, ended);
                    let told = |Reply { to, text }: Reply| {
                        format!("= {} {}", to[0].index(), text.replace('\n', "|"))
                    };
                    return replies.into_iter().map(told).collect();
                }
                "reload" => {
                    let again = Treaties::read(&self.treaties.write(), 7);
                    assert_eq!(std::mem::replace(&mut self.treaties, again), self.treaties);
                }
                "friends" => {
                    let friends: SeatSet = rest.split_whitespace().map(seat).collect();
                    assert_eq!(self.treaties.friends(), friends, "{line}");
                }
                "closed" => assert_eq!(self.treaties.closed(&table.position), set(rest), "{line}"),
                "#" => {}
                power => {
                    let (number, text) = (self.incoming.len() as u64 + 1, last.replace('|', "\n"));
                    let from = Some(seat(power));
                    self.incoming.push(ReceivedMessage { number, from, text });
                }
            }
            Vec::new()
        }
    }

    #[test]
    fn proposals_are_answered_as_in_the_cases() {
        for case in include_str!("treaties_cases.txt").trim_end().split("\n\n") {
            let (treaties, incoming) = (Treaties::default(), Vec::new());
            let mut desk = Desk { treaties, view: view(), recent: two_years(QUIET), incoming };
            let mut told = Vec::new();
            for line in case.lines().filter(|line| !line.starts_with("= ")) {
                told.push(line.to_owned());
                told.extend(desk.perform(line));
            }
            assert_eq!(told.join("\n"), case);
        }
    }

    #[test]
    fn messages_of_bots_are_not_proposals() {
        for text in [
            HINT,
            EXPIRED,
            "Agreed: we are already at peace.",
            "You attacked us: the peace is over.",
        ] {
            assert_eq!(Proposal::all_in(text).next(), None, "{text}");
        }
    }

    #[test]
    fn damaged_memos_are_tolerated() {
        assert!(Treaties::read(&[0xff; 200], 7).terms.is_empty());
        let wild = Treaties::read(&[1; 200], 7);
        assert!(wild.terms.values().all(|terms| terms.broken < 10_000));
        assert_eq!(Treaties::read(&[1; 33], 7), Treaties::default());
    }
}
