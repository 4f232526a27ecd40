//! Randomly played games.

use std::collections::HashSet;

use heliopause_kernel::offer::{Offer, Offers, Weight};
use heliopause_kernel::{Actor, CloseCause, Dice, Edition, Emitted, Role, Seat, Setup, Viewer};
use heliopause_proto::v1::{Game, Seat as Chair};
use heliopause_render::{Drawing, Renderer};

const PLAYERS: usize = 4;
const PHASES_MAX: usize = 2_000;

pub(crate) struct Played<G: Renderer> {
    pub(crate) game: G,
    pub(crate) around: Game,
    pub(crate) dice: Dice,
    /// The maximum number of lines that a player gives in a phase.
    pub(crate) lines_max: usize,
    /// Whether sheets may have several lines under one heading.
    pub(crate) repeats_headings: bool,
    pub(crate) told: Vec<Emitted<G::Event>>,
    chance: u64,
}

impl<G: Renderer> Played<G> {
    pub(crate) fn begin(edition: &Edition<G::Options>) -> Self {
        let options = edition.options.clone();
        let range = G::players(&options);
        let players = PLAYERS.clamp(*range.start(), *range.end());
        let roles = G::cast(&options, players).roles;
        let seats = roles.into_iter().zip(1..).map(|(Role { name, .. }, number)| Chair {
            number,
            role: name,
            ..Chair::default()
        });
        let around =
            Game { name: edition.name.to_owned(), seats: seats.collect(), ..Game::default() };
        let mut dice = Dice::new([18; 32]);
        let setup = Setup { options, players };
        let (game, told) = G::new(&setup, &mut dice).expect("the options as printed can be played");
        let told = vec![told];
        Self { game, around, dice, lines_max: 12, repeats_headings: true, told, chance: 18 }
    }

    fn next(&mut self) -> u64 {
        self.chance = self
            .chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.chance >> 32
    }

    pub(crate) fn seen(&self, viewer: Viewer) -> (G::View, Vec<G::Event>) {
        let told = self.told.iter().flat_map(|told| told.to(viewer)).cloned();
        (self.game.view(viewer), told.collect())
    }

    pub(crate) fn drawing(&self, viewer: Viewer) -> Box<dyn Drawing> {
        let (view, told) = self.seen(viewer);
        G::drawing(&view, &self.around, &told)
    }

    /// Plays one decision of a player, or one phase of all players, per step.
    pub(crate) fn play(&mut self, steps: usize) {
        for _ in 0..steps {
            let pending = self.game.pending();
            let Some(first) = pending.first() else { return };
            let at_once: Vec<Seat> = pending
                .iter()
                .filter(|it| (it.kind, it.number) == (first.kind, first.number))
                .map(|it| it.seat)
                .collect();
            let is_open = first.revisable;
            for seat in at_once {
                self.decide(seat, is_open);
                if !is_open {
                    break;
                }
            }
            if is_open {
                self.close(CloseCause::AllReady);
            }
        }
    }

    /// Ends the game with defaults only.
    pub(crate) fn finish(&mut self) {
        for _ in 0..PHASES_MAX {
            if self.game.outcome().is_some() || self.game.pending().is_empty() {
                return;
            }
            self.close(CloseCause::Deadline);
        }
    }

    fn close(&mut self, why: CloseCause) {
        let told = self.game.close(why, &mut self.dice);
        self.told.push(told);
    }

    fn decide(&mut self, seat: Seat, is_open: bool) {
        let offers = self.game.offers(seat);
        let lines = self.choose(&offers, is_open);
        let texts = if offers.sheet { vec![lines.join("\n")] } else { lines };
        for text in texts {
            let view = self.game.view(Viewer::Seat(seat));
            for order in G::parse(&view, &text).unwrap_or_default() {
                if let Ok(told) = self.game.submit(Actor::Seat(seat), order, &mut self.dice) {
                    self.told.push(told);
                }
            }
        }
    }

    /// Chooses lines from offers: one line if it can close the decision, or several lines in a
    /// phase that is open to all players.
    pub(crate) fn choose(&mut self, offers: &Offers<G::Order>, is_open: bool) -> Vec<String> {
        let mut open: Vec<&Offer<G::Order>> = Vec::new();
        for offer in &offers.list {
            let likes = match offer.weight {
                Weight::Main | Weight::Usual => true,
                Weight::Minor => self.next().is_multiple_of(4),
                Weight::End => !is_open,
                Weight::Grave => false,
            };
            if likes {
                open.push(offer);
            }
        }
        if open.is_empty() {
            open.extend(offers.list.first());
        }
        let (mut groups, mut lines) = (HashSet::new(), Vec::new());
        let most = if is_open { self.lines_max } else { 1 };
        let repeats = offers.sheet && self.repeats_headings;
        while lines.len() < most && !open.is_empty() {
            let offer = open.swap_remove(self.next() as usize % open.len());
            // A sheet can have many lines of one kind, but a unit has only one order.
            if repeats || groups.insert(offer.group) {
                let chosen = offers.at_random(offer, &mut || self.next());
                lines.push(offers.fill(offer, &chosen).expect("what is drawn at random fits"));
            }
        }
        lines
    }
}
