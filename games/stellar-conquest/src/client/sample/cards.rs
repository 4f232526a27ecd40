//! Rule 1: assignment of a card to each star, and shuffling of the rest into decks.

use std::collections::BTreeMap;

use crate::client::sample::sampler::{RequiredColony, Sampler};
use crate::tables::{CardId, StarColor, StarId};

impl Sampler<'_> {
    /// Assigns cards first to stars whose card the viewer knows, then to stars with required
    /// colonies, then to stars that other players may have explored.
    pub(super) fn deal(&mut self, wanted: &[RequiredColony]) {
        self.assign_known_cards(wanted);
        let planets = |star: StarId| {
            let here = || wanted.iter().filter(move |row| row.star == star);
            let named =
                here().filter_map(|row| row.nth).map(|nth| usize::from(nth) + 1).max().unwrap_or(0);
            named.max(here().count())
        };
        let mut settled: Vec<(usize, StarId)> =
            StarId::ALL.into_iter().map(|star| (planets(star), star)).collect();
        settled.retain(|(planets, _)| *planets > 0);
        // Stars with more colonies draw first, because only some cards have enough planets.
        settled.sort_by_key(|(planets, _)| std::cmp::Reverse(*planets));
        for (planets, star) in settled {
            self.draw(star, planets);
        }
        for star in StarId::ALL {
            // In Alone in Outer Space, exactly the claimed stars have cards (space 2). In other
            // variants, any player at the star may have drawn a card.
            let explored = match self.table.campaign.politics() {
                Some(politics) => politics.claimant(star).is_some(),
                None => self.others().any(|seat| self.table.has_ships(seat, star.at())),
            };
            if explored {
                self.draw(star, 0);
            }
        }
    }

    /// Assigns the cards that the viewer has seen, and cards that fit the viewer's colonies at
    /// other stars. Several cards can fit a star, so this is a bipartite matching.
    fn assign_known_cards(&mut self, wanted: &[RequiredColony]) {
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

    fn fitting(&self, star: StarId, wanted: &[RequiredColony]) -> Vec<CardId> {
        let Some(own) = self.own.filter(|own| own.chart(star).card.is_none()) else {
            return Vec::new();
        };
        let prizes = own.conquered_colonies.iter().map(|prize| &prize.colony);
        let colonies: Vec<_> =
            own.colonies.iter().chain(prizes).filter(|colony| colony.planet.star == star).collect();
        if colonies.is_empty() {
            return Vec::new();
        }
        let fits = |card: &CardId| {
            colonies.iter().all(|colony| colony.planet.on(*card) == Some(&colony.world))
        };
        let planets = colonies.len() + wanted.iter().filter(|row| row.star == star).count();
        let fitting: Vec<CardId> = self.pool(star.color()).into_iter().filter(fits).collect();
        let roomy: Vec<CardId> =
            fitting.iter().copied().filter(|card| card.planets().len() >= planets).collect();
        if roomy.is_empty() { fitting } else { roomy }
    }

    fn pool(&self, color: StarColor) -> Vec<CardId> {
        CardId::deck(color).filter(|card| !self.secrets.cards.contains(&Some(*card))).collect()
    }

    fn draw(&mut self, star: StarId, planets: usize) {
        if self.secrets.cards[star.index()].is_some() {
            return;
        }
        let pool = self.pool(star.color());
        let enough: Vec<CardId> =
            pool.iter().copied().filter(|card| card.planets().len() >= planets).collect();
        let pool = if enough.is_empty() { pool } else { enough };
        if !pool.is_empty() {
            let card = pool[self.below(pool.len())];
            self.secrets.cards[star.index()] = Some(card);
        }
    }

    pub(super) fn stack(&mut self) {
        for color in StarColor::ALL {
            let mut deck = self.pool(color);
            self.shuffle(&mut deck);
            self.secrets.decks[color as usize] = deck;
        }
    }
}

/// Assigns the `nth` star one of its candidate cards, moving other stars to another candidate if
/// necessary. Returns whether this succeeded. `tried` lists the cards already considered.
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
