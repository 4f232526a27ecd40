//! What was agreed with whom by letters, kept from turn to turn in the memo.
//!
//! A letter proposes something if one of its lines is a proposal and nothing else: `peace?`,
//! `alliance?` or `share scans?`, in any case. Answers never are, so two emperors cannot go on
//! writing to each other for ever.

use std::collections::BTreeMap;

use heliopause_kernel::{Seat, SeatSet};

use crate::bot::{Letter, Reply};
use crate::games::star_empires::survey::Survey;

/// Bytes at the beginning of a memo.
const BYTES: usize = 48;
/// No more letters are written in one turn.
const LETTERS_MAX: usize = 8;
/// No more alliances are kept.
const ALLIANCES_MAX: usize = 2;

/// What was agreed with whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Relations {
    /// The number of the last letter that was answered.
    heard: u64,
    greeted: SeatSet,
    /// With whom there is peace.
    pub(super) peace: SeatSet,
    /// With whom there is an alliance, besides those that the game master recorded.
    pub(super) allied: SeatSet,
    /// Who is let see what own ships see.
    pub(super) sharing: SeatSet,
    /// Which allies were given the own designs.
    pub(super) gifted: SeatSet,
}

/// What a letter proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    Peace,
    Alliance,
    Scans,
}

impl Proposal {
    /// The proposals of a letter, in the order of its lines.
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
    /// Reads the beginning of a memo, and gives the rest of it. One that is too short tells
    /// nothing.
    pub(super) fn read(memo: &[u8], empires: usize) -> (Self, &[u8]) {
        let Some((own, rest)) = memo.split_at_checked(BYTES) else { return (Self::default(), &[]) };
        let mut words =
            own.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default()));
        let mut word = || words.next().unwrap_or_default();
        let heard = word();
        let mut seats = || SeatSet::from_bits(word()).intersection(SeatSet::first(empires));
        let (greeted, peace, allied, sharing, gifted) =
            (seats(), seats(), seats(), seats(), seats());
        (Self { heard, greeted, peace, allied, sharing, gifted }, rest)
    }

    /// Writes the beginning of the memo.
    pub(super) fn write(&self) -> Vec<u8> {
        let Self { heard, greeted, peace, allied, sharing, gifted } = *self;
        let seats = [greeted, peace, allied, sharing, gifted].map(SeatSet::bits);
        std::iter::once(heard).chain(seats).flat_map(u64::to_le_bytes).collect()
    }

    /// Whom not to fight.
    pub(super) fn friends(&self) -> SeatSet {
        self.peace.union(self.allied)
    }

    /// Whoever fired at the empire ends by that what was agreed. Says who it was.
    pub(super) fn end_broken(&mut self, survey: &Survey<'_>) -> SeatSet {
        let broken = self.friends().union(self.sharing).intersection(survey.own.status.shot_by);
        for seats in [&mut self.peace, &mut self.allied, &mut self.sharing] {
            *seats = seats.difference(broken);
        }
        broken
    }

    /// Reads what came in since the last answer, and writes what there is to say: that an agreement
    /// is over, answers, and greetings to those who were met. One letter to a seat, so that nobody
    /// learns of whom else there is.
    pub(super) fn correspond(
        &mut self,
        survey: &Survey<'_>,
        letters: &[Letter],
        broken: SeatSet,
    ) -> Vec<Reply> {
        let mut said: BTreeMap<Seat, Vec<&'static str>> = BTreeMap::new();
        for seat in broken.iter() {
            said.entry(seat).or_default().push("You fired at us: what we agreed is over.");
        }
        let contacts =
            survey.own.empires.iter().filter(|empire| empire.contact && empire.seat != survey.me);
        let contacts: SeatSet = contacts.map(|empire| empire.seat).collect();
        let heard = self.heard;
        for letter in letters.iter().filter(|letter| letter.number > heard) {
            let Some(from) = letter.from.filter(|&from| contacts.contains(from)) else { continue };
            for proposal in Proposal::all_in(&letter.text) {
                said.entry(from).or_default().push(self.answer(survey, from, proposal));
            }
        }
        self.heard = letters.iter().map(|letter| letter.number).fold(self.heard, u64::max);
        said.retain(|&seat, _| contacts.contains(seat));
        let room = LETTERS_MAX.saturating_sub(said.len());
        for seat in contacts.difference(self.greeted).iter().take(room) {
            self.greeted.insert(seat);
            said.entry(seat).or_default().push(GREETING);
        }
        let reply =
            |(seat, lines): (Seat, Vec<&str>)| Reply { to: vec![seat], text: fitting(&lines) };
        said.into_iter().take(LETTERS_MAX).map(reply).collect()
    }

    fn answer(&mut self, survey: &Survey<'_>, from: Seat, proposal: Proposal) -> &'static str {
        let friends = self.friends().union(survey.allies());
        // Somebody must be left to win against.
        let others = survey.view.empires.saturating_sub(1);
        let room = friends.contains(from) || friends.len() + 1 < others;
        match proposal {
            _ if survey.own.status.shot_by.contains(from) => "Not while you fire at us.",
            Proposal::Peace if !room => "No: there would be nobody left to conquer.",
            Proposal::Peace => {
                self.peace.insert(from);
                "Agreed: peace, for as long as you do not fire at us."
            }
            Proposal::Alliance
                if !room || (self.allied.len() >= ALLIANCES_MAX && !self.allied.contains(from)) =>
            {
                "No: we have allies enough."
            }
            Proposal::Alliance => {
                self.allied.insert(from);
                self.peace.insert(from);
                self.sharing.insert(from);
                "Agreed: an alliance. You will see what we see; let the game master record it."
            }
            Proposal::Scans if friends.contains(from) => {
                self.sharing.insert(from);
                "Agreed: you will see what our ships see."
            }
            Proposal::Scans => "Not before there is peace between us.",
        }
    }
}

const GREETING: &str = "Greetings. We answer whoever writes \"peace?\", \"alliance?\" or \"share \
    scans?\" in a line of its own.";

/// The lines as a text, each said once; whatever would make it too long is left out.
fn fitting(lines: &[&str]) -> String {
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
    use super::*;
    use crate::games::star_empires::samples;

    fn letter(number: u64, from: usize, text: &str) -> Letter {
        Letter { number, from: Some(Seat::at(from)), text: text.to_owned() }
    }

    fn to(replies: &[Reply], seat: usize) -> String {
        let own = replies.iter().filter(|reply| reply.to == [Seat::at(seat)]);
        own.map(|reply| reply.text.as_str()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn whoever_is_met_is_greeted_once_and_proposals_are_answered_once() {
        let view = samples::view();
        let survey = Survey::new(&view).unwrap();
        let mut relations = Relations::default();
        let first = relations.correspond(
            &survey,
            &[letter(4, 1, "Hello there.\n Peace? \nalliance")],
            SeatSet::EMPTY,
        );
        assert_eq!(
            to(&first, 1),
            format!("Agreed: peace, for as long as you do not fire at us.\n{GREETING}")
        );
        assert_eq!(to(&first, 2), GREETING);
        let memo = relations.write();
        let (mut again, rest) = Relations::read(&memo, 3);
        assert_eq!((again, rest), (relations, &[][..]));
        let letters =
            [letter(4, 1, "peace?"), letter(5, 1, "share scans?"), letter(6, 2, "Share scans?")];
        let second = again.correspond(&survey, &letters, SeatSet::EMPTY);
        assert_eq!(to(&second, 1), "Agreed: you will see what our ships see.");
        assert_eq!(to(&second, 2), "Not before there is peace between us.");
        assert_eq!(
            (again.friends(), again.sharing),
            (SeatSet::one(Seat::at(1)), SeatSet::one(Seat::at(1)))
        );
        assert!(
            again.correspond(&survey, &letters, SeatSet::EMPTY).is_empty(),
            "nothing new was written"
        );
    }

    #[test]
    fn somebody_is_left_to_win_against() {
        let view = samples::view();
        let survey = Survey::new(&view).unwrap();
        let mut relations = Relations::default();
        let letters = [letter(1, 1, "alliance?"), letter(2, 2, "peace?\nalliance?")];
        let replies = relations.correspond(&survey, &letters, SeatSet::EMPTY);
        assert!(to(&replies, 1).starts_with("Agreed: an alliance."));
        assert!(
            to(&replies, 2).starts_with(
                "No: there would be nobody left to conquer.\nNo: we have allies enough."
            )
        );
        assert_eq!(relations.friends(), SeatSet::one(Seat::at(1)));
    }

    #[test]
    fn whoever_fires_is_no_friend_any_more_and_is_told() {
        let view = samples::view_with(|own| own.status.shot_by = SeatSet::one(Seat::at(1)));
        let survey = Survey::new(&view).unwrap();
        let both = SeatSet::one(Seat::at(1)).with(Seat::at(2));
        let mut relations =
            Relations { peace: both, greeted: both, sharing: both, ..Relations::default() };
        let broken = relations.end_broken(&survey);
        assert_eq!(broken, SeatSet::one(Seat::at(1)));
        let replies = relations.correspond(&survey, &[letter(1, 1, "peace?")], broken);
        assert_eq!(
            to(&replies, 1),
            "You fired at us: what we agreed is over.\nNot while you fire at us."
        );
        assert_eq!(
            (relations.friends(), relations.sharing),
            (SeatSet::one(Seat::at(2)), SeatSet::one(Seat::at(2)))
        );
    }

    #[test]
    fn what_emperors_write_is_no_proposal_and_fits() {
        for text in [
            GREETING,
            "You fired at us: what we agreed is over.",
            "Agreed: you will see what our ships see.",
        ] {
            assert_eq!(Proposal::all_in(text).next(), None, "{text}");
        }
        let long = fitting(&[GREETING; 30]);
        assert_eq!(long, GREETING);
        assert!(fitting(&["a line of more than twenty letters", "b"]).chars().count() < 500);
    }

    #[test]
    fn letters_without_a_sender_or_of_strangers_are_not_answered() {
        let view = samples::view_with(|own| own.empires[2].contact = false);
        let survey = Survey::new(&view).unwrap();
        let mut relations = Relations::default();
        let anonymous = Letter { number: 1, from: None, text: "peace?".to_owned() };
        let replies =
            relations.correspond(&survey, &[anonymous, letter(2, 2, "peace?")], SeatSet::EMPTY);
        assert_eq!(replies.len(), 1, "one greeting: {replies:?}");
        assert_eq!(to(&replies, 2), "");
    }
}
