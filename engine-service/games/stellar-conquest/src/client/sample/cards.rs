//! Rule 1: which card each star has.

use std::collections::BTreeMap;

use crate::client::sample::sampler::{Sampler, Wanted};
use crate::tables::cards::CardId;
use crate::tables::stars::{Colour, StarId};

impl Sampler<'_> {
    /// Gives cards to the stars that have one: those that the viewer knows, then those where
    /// colonies are wanted, then those where somebody else's ships have been long enough to
    /// explore.
    pub(super) fn deal(&mut self, wanted: &[Wanted]) {
        self.take_known_cards(wanted);
        let planets = |star: StarId| {
            let here = || wanted.iter().filter(move |row| row.star == star);
            let named =
                here().filter_map(|row| row.nth).map(|nth| usize::from(nth) + 1).max().unwrap_or(0);
            named.max(here().count())
        };
        let mut settled: Vec<(usize, StarId)> =
            StarId::ALL.into_iter().map(|star| (planets(star), star)).collect();
        settled.retain(|(planets, _)| *planets > 0);
        // Who needs most draws first, so that nobody takes a card with many planets from a star
        // that cannot do without.
        settled.sort_by_key(|(planets, _)| std::cmp::Reverse(*planets));
        for (planets, star) in settled {
            self.draw(star, planets);
        }
        for star in StarId::ALL {
            // Space 2: a star is claimed with its card. Elsewhere whoever is at a star may have
            // drawn it.
            let explored = match self.table.campaign.politics() {
                Some(politics) => politics.claimant(star).is_some(),
                None => self.others().any(|seat| self.table.has_ships(seat, star.at())),
            };
            if explored {
                self.draw(star, 0);
            }
        }
    }

    /// The cards that the viewer knows by their charts, and cards that fit the planets of their
    /// colonies at other stars: several can fit, so they are dealt in a way that serves all these
    /// stars.
    fn take_known_cards(&mut self, wanted: &[Wanted]) {
        let Some(own) = self.own else { return };
        for star in StarId::ALL {
            self.secrets.cards[star.index()] = own.chart(star).card;
        }
        let open: Vec<(StarId, Vec<CardId>)> = StarId::ALL
            .into_iter()
            .map(|star| (star, self.fitting(star, wanted)))
            .filter(|(_, cards)| !cards.is_empty())
            .collect();
        let mut dealt = BTreeMap::new();
        for nth in 0..open.len() {
            place(nth, &open, &mut dealt, &mut Vec::new());
        }
        for (card, nth) in dealt {
            self.secrets.cards[open[nth].0.index()] = Some(card);
        }
    }

    /// Cards that fit the viewer's colonies at a star without a card, with room for others'
    /// colonies there if any has.
    fn fitting(&self, star: StarId, wanted: &[Wanted]) -> Vec<CardId> {
        let Some(own) = self.own.filter(|own| own.chart(star).card.is_none()) else {
            return Vec::new();
        };
        let prizes = own.prizes.iter().map(|prize| &prize.colony);
        let colonies: Vec<_> =
            own.colonies.iter().chain(prizes).filter(|colony| colony.planet.star == star).collect();
        if colonies.is_empty() {
            return Vec::new();
        }
        let fits = |card: &CardId| {
            colonies.iter().all(|colony| colony.planet.on(*card) == Some(&colony.world))
        };
        let planets = colonies.len() + wanted.iter().filter(|row| row.star == star).count();
        let fitting: Vec<CardId> = self.pool(star.colour()).into_iter().filter(fits).collect();
        let roomy: Vec<CardId> =
            fitting.iter().copied().filter(|card| card.planets().len() >= planets).collect();
        if roomy.is_empty() { fitting } else { roomy }
    }

    /// The cards of a colour that lie nowhere yet.
    fn pool(&self, colour: Colour) -> Vec<CardId> {
        CardId::deck(colour).filter(|card| !self.secrets.cards.contains(&Some(*card))).collect()
    }

    /// Draws a card for a star that has none, with so many planets if there is one.
    fn draw(&mut self, star: StarId, planets: usize) {
        if self.secrets.cards[star.index()].is_some() {
            return;
        }
        let pool = self.pool(star.colour());
        let enough: Vec<CardId> =
            pool.iter().copied().filter(|card| card.planets().len() >= planets).collect();
        let pool = if enough.is_empty() { pool } else { enough };
        if !pool.is_empty() {
            let card = pool[self.below(pool.len())];
            self.secrets.cards[star.index()] = Some(card);
        }
    }

    /// 3.1: shuffles what was not drawn.
    pub(super) fn stack(&mut self) {
        for colour in Colour::ALL {
            let mut deck = self.pool(colour);
            self.shuffle(&mut deck);
            self.secrets.decks[colour as usize] = deck;
        }
    }
}

/// Gives the star with this place in the list one of its cards, moving others to another of theirs
/// where that helps. Says whether it could be done; `tried` are cards that were looked at already.
fn place(
    nth: usize,
    open: &[(StarId, Vec<CardId>)],
    dealt: &mut BTreeMap<CardId, usize>,
    tried: &mut Vec<CardId>,
) -> bool {
    for &card in &open[nth].1 {
        if tried.contains(&card) {
            continue;
        }
        tried.push(card);
        let other = dealt.get(&card).copied();
        if other.is_none_or(|other| place(other, open, dealt, tried)) {
            dealt.insert(card, nth);
            return true;
        }
    }
    false
}
