//! Whole games by bytes: legal orders, illegal ones, closed phases, seats that come and go.
//!
//! Beside the game goes a copy that was written and read at every close; both must tell the same.

use heliopause_games::Enveloped;
use heliopause_kernel::{Actor, Dice, Emitted, Game, Seat, SeatChange, Setup, Viewer, Why};
use prost::Message as _;

use crate::messages;
use crate::source::{Chance, Source};
use crate::wire::{Known, reads_back, viewers};

/// How many things are done in a game at most.
const MOVES: usize = 96;

/// The beginning of a game.
pub(crate) struct Start<G: Game> {
    pub(crate) game: G,
    pub(crate) dice: Dice,
}

/// A game of one of the editions, as printed where it has an end of itself.
pub(crate) fn start<G: Game>(edition: usize, more: usize) -> Start<G> {
    let editions = G::editions();
    let edition = &editions[edition % editions.len()];
    let options = G::unattended(edition.options.clone());
    let range = G::players(&options);
    let players = (range.start() + more % 4).min(*range.end());
    let mut dice = Dice::new([more as u8; 32]);
    let setup = Setup { options, players };
    let (game, _) = G::new(&setup, &mut dice).expect("a game as printed");
    Start { game, dice }
}

/// Whether the edition that a game plays has a rule.
pub(crate) fn has_rule<G: Game>(game: &G, number: &str) -> bool {
    G::rule_of(G::edition_of(&game.setup().options), number).is_some()
}

/// Every seat that is asked gives some orders, and the phase closes.
pub(crate) fn order_at_random<G: Game>(game: &mut G, chance: &mut Chance, dice: &mut Dice) {
    for decision in game.pending() {
        for _ in 0..3 {
            let offers = game.offers(decision.seat);
            if offers.list.is_empty() {
                break;
            }
            let offer = &offers.list[chance.below(offers.list.len())];
            let chosen = offers.at_random(offer, &mut || chance.draw());
            let Ok(line) = offers.fill(offer, &chosen) else { continue };
            let view = game.view(Viewer::Seat(decision.seat));
            for order in G::parse(&view, &line).into_iter().flatten() {
                let _ = game.submit(Actor::Seat(decision.seat), order, dice);
            }
        }
    }
    if game.outcome().is_none() {
        game.close(Why::Deadline, dice);
    }
}

/// The first byte names the game, the second edition and players; then come the moves.
pub fn play(data: &[u8]) {
    let mut source = Source::new(data);
    let game = source.byte();
    with_game!(game, Own => {
        played::<Own>(data);
    });
}

fn played<G: Enveloped>(data: &[u8])
where
    G::PositionMessage: Known,
    G::ViewMessage: Known,
    G::EventMessage: Known,
    G::OrderMessage: Known,
{
    let told = Watched::<G>::play(data, true);
    // The same bytes make the same game: nothing but state, orders and dice decides.
    let again = Watched::<G>::play(data, false);
    assert!(told.position() == again.position(), "{}: a replay ends elsewhere", G::ID);
    assert_eq!(told.told, again.told, "{}: a replay tells something else", G::ID);
}

/// A game and everybody's view of it, each kept up to date by its own events.
struct Watched<G: Game> {
    game: G,
    dice: Dice,
    views: Vec<(Viewer, G::View)>,
    /// How many events were told.
    told: usize,
    /// Whether everything is checked, or the game only played.
    checks: bool,
}

impl<G: Enveloped> Watched<G>
where
    G::PositionMessage: Known,
    G::ViewMessage: Known,
    G::EventMessage: Known,
    G::OrderMessage: Known,
{
    fn play(data: &[u8], checks: bool) -> Self {
        let mut source = Source::new(&data[1.min(data.len())..]);
        let which = usize::from(source.byte());
        let Start { game, dice } = start::<G>(which % 16, which / 16);
        let views = if checks {
            viewers(&game).into_iter().map(|viewer| (viewer, game.view(viewer))).collect()
        } else {
            Vec::new()
        };
        let mut watched = Self { game, dice, views, told: 0, checks };
        for _ in 0..MOVES {
            if source.is_empty() || watched.game.outcome().is_some() {
                break;
            }
            watched.do_something(&mut source);
        }
        if watched.game.outcome().is_some() {
            assert!(watched.game.pending().is_empty(), "{}: it is over", G::ID);
            let told = watched.game.reveal();
            watched.follow(&told);
            watched.game.reckon(&|seat| seat.to_string());
        } else {
            assert!(!watched.game.pending().is_empty(), "{}: it waits for nobody", G::ID);
        }
        watched.hold();
        watched
    }

    fn position(&self) -> Vec<u8> {
        self.game.write_position().encode_to_vec()
    }

    fn do_something(&mut self, source: &mut Source<'_>) {
        match source.byte() % 16 {
            0..=7 => self.offered(source),
            8 => self.line(source),
            9 => self.message(source),
            10 => {
                if let Some(seat) = self.someone(source) {
                    self.take_back(seat);
                }
            }
            11 => self.change_seat(source),
            12 => self.write_to(source),
            13 => self.look_at_secrets(source),
            _ => self.close(source),
        }
    }

    /// A seat: most often one that is asked.
    fn someone(&self, source: &mut Source<'_>) -> Option<Seat> {
        let pending = self.game.pending();
        match source.byte() {
            other @ 0..=15 => Some(Seat::at(usize::from(other % 8))),
            which => Some(pending.get(usize::from(which) % pending.len().max(1))?.seat),
        }
    }

    fn is_there(&self, seat: Seat) -> bool {
        let Setup { options, players } = self.game.setup();
        seat.index() < G::cast(&options, players).roles.len()
    }

    /// A line that fills an offer.
    fn offered_line(&self, seat: Seat, source: &mut Source<'_>) -> Option<String> {
        if !self.is_there(seat) {
            return None;
        }
        let offers = self.game.offers(seat);
        if self.checks {
            assert_eq!(offers.check(), Ok(()), "{}", G::ID);
        }
        let offer = source.pick(&offers.list)?;
        let chosen = offers.at_random(offer, &mut || source.chance());
        Some(offers.fill(offer, &chosen).expect("a filling at random fits"))
    }

    /// An order that was offered: it is taken.
    fn offered(&mut self, source: &mut Source<'_>) {
        let Some(seat) = self.someone(source) else { return };
        let Some(line) = self.offered_line(seat, source) else { return };
        let view = self.game.view(Viewer::Seat(seat));
        let orders = G::parse(&view, &line).expect("a filled offer is an order");
        for order in orders {
            assert_eq!(self.game.judge(Actor::Seat(seat), &order), Ok(()), "{}: {line}", G::ID);
            self.give(Actor::Seat(seat), order);
        }
    }

    /// A line with some characters changed: it may be no order, or an illegal one.
    fn line(&mut self, source: &mut Source<'_>) {
        let (Some(seat), from) = (self.someone(source), self.someone(source)) else { return };
        let Some(line) = from.and_then(|from| self.offered_line(from, source)) else { return };
        if !self.is_there(seat) {
            return;
        }
        let mut signs: Vec<char> = line.chars().collect();
        for _ in 0..source.byte() % 4 {
            let at = source.below(signs.len());
            let sign = char::from(source.byte() % 96 + 32);
            match source.byte() % 3 {
                0 => signs.insert(at, sign),
                _ if signs.is_empty() => {}
                1 => signs[at] = sign,
                _ => drop(signs.remove(at)),
            }
        }
        let line: String = signs.into_iter().collect();
        let view = self.game.view(Viewer::Seat(seat));
        for order in G::parse(&view, &line).into_iter().flatten() {
            self.give(Actor::Seat(seat), order);
        }
    }

    /// Any order that can be said, of anybody.
    fn message(&mut self, source: &mut Source<'_>) {
        let by = match source.byte() % 4 {
            0 => Actor::GameMaster,
            _ => self.someone(source).map_or(Actor::GameMaster, Actor::Seat),
        };
        let message = messages::typed::<G::OrderMessage>(source);
        if let Ok(order) = G::read_order(&message) {
            self.give(by, order);
        }
    }

    /// An order is judged and taken, or refused and changes nothing.
    fn give(&mut self, by: Actor, order: G::Order) {
        if self.game.outcome().is_some() {
            return;
        }
        let judged = self.game.judge(by, &order);
        let is_kept = G::is_revisable(&order);
        let before = (self.checks && judged.is_err()).then(|| self.position());
        let rolled = self.dice.rolls_made();
        let words = self.checks.then(|| G::notate(&order));
        let taken = self.game.submit(by, order, &mut self.dice);
        assert_eq!(judged.is_ok(), taken.is_ok(), "{}: {words:?} {judged:?}", G::ID);
        match taken {
            Ok(told) => {
                if is_kept {
                    assert_eq!(self.dice.rolls_made(), rolled, "{}: {words:?} rolls", G::ID);
                    let own = |viewer: &Viewer| match by {
                        Actor::Seat(seat) => {
                            [Viewer::Seat(seat), Viewer::GameMaster].contains(viewer)
                        }
                        Actor::GameMaster => true,
                    };
                    for (viewer, _) in self.views.iter().filter(|(viewer, _)| !own(viewer)) {
                        let leak = told.to(*viewer).next();
                        assert!(leak.is_none(), "{}: {viewer:?} is told of {words:?}", G::ID);
                    }
                }
                self.follow(&told);
            }
            Err(refusal) => {
                assert!(has_rule(&self.game, &refusal.rule), "{}: {refusal:?}", G::ID);
                if let Some(before) = before {
                    assert!(before == self.position(), "{}: {words:?} changes it", G::ID);
                }
            }
        }
    }

    fn take_back(&mut self, seat: Seat) {
        if !self.is_there(seat) {
            return;
        }
        let before = self.checks.then(|| self.position());
        match self.game.take_back(seat) {
            Ok(told) => self.follow(&told),
            Err(refusal) => {
                assert!(has_rule(&self.game, &refusal.rule), "{}: {refusal:?}", G::ID);
                if let Some(before) = before {
                    assert!(before == self.position(), "{}: a refusal changes it", G::ID);
                }
            }
        }
    }

    fn change_seat(&mut self, source: &mut Source<'_>) {
        let Some(seat) = self.someone(source).filter(|&seat| self.is_there(seat)) else { return };
        let change = if source.yes() { SeatChange::Taken } else { SeatChange::Abandoned };
        let told = self.game.seat_changed(seat, change);
        self.follow(&told);
    }

    fn write_to(&mut self, source: &mut Source<'_>) {
        let (Some(from), Some(to)) = (self.someone(source), self.someone(source)) else { return };
        let anonymous = source.yes();
        if from == to || !self.is_there(from) || !self.is_there(to) {
            return;
        }
        if self.game.press(from, to, anonymous).is_ok() && self.game.hears(to) {
            let told = self.game.messaged(from, to, anonymous);
            self.follow(&told);
        }
    }

    /// Another state that a seat cannot tell from this one: it is offered and refused the same.
    fn look_at_secrets(&mut self, source: &mut Source<'_>) {
        let Some(seat) = self.someone(source).filter(|&seat| self.is_there(seat)) else { return };
        let mut chance = Chance(source.chance());
        let message = messages::typed::<G::OrderMessage>(source);
        if !self.checks {
            return;
        }
        let viewer = Viewer::Seat(seat);
        let view = self.game.view(viewer);
        let other = G::sample(&view, &mut || chance.draw());
        assert_eq!(other.check(), Ok(()), "{}: a sample", G::ID);
        assert!(other.view(viewer) == view, "{} {viewer:?}: a sample looks different", G::ID);
        let (own, others) = (self.game.offers(seat), other.offers(seat));
        assert!(own == others, "{} {viewer:?}: other offers for the same knowledge", G::ID);
        let standing = |game: &G| game.standing_orders(seat);
        assert!(standing(&self.game) == standing(&other), "{} {viewer:?}: orders", G::ID);
        // The number of a decision is the game's own and is shown to nobody.
        let owed = |game: &G| -> Vec<_> {
            let pending = game.pending().into_iter();
            pending
                .filter(|one| one.seat == seat || game.is_public(one))
                .map(|one| {
                    (one.seat, one.kind, one.revisable, (one.seat == seat).then_some(one.prompt))
                })
                .collect()
        };
        assert_eq!(owed(&self.game), owed(&other), "{} {viewer:?}", G::ID);
        if let Ok(order) = G::read_order(&message) {
            let by = Actor::Seat(seat);
            assert_eq!(
                self.game.judge(by, &order),
                other.judge(by, &order),
                "{} {viewer:?}: {order:?} is judged by what is hidden",
                G::ID
            );
            let foretold = |game: &G| game.foretell(by, &order);
            assert!(foretold(&self.game) == foretold(&other), "{}: {order:?}", G::ID);
        }
    }

    fn close(&mut self, source: &mut Source<'_>) {
        let why = [Why::AllReady, Why::Deadline, Why::GameMaster][usize::from(source.byte() % 3)];
        self.hold();
        if !self.checks {
            let told = self.game.close(why, &mut self.dice);
            self.follow(&told);
            return;
        }
        let written = self.game.write_position();
        let mut other = G::read_position(&written).expect("a position that was written reads");
        let mut dice = self.dice.clone();
        let told = self.game.close(why, &mut self.dice);
        let others = other.close(why, &mut dice);
        assert!(told == others, "{}: a position that was kept tells something else", G::ID);
        assert!(
            other.write_position() == self.game.write_position(),
            "{}: a position that was kept goes on differently",
            G::ID
        );
        self.follow(&told);
        self.hold();
    }

    /// Folds what was told into the views, and compares them with the game's.
    fn follow(&mut self, told: &Emitted<G::Event>) {
        self.told += told.iter().count();
        if !self.checks {
            return;
        }
        for (viewer, view) in &mut self.views {
            let mut any = false;
            for event in told.to(*viewer) {
                G::update(view, event);
                any = true;
            }
            if any {
                assert!(*view == self.game.view(*viewer), "{} {viewer:?}: the view", G::ID);
            }
        }
        for told in told {
            let (text, rule) = G::describe(&told.event, &|seat| seat.to_string());
            assert!(!text.is_empty() && (rule.is_empty() || has_rule(&self.game, rule)), "{text}");
            let again = G::read_event(&G::write_event(&told.event));
            assert_eq!(again.as_ref(), Ok(&told.event), "{}", G::ID);
        }
    }

    /// The state holds together, reads back as written, and everybody's view is the game's.
    fn hold(&mut self) {
        if !self.checks {
            return;
        }
        reads_back(&self.game);
        for (viewer, view) in &self.views {
            assert!(*view == self.game.view(*viewer), "{} {viewer:?}: a view is stale", G::ID);
        }
    }
}
