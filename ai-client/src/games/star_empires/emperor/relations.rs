//! Agreements made by messages, kept in the memo from turn to turn.
//!
//! The lines `peace?`, `alliance?` and `share scans?` are proposals, in upper or lower case. An
//! answer is never a proposal, so two bots cannot exchange messages without end.
//!
//! Peace binds both sides alike for some turns, and ends at once when the other side breaks it. The
//! bot refuses peace to an attacker, to a recent breaker of an agreement, and to an inactive or far
//! weaker empire, which has nothing to offer. Scans and alliances require a peace that was kept.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::Item;

use crate::bot::{ReceivedMessage, Reply};
use crate::games::star_empires::survey::Survey;

/// Number of 8-byte words in the memo's header.
const HEADER_WORDS: usize = 7;
const ENTRY_BYTES: usize = 16;
const MESSAGES_MAX: usize = 8;
const ALLIANCES_MAX: usize = 2;
const PEACE_TURNS: u32 = 10;
/// Number of turns of peace before scans are shared or an alliance is made.
const PROVEN_TURNS: u32 = 8;
const DISTRUST_TURNS: u32 = 40;
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

/// The turns of a peace. 0 means none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Terms {
    since: u32,
    until: u32,
    broken: u32,
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
    pub(super) fn read(memo: &[u8], empires: usize) -> (Self, &[u8]) {
        let Some((own, rest)) = memo.split_at_checked(HEADER_WORDS * 8) else {
            return (Self::default(), &[]);
        };
        let mut words =
            own.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut word = || words.next().unwrap_or_default();
        let last_answered = word();
        let mut seats = || SeatSet::from_bits(word()).intersection(SeatSet::first(empires));
        let (greeted, peace, allied, sharing, gifted) =
            (seats(), seats(), seats(), seats(), seats());
        let count = usize::try_from(word()).unwrap_or(usize::MAX).min(empires);
        let (entries, rest) = rest.split_at_checked(count * ENTRY_BYTES).unwrap_or((&[], rest));
        let entry = |entry: &[u8]| {
            let turn = |at: usize| {
                let word = entry.get(at..at + 4).and_then(|word| word.try_into().ok());
                // Turns are bounded so that additions cannot overflow.
                word.map_or(0, u32::from_le_bytes).min(1 << 24)
            };
            let seat = Seat::numbered(turn(0)).filter(|seat| seat.index() < empires)?;
            Some((seat, Terms { since: turn(4), until: turn(8), broken: turn(12) }))
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
            [seat.number(), terms.since, terms.until, terms.broken]
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
        let agreed = self.friends().union(self.sharing);
        let mut ended = Vec::new();
        for seat in agreed.iter() {
            let terms = self.terms.entry(seat).or_default();
            if attackers(survey).contains(seat) {
                *terms = Terms { broken: turn.max(1), ..Terms::default() };
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
        let last_answered = self.last_answered;
        for letter in incoming.iter().filter(|letter| letter.number > last_answered) {
            let Some(from) = letter.from.filter(|&from| contacts.contains(from)) else { continue };
            for proposal in Proposal::all_in(&letter.text) {
                said.entry(from).or_default().push(self.answer(survey, from, proposal));
            }
        }
        self.last_answered =
            incoming.iter().map(|letter| letter.number).fold(self.last_answered, u64::max);
        said.retain(|&seat, _| contacts.contains(seat));
        let room = MESSAGES_MAX.saturating_sub(said.len());
        for seat in contacts.difference(self.greeted).iter().take(room) {
            self.greeted.insert(seat);
            said.entry(seat).or_default().push(GREETING);
        }
        let reply =
            |(seat, lines): (Seat, Vec<&str>)| Reply { to: vec![seat], text: join_lines(&lines) };
        said.into_iter().take(MESSAGES_MAX).map(reply).collect()
    }

    fn answer(&mut self, survey: &Survey<'_>, from: Seat, proposal: Proposal) -> &'static str {
        let friends = self.friends().union(survey.allies());
        // At least one empire must remain as an opponent.
        let others = survey.view.empires.saturating_sub(1);
        let room = friends.contains(from) || friends.len() + 1 < others;
        let turn = survey.view.turn;
        let Terms { since, broken, .. } = self.terms.get(&from).copied().unwrap_or_default();
        let proven = self.peace.contains(from) && turn >= since.saturating_add(PROVEN_TURNS);
        match proposal {
            _ if attackers(survey).contains(from) => "Not while you attack us.",
            _ if broken > 0 && turn < broken.saturating_add(DISTRUST_TURNS) => {
                "No: you broke your word."
            }
            Proposal::Peace if !room => "No: we would have no opponents left.",
            Proposal::Peace | Proposal::Alliance if !is_worth_peace(survey, from) => {
                "No: you have nothing to offer."
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

const GREETING: &str = "Greetings. You can send \"peace?\", \"alliance?\" or \"share \
    scans?\", each on its own line.";

/// Joins lines to a message. Omits duplicates, and lines that would make the message too long.
fn join_lines(lines: &[&str]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if !lines[..index].contains(line) && text.len() + line.len() < 480 {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heliopause_star_empires::{EmpireView, News, Report, View};

    use super::*;
    use crate::games::star_empires::samples;

    fn letter(number: u64, from: usize, text: &str) -> ReceivedMessage {
        ReceivedMessage { number, from: Some(Seat::at(from)), text: text.to_owned() }
    }

    fn to(replies: &[Reply], seat: usize) -> String {
        let own = replies.iter().filter(|reply| reply.to == [Seat::at(seat)]);
        own.map(|reply| reply.text.as_str()).collect::<Vec<_>>().join("|")
    }

    /// Returns a view in which each empire has a world, and the others have ships away from home.
    fn view_with(change: impl FnOnce(&mut EmpireView)) -> View {
        samples::view_with(|own| {
            samples::world(own, (0, 0), "Home", 10, Some(0));
            samples::world(own, (9, 0), "Ember", 8, Some(1));
            samples::world(own, (0, 9), "Ash", 8, Some(2));
            samples::foreign(own, (3, 0), 1, "fighter", 5);
            samples::foreign(own, (0, 3), 2, "fighter", 5);
            change(own);
        })
    }

    fn answers(relations: &mut Relations, view: &View, incoming: &[ReceivedMessage]) -> Vec<Reply> {
        let survey = Survey::new(view).unwrap();
        let ended = relations.review(&survey);
        relations.correspond(&survey, incoming, ended)
    }

    const PEACE: &str = "Agreed: peace for ten turns, as long as you do not attack us.";
    fn one() -> Seat {
        Seat::at(1)
    }

    #[test]
    fn contacts_are_greeted_once_and_proposals_answered_once() {
        let view = view_with(|_| {});
        let mut relations = Relations::default();
        let incoming = [letter(4, 1, "Hello there.\n Peace? \nalliance")];
        let first = answers(&mut relations, &view, &incoming);
        assert_eq!(to(&first, 1), format!("{PEACE}\n{GREETING}"));
        assert_eq!(to(&first, 2), GREETING);
        let memo = relations.write();
        let (mut again, rest) = Relations::read(&memo, 3);
        assert_eq!((&again, rest), (&relations, &[][..]));
        let incoming =
            [letter(4, 1, "peace?"), letter(5, 1, "share scans?"), letter(6, 2, "Alliance?")];
        let second = answers(&mut again, &view, &incoming);
        let early = "Not until we have kept peace for some time.";
        assert_eq!(to(&second, 1), early);
        assert_eq!(to(&second, 2), "No: we have enough allies.");
        assert_eq!((again.friends(), again.sharing), (SeatSet::one(one()), SeatSet::EMPTY));
        assert!(answers(&mut again, &view, &incoming).is_empty(), "nothing new was written");
    }

    #[test]
    fn kept_peace_allows_scans_and_an_alliance() {
        let mut view = view_with(|_| {});
        let turn = view.turn;
        let mut relations = Relations::default();
        answers(&mut relations, &view, &[letter(1, 1, "peace?")]);
        view.turn = turn + PROVEN_TURNS;
        let mut allied = relations.clone();
        let both = answers(&mut allied, &view, &[letter(2, 1, "share scans?\nalliance?\npeace?")]);
        assert!(to(&both, 1).starts_with("Agreed: you will see what our ships see.\nAgreed: an"));
        assert_eq!((allied.allied, allied.sharing), (SeatSet::one(one()), SeatSet::one(one())));
        view.turn = turn + PEACE_TURNS + 1;
        let over = answers(&mut relations, &view, &[]);
        assert_eq!(to(&over, 1), "Our agreement is over. Propose it again if you like.");
        assert!(relations.friends().is_empty());
        assert!(answers(&mut allied, &view, &[]).is_empty(), "it was renewed");
        assert_eq!(allied.friends(), SeatSet::one(one()));
    }

    #[test]
    fn peace_is_refused_to_the_last_opponent() {
        let view = view_with(|_| {});
        let mut relations = Relations::default();
        let incoming = [letter(1, 1, "peace?"), letter(2, 2, "peace?\nalliance?")];
        let replies = answers(&mut relations, &view, &incoming);
        assert!(to(&replies, 1).starts_with(PEACE));
        assert!(
            to(&replies, 2)
                .starts_with("No: we would have no opponents left.\nNo: we have enough allies.")
        );
        assert_eq!(relations.friends(), SeatSet::one(one()));
    }

    #[test]
    fn peace_is_refused_to_an_empire_with_nothing_to_offer() {
        let idle = samples::view_with(|own| {
            samples::world(own, (0, 0), "Home", 10, Some(0));
            samples::world(own, (9, 0), "Ember", 8, Some(1));
            samples::foreign(own, (9, 0), 1, "fighter", 5);
        });
        let weak = view_with(|own| samples::world(own, (0, 1), "Rich", 30, Some(0)));
        for view in [idle, weak] {
            let replies =
                answers(&mut Relations::default(), &view, &[letter(1, 1, "peace?\nalliance?")]);
            assert!(to(&replies, 1).starts_with("No: you have nothing to offer."), "{replies:?}");
        }
    }

    #[test]
    fn an_attack_ends_peace_for_long_and_the_attacker_is_notified() {
        let shot = |own: &mut EmpireView| own.status.attacked_by = SeatSet::one(one());
        let took = |own: &mut EmpireView| {
            let (world, from, to) = (samples::name("Far"), Some(Seat::at(0)), Some(one()));
            let news = News {
                section: "6.3.6".parse().unwrap(),
                at: None,
                item: Item::Owner { world, from, to },
            };
            own.report = Arc::new(Report { news: vec![news], ..Report::default() });
        };
        for attack in [&shot as &dyn Fn(&mut EmpireView), &took] {
            let mut relations = Relations::default();
            answers(&mut relations, &view_with(|_| {}), &[letter(1, 1, "peace?")]);
            assert_eq!(relations.friends(), SeatSet::one(one()));
            let attacked = view_with(|own| attack(own));
            let replies = answers(&mut relations, &attacked, &[letter(2, 1, "peace?")]);
            assert_eq!(
                to(&replies, 1),
                "You attacked us: our agreement is over.\nNot while you attack us."
            );
            assert!(relations.friends().is_empty());
            let mut later = view_with(|_| {});
            later.turn += DISTRUST_TURNS - 1;
            let (mut relations, _) = Relations::read(&relations.write(), 3);
            let replies = answers(&mut relations, &later, &[letter(3, 1, "peace?")]);
            assert_eq!(to(&replies, 1), "No: you broke your word.");
            later.turn += 1;
            let replies = answers(&mut relations, &later, &[letter(4, 1, "peace?")]);
            assert_eq!(to(&replies, 1), PEACE, "it is forgiven at last");
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
        let long = join_lines(&[GREETING; 30]);
        assert_eq!(long, GREETING);
        assert!(join_lines(&["a line of more than twenty letters", "b"]).chars().count() < 500);
    }

    #[test]
    fn messages_from_unknown_senders_are_not_answered() {
        let view = samples::view_with(|own| own.empires[2].contact = false);
        let mut relations = Relations::default();
        let anonymous = ReceivedMessage { number: 1, from: None, text: "peace?".to_owned() };
        let replies = answers(&mut relations, &view, &[anonymous, letter(2, 2, "peace?")]);
        assert_eq!(replies.len(), 1, "one greeting: {replies:?}");
        assert_eq!(to(&replies, 2), "");
    }
}
