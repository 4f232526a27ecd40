//! Agreements made by messages, kept in the memo from turn to turn.
//!
//! The lines `peace?`, `alliance?` and `share scans?` are proposals, in upper or lower case. An
//! answer is never a proposal, so two bots cannot exchange messages without end.
//!
//! Peace binds both sides alike for some turns, and ends at once when the other side breaks it. The
//! bot keeps a record of attacks and broken agreements, also of empires without an agreement. It
//! refuses peace to an empire that attacked or broke its word, to an inactive or far weaker empire,
//! which has nothing to offer, and to an empire at whose cost alone it can grow. Scans and alliances
//! require a peace that was kept.

use std::collections::BTreeMap;

use bytes::Buf as _;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::Item;

use crate::bot::{ReceivedMessage, Reply};
use crate::games::letters::{MESSAGES_MAX, replies, unanswered};
use crate::games::star_empires::survey::Survey;

const HEADER_BYTES: usize = 56;
const ENTRY_BYTES: usize = 20;
const ALLIANCES_MAX: usize = 2;
const PEACE_TURNS: u32 = 10;
/// Number of turns of peace before scans are shared or an alliance is made.
const PROVEN_TURNS: u32 = 8;
const DISTRUST_TURNS: u32 = 40;
/// Number of turns for which the bot refuses agreements after an attack without an agreement.
const GRUDGE_TURNS: u32 = 20;
/// Maximum ratio of the viewer's production to that of an empire worth a peace.
const MAX_PRODUCTION_RATIO: u64 = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Relations {
    last_answered: u64,
    greeted: SeatSet,
    pub(super) peace: SeatSet,
    pub(super) allied: SeatSet,
    pub(super) sharing: SeatSet,
    pub(super) gifted: SeatSet,
    terms: BTreeMap<Seat, Terms>,
}

/// The turns of a peace, of the last broken agreement and of the last attack. 0 means none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Terms {
    since: u32,
    until: u32,
    broken: u32,
    attacked: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    Peace,
    Alliance,
    Scans,
}

impl Proposal {
    fn all_in(text: &str) -> impl Iterator<Item = Self> {
        text.lines().filter_map(|line| match line.trim().to_ascii_lowercase().as_str() {
            "peace?" => Some(Self::Peace),
            "alliance?" => Some(Self::Alliance),
            "share scans?" => Some(Self::Scans),
            _ => None,
        })
    }
}

impl Relations {
    /// Splits a memo into this record and the rest. Treats a memo that is too short as empty.
    pub(super) fn read(mut memo: &[u8], empires: usize) -> (Self, &[u8]) {
        if memo.len() < HEADER_BYTES {
            return (Self::default(), &[]);
        }
        let last_answered = memo.get_u64_le();
        let mut seats =
            || SeatSet::from_bits(memo.get_u64_le()).intersection(SeatSet::first(empires));
        let (greeted, peace, allied, sharing, gifted) =
            (seats(), seats(), seats(), seats(), seats());
        let count = usize::try_from(memo.get_u64_le()).unwrap_or(usize::MAX).min(empires);
        let (entries, rest) = memo.split_at_checked(count * ENTRY_BYTES).unwrap_or((&[], memo));
        let entry = |mut entry: &[u8]| {
            // Turns are bounded so that additions cannot overflow.
            let mut turn = || entry.get_u32_le().min(1 << 24);
            let seat = Seat::numbered(turn()).filter(|seat| seat.index() < empires)?;
            let (since, until, broken, attacked) = (turn(), turn(), turn(), turn());
            Some((seat, Terms { since, until, broken, attacked }))
        };
        let terms = entries.chunks_exact(ENTRY_BYTES).filter_map(entry).collect();
        (Self { last_answered, greeted, peace, allied, sharing, gifted, terms }, rest)
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let seats = [self.greeted, self.peace, self.allied, self.sharing, self.gifted];
        let head = std::iter::once(self.last_answered)
            .chain(seats.map(SeatSet::bits))
            .chain([self.terms.len() as u64]);
        let entry = |(seat, terms): (&Seat, &Terms)| {
            [seat.number(), terms.since, terms.until, terms.broken, terms.attacked]
        };
        head.flat_map(u64::to_le_bytes)
            .chain(self.terms.iter().flat_map(entry).flat_map(u32::to_le_bytes))
            .collect()
    }

    pub(super) fn friends(&self) -> SeatSet {
        self.peace.union(self.allied)
    }

    /// Ends agreements that were broken or have expired. Returns their empires, with reasons.
    pub(super) fn review(&mut self, survey: &Survey<'_>) -> Vec<(Seat, &'static str)> {
        let turn = survey.view.turn;
        for seat in attackers(survey).iter() {
            self.terms.entry(seat).or_default().attacked = turn.max(1);
        }
        let agreed = self.friends().union(self.sharing);
        let mut ended = Vec::new();
        for seat in agreed.iter() {
            let terms = self.terms.entry(seat).or_default();
            if attackers(survey).contains(seat) {
                let now = turn.max(1);
                *terms = Terms { broken: now, attacked: now, ..Terms::default() };
                ended.push((seat, "You attacked us: our agreement is over."));
            } else if terms.until < turn {
                (terms.since, terms.until) = (0, 0);
                ended.push((seat, "Our agreement is over. Propose it again if you like."));
            }
        }
        let over: SeatSet = ended.iter().map(|(seat, _)| *seat).collect();
        for seats in [&mut self.peace, &mut self.allied, &mut self.sharing] {
            *seats = seats.difference(over);
        }
        self.terms.retain(|_, terms| *terms != Terms::default());
        ended
    }

    /// Writes at most one message to each empire. Each message has one recipient, so that no empire
    /// learns of the others.
    pub(super) fn correspond(
        &mut self,
        survey: &Survey<'_>,
        incoming: &[ReceivedMessage],
        ended: Vec<(Seat, &'static str)>,
    ) -> Vec<Reply> {
        let mut said: BTreeMap<Seat, Vec<&'static str>> = BTreeMap::new();
        for (seat, why) in ended {
            said.entry(seat).or_default().push(why);
        }
        let contacts =
            survey.own.empires.iter().filter(|empire| empire.contact && empire.seat != survey.me);
        let contacts: SeatSet = contacts.map(|empire| empire.seat).collect();
        for (from, text) in unanswered(incoming, &mut self.last_answered, contacts) {
            for proposal in Proposal::all_in(text) {
                said.entry(from).or_default().push(self.answer(survey, from, proposal));
            }
        }
        said.retain(|&seat, _| contacts.contains(seat));
        let room = MESSAGES_MAX.saturating_sub(said.len());
        for seat in contacts.difference(self.greeted).iter().take(room) {
            self.greeted.insert(seat);
            said.entry(seat).or_default().push(GREETING);
        }
        replies(&said)
    }

    fn answer(&mut self, survey: &Survey<'_>, from: Seat, proposal: Proposal) -> &'static str {
        let friends = self.friends().union(survey.allies());
        // At least one empire must remain as an opponent.
        let others = survey.view.empires.saturating_sub(1);
        let room = friends.contains(from) || friends.len() + 1 < others;
        let turn = survey.view.turn;
        let Terms { since, broken, attacked, .. } =
            self.terms.get(&from).copied().unwrap_or_default();
        let proven = self.peace.contains(from) && turn >= since.saturating_add(PROVEN_TURNS);
        match proposal {
            _ if attackers(survey).contains(from) => "Not while you attack us.",
            _ if broken > 0 && turn < broken.saturating_add(DISTRUST_TURNS) => {
                "No: you broke your word."
            }
            _ if attacked > 0 && turn < attacked.saturating_add(GRUDGE_TURNS) => {
                "Not so soon after your attack on us."
            }
            Proposal::Peace if !room => "No: we would have no opponents left.",
            Proposal::Peace | Proposal::Alliance if !is_worth_peace(survey, from) => {
                "No: you have nothing to offer."
            }
            Proposal::Peace if !can_grow(survey, friends.with(from)) => {
                "No: we can grow only at your cost."
            }
            Proposal::Peace => {
                self.peace.insert(from);
                let terms = self.terms.entry(from).or_default();
                if terms.since == 0 {
                    terms.since = turn.max(1);
                }
                terms.until = turn.saturating_add(PEACE_TURNS);
                "Agreed: peace for ten turns, as long as you do not attack us."
            }
            Proposal::Alliance
                if !room || (self.allied.len() >= ALLIANCES_MAX && !self.allied.contains(from)) =>
            {
                "No: we have enough allies."
            }
            Proposal::Alliance if !proven => "Not until we have kept peace for some time.",
            Proposal::Alliance => {
                self.allied.insert(from);
                self.sharing.insert(from);
                "Agreed: an alliance. You will see what we see; ask the game master to record it."
            }
            Proposal::Scans if proven => {
                self.sharing.insert(from);
                "Agreed: you will see what our ships see."
            }
            Proposal::Scans => "Not until we have kept peace for some time.",
        }
    }
}

fn attackers(survey: &Survey<'_>) -> SeatSet {
    let taken = survey.own.report.news.iter().filter_map(|news| match news.item {
        Item::Owner { from: Some(from), to: Some(to), .. } if from == survey.me => Some(to),
        _ => None,
    });
    survey.own.status.attacked_by.union(taken.collect())
}

/// Returns whether an empire is active and strong enough to do harm.
fn is_worth_peace(survey: &Survey<'_>, other: Seat) -> bool {
    let chart = &survey.own.chart;
    let worlds = || chart.worlds.iter().filter(|world| world.owner == Some(other));
    let away = survey.foreign.iter().any(|(at, ships)| {
        ships.iter().any(|ship| ship.owner == other)
            && chart.world_at(*at).is_none_or(|world| world.owner != Some(other))
    });
    let theirs: u64 = worlds().map(|world| u64::from(world.production)).sum();
    let own: u64 = survey.own_worlds().map(|world| u64::from(world.production)).sum();
    let comparable = theirs.saturating_mul(MAX_PRODUCTION_RATIO) >= own;
    (away || worlds().count() > 1) && comparable
}

/// Returns whether a known world has no owner, or one that is not a friend.
fn can_grow(survey: &Survey<'_>, friends: SeatSet) -> bool {
    let bound = friends.with(survey.me);
    let open = |owner: Option<Seat>| owner.is_none_or(|owner| !bound.contains(owner));
    survey.own.chart.worlds.iter().any(|world| open(world.owner))
}

const GREETING: &str = "Greetings. You can send \"peace?\", \"alliance?\" or \"share \
    scans?\", each on its own line.";

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heliopause_star_empires::{EmpireView, Insight, News, Report, View};

    use super::*;
    use crate::games::star_empires::samples;

    /// Returns a view in which each empire has a world, and the others have ships away from home.
    fn view() -> View {
        samples::view_with(|own| {
            samples::world(own, (0, 0), "Home", 10, Some(0));
            samples::world(own, (9, 0), "Ember", 8, Some(1));
            samples::world(own, (0, 9), "Ash", 8, Some(2));
            samples::foreign(own, (3, 0), 1, "fighter", 5);
            samples::foreign(own, (0, 3), 2, "fighter", 5);
        })
    }

    fn seat(text: &str) -> Seat {
        Seat::at(text.parse().unwrap())
    }

    #[derive(Default)]
    struct Desk {
        relations: Relations,
        incoming: Vec<ReceivedMessage>,
    }

    impl Desk {
        /// Performs a line of a case. Returns the replies.
        fn perform(&mut self, view: &mut View, line: &str) -> Vec<String> {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let seats = || rest.split_whitespace().map(seat).collect::<SeatSet>();
            match word {
                "turns" => view.turn += rest.parse::<u32>().unwrap(),
                "empires" => view.empires = rest.parse().unwrap(),
                "answers" => {
                    let survey = Survey::new(view).unwrap();
                    let ended = self.relations.review(&survey);
                    let replies = self.relations.correspond(&survey, &self.incoming, ended);
                    let told = |Reply { to, text }: Reply| {
                        let text = text.replace(GREETING, "GREETING").replace('\n', "|");
                        format!("= {} {text}", to[0].index())
                    };
                    return replies.into_iter().map(told).collect();
                }
                "reload" => {
                    let memo = self.relations.write();
                    assert_eq!(Relations::read(&memo, 3), (self.relations.clone(), &[][..]));
                    self.relations = Relations::read(&memo, 3).0;
                }
                "peace" => assert_eq!(self.relations.friends(), seats(), "{line}"),
                "allied" => assert_eq!(self.relations.allied, seats(), "{line}"),
                "sharing" => assert_eq!(self.relations.sharing, seats(), "{line}"),
                "#" => {}
                sender => match rest.strip_prefix("says ") {
                    None => change(own(view), word),
                    Some(text) => {
                        let number = self.incoming.len() as u64 + 1;
                        let from = (sender != "?").then(|| seat(sender));
                        let text = text.replace('|', "\n");
                        self.incoming.push(ReceivedMessage { number, from, text });
                    }
                },
            }
            Vec::new()
        }
    }

    fn own(view: &mut View) -> &mut EmpireView {
        let Insight::Empire(own) = &mut view.insight else { panic!("the view of an empire") };
        own
    }

    /// Changes the view of the empire Alpha.
    fn change(own: &mut EmpireView, what: &str) {
        match what {
            "home" => own.chart.ships.clear(),
            "rich" => own.chart.worlds[0].production += 30,
            "shot" => own.status.attacked_by = SeatSet::one(Seat::at(1)),
            "quiet" => own.status.attacked_by = SeatSet::EMPTY,
            "alone" => own.chart.worlds.retain(|world| world.owner != Some(Seat::at(2))),
            "stranger" => own.empires[2].contact = false,
            "took" => {
                let (from, to) = (Some(Seat::at(0)), Some(Seat::at(1)));
                let item = Item::Owner { world: samples::name("Far"), from, to };
                let news = News { section: "6.3.6".parse().unwrap(), at: None, item };
                own.report = Arc::new(Report { news: vec![news], ..Report::default() });
            }
            _ => panic!("{what}"),
        }
    }

    #[test]
    fn proposals_are_answered_as_in_the_cases() {
        for case in include_str!("relations_cases.txt").trim_end().split("\n\n") {
            let (mut desk, mut view, mut told) = (Desk::default(), view(), Vec::new());
            for line in case.lines().filter(|line| !line.starts_with("= ")) {
                told.push(line.to_owned());
                told.extend(desk.perform(&mut view, line));
            }
            assert_eq!(told.join("\n"), case);
        }
    }

    #[test]
    fn messages_of_bots_are_not_proposals_and_fit_the_limit() {
        for text in [
            GREETING,
            "You attacked us: our agreement is over.",
            "Agreed: you will see what our ships see.",
        ] {
            assert_eq!(Proposal::all_in(text).next(), None, "{text}");
        }
        let to = Seat::at(1);
        assert_eq!(Reply::of(to, &[GREETING; 30]).text, GREETING);
        let lines: Vec<String> = (100..200).map(|number| format!("line {number}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert!((400..500).contains(&Reply::of(to, &lines).text.chars().count()));
    }
}
