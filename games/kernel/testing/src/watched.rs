//! A game with the view of every viewer, checked after each step.

use heliopause_kernel::{
    Actor, CloseCause, Dice, Emitted, Refusal, Seat, SeatChange, Setup, Viewer,
};

use crate::player::Tested;
use crate::seed;

/// A game and the views of all viewers, compared with the game after each step.
#[derive(Clone)]
pub struct Watched<G: Tested> {
    pub game: G,
    pub dice: Dice,
    views: Vec<(Viewer, G::View)>,
}

impl<G: Tested> Watched<G> {
    pub fn new(setup: &Setup<G::Options>, number: u64) -> Self {
        let mut dice = Dice::new(seed(number));
        let (game, _) = G::new(setup, &mut dice).expect("the options can be played");
        Self::of(game, dice)
    }

    pub fn of(game: G, dice: Dice) -> Self {
        let views = viewers(&game).map(|viewer| (viewer, game.view(viewer))).collect();
        Self { game, dice, views }
    }

    pub fn seats(&self) -> usize {
        self.views.len() - 2
    }

    pub fn asked(&self) -> Vec<Seat> {
        let mut seats: Vec<Seat> = self.game.pending().iter().map(|one| one.seat).collect();
        seats.dedup();
        seats
    }

    pub fn views(&self) -> impl Iterator<Item = (Viewer, &G::View)> {
        self.views.iter().map(|(viewer, view)| (*viewer, view))
    }

    pub fn view(&self, viewer: Viewer) -> &G::View {
        self.views().find(|(own, _)| *own == viewer).expect("a viewer of this game").1
    }

    pub fn own(&self, seat: Seat) -> &G::View {
        self.view(Viewer::Seat(seat))
    }

    pub fn has_rule(&self, number: &str) -> bool {
        let edition = G::edition_of(&self.game.setup().options);
        number.is_empty() || G::rule_of(edition, number).is_some()
    }

    pub fn follow(&mut self, emitted: &Emitted<G::Event>) {
        for (viewer, view) in &mut self.views {
            emitted.to(*viewer).for_each(|event| G::update(view, event));
            let is_same = *view == self.game.view(*viewer);
            assert!(
                is_same,
                "{}: the events of {viewer:?} do not make its view: {:?} of {emitted:?}",
                G::ID,
                emitted.to(*viewer).collect::<Vec<_>>()
            );
        }
        assert_eq!(self.game.check(), Ok(()), "{}: after {emitted:?}", G::ID);
    }

    /// Submits an order. A rejected order must change nothing and name a rule. A stored order must
    /// roll no dice and stay private.
    pub fn submit(&mut self, by: Actor, order: &G::Order) -> Result<Emitted<G::Event>, Refusal> {
        let judged = self.game.judge(by, order);
        let before = judged.is_err().then(|| self.game.clone());
        let rolled = self.dice.rolls_made();
        let taken = self.game.submit(by, order.clone(), &mut self.dice);
        assert_eq!(judged.as_ref().err(), taken.as_ref().err(), "{}: {order:?}", G::ID);
        match &taken {
            Ok(emitted) => {
                if let (true, Actor::Seat(seat)) = (G::is_revisable(order), by) {
                    assert_eq!(self.dice.rolls_made(), rolled, "{}: {order:?} rolls", G::ID);
                    self.assert_private(seat, emitted);
                }
                self.follow(emitted);
            }
            Err(refusal) => {
                assert!(self.has_rule(&refusal.rule), "{}: {refusal:?}", G::ID);
                assert!(before.as_ref() == Some(&self.game), "{}: refused {order:?}", G::ID);
            }
        }
        taken
    }

    fn assert_private(&self, seat: Seat, emitted: &Emitted<G::Event>) {
        let own = [Viewer::Seat(seat), Viewer::GameMaster];
        for (viewer, _) in self.views().filter(|(viewer, _)| !own.contains(viewer)) {
            assert_eq!(emitted.to(viewer).next(), None, "{}: {viewer:?} of {seat}", G::ID);
        }
    }

    pub fn take_back(&mut self, seat: Seat) {
        let before = self.game.clone();
        match self.game.take_back(seat) {
            Ok(emitted) => {
                self.assert_private(seat, &emitted);
                self.follow(&emitted);
            }
            Err(refusal) => {
                assert!(self.has_rule(&refusal.rule), "{}: {refusal:?}", G::ID);
                assert!(before == self.game, "{}: a refused take-back changes it", G::ID);
            }
        }
    }

    pub fn close(&mut self, why: CloseCause) -> Emitted<G::Event> {
        let emitted = self.game.close(why, &mut self.dice);
        self.follow(&emitted);
        for seat in (0..self.seats()).map(Seat::at).filter(|&seat| self.game.opens_ready(seat)) {
            let own = self.game.pending().into_iter().filter(|open| open.seat == seat);
            let is_stored = own.map(|open| open.revisable).eq([true]);
            let orders = self.game.standing_orders(seat);
            assert!(is_stored && !orders.is_empty(), "{}: {seat} opens ready", G::ID);
        }
        emitted
    }

    pub fn change_seat(&mut self, seat: Seat, change: SeatChange) -> Emitted<G::Event> {
        let emitted = self.game.seat_changed(seat, change);
        self.follow(&emitted);
        emitted
    }
}

pub(crate) fn viewers<G: Tested>(game: &G) -> impl Iterator<Item = Viewer> + use<G> {
    let Setup { options, players } = game.setup();
    let seats = G::cast(&options, players).roles.len();
    Seat::first(seats).map(Viewer::Seat).chain([Viewer::Spectator, Viewer::GameMaster])
}
