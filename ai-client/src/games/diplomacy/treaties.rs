//! What was agreed with whom by letters, kept from phase to phase in the memo.
//!
//! A letter proposes something if one of its lines is a proposal and nothing else: `peace?`, or
//! `dmz Bur Pie?` for provinces that both stay out of, in any case. Answers never are, so two bots
//! cannot go on writing to each other for ever.

use std::collections::BTreeMap;

use heliopause_diplomacy::{Position, PressRule, Province, Provinces};
use heliopause_kernel::{Seat, SeatSet};

use super::survey::Survey;
use crate::bot::{Letter, Reply};

/// No more letters are written at once.
const LETTERS_MAX: usize = 8;
/// No more characters stand in a letter.
const LETTER_MAX: usize = 480;
/// No more provinces are kept empty with one power.
const ZONE_MAX: usize = 8;
/// Who needs no more centers than these to win is no friend any more.
const NEAR_VICTORY: usize = 4;
/// Bytes at the beginning of a memo, and of each zone after it.
const HEAD: usize = 40;
const ZONE: usize = 17;

const HINT: &str =
    "We answer \"peace?\", and \"dmz Bur Pie?\" with any provinces, each in a line of its own.";

/// What was agreed with whom.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Treaties {
    /// The number of the last letter that was answered.
    heard: u64,
    /// With whom there is peace.
    peace: SeatSet,
    /// Who was told what can be proposed.
    hinted: SeatSet,
    /// The own centers when last seen.
    centers: Provinces,
    /// Which provinces stay empty, by whom it was agreed with.
    zones: BTreeMap<Seat, Provinces>,
}

/// What a line of a letter proposes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proposal {
    Peace,
    /// Provinces to stay out of; none if a word is no province.
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
    /// Reads a memo. One that is damaged or of another game tells nothing.
    pub(super) fn read(memo: &[u8], powers: usize) -> Self {
        let Some((head, rest)) = memo.split_at_checked(HEAD) else { return Self::default() };
        let word = |at: usize| {
            head.get(at..at + 8).and_then(|word| word.try_into().ok()).map_or(0, u64::from_le_bytes)
        };
        let seats = |at| SeatSet::from_bits(word(at)).intersection(SeatSet::first(powers));
        let zone = |zone: &[u8]| {
            let (seat, set) = zone.split_first()?;
            let seat = Seat::numbered(u32::from(*seat)).filter(|seat| seat.index() < powers)?;
            Some((seat, read_set(set)))
        };
        Self {
            heard: word(0),
            peace: seats(8),
            hinted: seats(16),
            centers: read_set(&head[24..]),
            zones: rest.chunks_exact(ZONE).filter_map(zone).collect(),
        }
    }

    /// Writes the memo.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut memo =
            [self.heard, self.peace.bits(), self.hinted.bits()].map(u64::to_le_bytes).concat();
        memo.extend(write_set(self.centers));
        for (seat, zone) in &self.zones {
            memo.push(seat.number() as u8);
            memo.extend(write_set(*zone));
        }
        memo
    }

    /// Ends what others broke, or what has become too dangerous, and remembers the own centers.
    /// Says who is concerned, and why.
    pub(super) fn review(&mut self, survey: &Survey<'_>) -> Vec<(Seat, &'static str)> {
        let position = survey.position;
        let mut ended: Vec<(Seat, &'static str)> = self
            .peace
            .iter()
            .filter_map(|seat| self.end_of_peace(survey, seat).map(|why| (seat, why)))
            .collect();
        for (seat, _) in &ended {
            self.peace.remove(*seat);
        }
        let enters = |seat: Seat, zone: &Provinces| {
            zone.iter().any(|at| position.unit(at).is_some_and(|unit| unit.owner == seat))
        };
        let entered: Vec<Seat> = self
            .zones
            .iter()
            .filter(|&(&seat, zone)| enters(seat, zone))
            .map(|(&seat, _)| seat)
            .collect();
        for seat in entered {
            self.zones.remove(&seat);
            ended.push((seat, "You are where nobody should be: the demilitarized zone is over."));
        }
        self.centers = position.centers_of(survey.me);
        ended
    }

    /// Why there is no peace with a friend any more, if so.
    fn end_of_peace(&self, survey: &Survey<'_>, seat: Seat) -> Option<&'static str> {
        let position = survey.position;
        let took = |at: Province| {
            position.centers[at.index()] == Some(seat)
                || position.unit(at).is_some_and(|unit| unit.owner == seat)
        };
        let centers = position.centers_of(survey.me).union(self.centers);
        let drove_out =
            survey.table.dislodged.iter().any(|one| one.unit.owner == survey.me && one.by == seat);
        if centers.iter().any(took) || drove_out {
            Some("You attacked us: the peace is over.")
        } else {
            is_near_victory(survey, seat)
                .then_some("You are too near to victory: the peace is over.")
        }
    }

    /// With whom there is peace.
    pub(super) fn friends(&self) -> SeatSet {
        self.peace
    }

    /// Where own units do not go: centers of friends, and what was agreed to stay empty.
    pub(super) fn closed(&self, position: &Position) -> Provinces {
        let zones = self.zones.values().fold(Provinces::EMPTY, |all, zone| all.union(*zone));
        self.peace.iter().fold(zones, |all, seat| all.union(position.centers_of(seat)))
    }

    /// Reads what came in since the last answer, and writes what there is to say. One letter to a
    /// seat.
    pub(super) fn correspond(
        &mut self,
        survey: &Survey<'_>,
        letters: &[Letter],
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
        let heard = self.heard;
        for letter in letters.iter().filter(|letter| letter.number > heard) {
            let Some(from) = letter.from.filter(|&from| alive.contains(from)) else { continue };
            let lines = said.entry(from).or_default();
            for proposal in Proposal::all_in(&letter.text) {
                lines.push(self.answer(survey, from, proposal));
            }
            if lines.is_empty() && self.hinted.insert(from) {
                lines.push(HINT);
            }
        }
        self.heard = letters.iter().map(|letter| letter.number).fold(self.heard, u64::max);
        said.retain(|&seat, lines| alive.contains(seat) && !lines.is_empty());
        let reply =
            |(seat, lines): (Seat, Vec<&str>)| Reply { to: vec![seat], text: fitting(&lines) };
        said.into_iter().take(LETTERS_MAX).map(reply).collect()
    }

    fn answer(&mut self, survey: &Survey<'_>, from: Seat, proposal: Proposal) -> &'static str {
        match proposal {
            Proposal::Peace => self.answer_peace(survey, from),
            Proposal::Zone(None) => "One of these is no province.",
            Proposal::Zone(Some(zone)) => self.answer_zone(survey, from, zone),
        }
    }

    fn answer_peace(&mut self, survey: &Survey<'_>, from: Seat) -> &'static str {
        let own = survey.position.centers_of(survey.me);
        let intrudes =
            |at: Province| survey.position.unit(at).is_some_and(|unit| unit.owner == from);
        // Somebody must be left to win against.
        let others = survey.active.without(survey.me).len();
        if self.peace.contains(from) {
            "Agreed: there is peace."
        } else if own.iter().any(intrudes) {
            "Not while you stand in our centers."
        } else if is_near_victory(survey, from) {
            "No: you are too near to victory."
        } else if self.peace.len() + 1 >= others {
            "No: there would be nobody left to win against."
        } else {
            self.peace.insert(from);
            "Agreed: peace, for as long as you leave our centers alone."
        }
    }

    fn answer_zone(&mut self, survey: &Survey<'_>, from: Seat, zone: Provinces) -> &'static str {
        let position = survey.position;
        let own = |at: Province| {
            position.centers[at.index()] == Some(survey.me)
                || position
                    .unit(at)
                    .is_some_and(|unit| unit.owner == survey.me || unit.owner == from)
        };
        let all = self.zones.get(&from).copied().unwrap_or_default().union(zone);
        if zone.is_empty() || all.len() > ZONE_MAX {
            "No: name some provinces, and not too many."
        } else if zone.iter().any(own) {
            "No: units of ours or yours stand there, or we own a center."
        } else {
            self.zones.insert(from, all);
            "Agreed: we stay out of these provinces for as long as you do."
        }
    }
}

fn is_near_victory(survey: &Survey<'_>, seat: Seat) -> bool {
    survey.position.centers_of(seat).len() + NEAR_VICTORY
        > usize::from(survey.table.options.victory_centers)
}

/// The lines as a text, each said once; whatever would make it too long is left out.
fn fitting(lines: &[&str]) -> String {
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        if !lines[..index].contains(line) && text.len() + line.len() < LETTER_MAX {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        }
    }
    text
}

/// A set of provinces in 16 bytes.
fn write_set(set: Provinces) -> [u8; 16] {
    set.iter().fold(0_u128, |bits, at| bits | 1 << at.index()).to_le_bytes()
}

fn read_set(bytes: &[u8]) -> Provinces {
    let bits =
        bytes.get(..16).and_then(|bytes| bytes.try_into().ok()).map_or(0, u128::from_le_bytes);
    Province::ALL.into_iter().filter(|at| bits & (1 << at.index()) != 0).collect()
}

#[cfg(test)]
mod tests {
    use heliopause_diplomacy::{Insight, Options, Table, Unit, Variant, View};

    use super::*;

    const ME: usize = 2;

    fn view(change: impl FnOnce(&mut Table)) -> View {
        let mut table = Table::start(&Options::of(Variant::Standard), 7);
        change(&mut table);
        View { table, insight: Insight::Seat(Seat::at(ME), Vec::new()) }
    }

    fn letter(number: u64, from: usize, text: &str) -> Letter {
        Letter { number, from: Some(Seat::at(from)), text: text.to_owned() }
    }

    fn texts(replies: &[Reply]) -> Vec<&str> {
        replies.iter().map(|reply| reply.text.as_str()).collect()
    }

    fn set(names: &str) -> Provinces {
        names.split(' ').filter_map(|name| name.parse::<Province>().ok()).collect()
    }

    #[test]
    fn peace_and_empty_provinces_are_agreed_and_kept_in_the_memo() {
        let view = view(|_| {});
        let survey = Survey::new(&view).unwrap();
        let mut treaties = Treaties::default();
        let letters = [
            letter(4, 3, "Hello.\n PEACE? \ndmz bur, Pie?"),
            letter(5, 1, "Shall we?"),
            letter(6, 4, "dmz Xyz?"),
        ];
        let replies = treaties.correspond(&survey, &letters, Vec::new());
        let agreed = "Agreed: peace, for as long as you leave our centers alone.\nAgreed: we stay \
            out of these provinces for as \
                      long as you do.";
        assert_eq!(texts(&replies), [HINT, agreed, "One of these is no province."]);
        assert_eq!(treaties.friends(), SeatSet::one(Seat::at(3)));
        let german = view.table.position.centers_of(Seat::at(3));
        assert_eq!(treaties.closed(&view.table.position), set("Bur Pie").union(german));
        treaties.review(&survey);
        let mut again = Treaties::read(&treaties.write(), 7);
        assert_eq!(again, treaties);
        assert!(
            again.correspond(&survey, &letters, Vec::new()).is_empty(),
            "nothing new was written"
        );
        let more = [letter(7, 1, "Shall we not?")];
        assert!(again.correspond(&survey, &more, Vec::new()).is_empty(), "one hint is enough");
    }

    #[test]
    fn whoever_comes_into_own_centers_is_no_friend_any_more() {
        let before = view(|_| {});
        let mut treaties = Treaties { peace: SeatSet::one(Seat::at(3)), ..Treaties::default() };
        assert_eq!(treaties.review(&Survey::new(&before).unwrap()), []);
        let after = view(|table| {
            table.position.take("Par".parse::<Province>().unwrap());
            table.position.put(Unit::read(Seat::at(3), "A Par").unwrap());
            table.position.centers["Par".parse::<Province>().unwrap().index()] = Some(Seat::at(3));
        });
        let survey = Survey::new(&after).unwrap();
        let ended = treaties.review(&survey);
        assert_eq!(ended, [(Seat::at(3), "You attacked us: the peace is over.")]);
        assert!(treaties.friends().is_empty());
        assert_eq!(
            texts(&treaties.correspond(&survey, &[], ended)),
            ["You attacked us: the peace is over."]
        );
    }

    #[test]
    fn who_enters_a_zone_ends_it() {
        let entered = view(|table| table.position.put(Unit::read(Seat::at(3), "A Bur").unwrap()));
        let mut treaties =
            Treaties { zones: [(Seat::at(3), set("Bur"))].into(), ..Treaties::default() };
        assert_eq!(treaties.review(&Survey::new(&entered).unwrap()).len(), 1);
        assert!(treaties.closed(&entered.table.position).is_empty());
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let view = view(|table| {
            for center in Province::ALL.into_iter().filter(|at| at.is_center()).take(16) {
                table.position.centers[center.index()] = Some(Seat::at(5));
            }
        });
        let survey = Survey::new(&view).unwrap();
        let mut treaties = Treaties::default();
        let letters =
            [letter(1, 5, "peace?"), letter(2, 3, "dmz Mun Bur?"), letter(3, 4, "dmz ,?")];
        let replies = treaties.correspond(&survey, &letters, Vec::new());
        let refused = |reply: &&Reply| reply.text.starts_with("No: ");
        assert_eq!(replies.iter().filter(refused).count(), 3, "{replies:?}");
        assert_eq!(treaties, Treaties { heard: 3, ..Treaties::default() });
        let mut alone = Treaties {
            peace: [0, 1, 3, 4, 5].map(Seat::at).into_iter().collect(),
            ..Treaties::default()
        };
        assert!(alone.answer_peace(&survey, Seat::at(6)).starts_with("No: there would be nobody"));
    }

    #[test]
    fn what_bots_write_is_no_proposal() {
        for text in [HINT, "Agreed: there is peace.", "You attacked us: the peace is over."] {
            assert_eq!(Proposal::all_in(text).next(), None, "{text}");
        }
    }

    #[test]
    fn a_damaged_memo_does_no_harm() {
        let wild = Treaties::read(&[0xff; 200], 7);
        assert_eq!((wild.peace.len(), wild.zones.len()), (7, 0));
        assert_eq!(Treaties::read(&[1; 39], 7), Treaties::default());
    }
}
