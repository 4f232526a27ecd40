//! The interface that every game fits.

use crate::offer::Offers;
use crate::setting::Setting;
use crate::{Dice, Goal, Malformed, Reckoning, Refusal, Seat, SeatSet, Warning};

/// A game as a pure state machine: state, order and dice decide everything.
///
/// One idea covers sequential and simultaneous play: the state always tells which [`Decision`]s are
/// open and who owes them. A player may answer a revisable decision anew until its phase closes; a
/// final one is resolved at once.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    /// The game's id in the contract, for example `"starships-at-large"`.
    const ID: &'static str;
    /// The name for people.
    const NAME: &'static str;
    /// One sentence that tells a stranger what it is.
    const SUMMARY: &'static str;
    /// Raised whenever the same journal could replay to another state than before.
    const RULES_VERSION: u32;
    /// The kinds of [`Warning`] that there are in this game.
    const WARNINGS: &'static [&'static str];

    /// The rules options that a game is created with; `Default` is the game as printed.
    type Options: Clone + Default + Send + Sync;
    /// An order of a seat (or the game master).
    type Order: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// An event, as one audience is told of it.
    type Event: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// All that one viewer may know.
    type View: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// The games that these rules are published as: one, unless options make several games of them.
    fn editions() -> Vec<Edition<Self::Options>> {
        vec![Edition {
            id: Self::ID,
            name: Self::NAME,
            summary: Self::SUMMARY,
            options: Self::Options::default(),
        }]
    }

    /// The id of the edition that these options belong to.
    fn edition_of(_options: &Self::Options) -> &'static str {
        Self::ID
    }

    /// The choices when a game of this edition is created: each option with its possible values.
    /// The reader of options uses the same list.
    fn settings(edition: &Edition<Self::Options>) -> &'static [Setting<Self::Options>];

    /// The fewest and the most players that these options allow.
    fn players(options: &Self::Options) -> std::ops::RangeInclusive<usize>;

    /// How many players such a game usually has: four, if they are not too few or too many.
    fn usual_players(options: &Self::Options) -> usize {
        let players = Self::players(options);
        4.clamp(*players.start(), *players.end())
    }

    /// The options of a table where automation has every seat: nobody is there to end such a game,
    /// so it must end by itself. Given options stay.
    fn unattended(options: Self::Options) -> Self::Options {
        options
    }

    /// The roles at the table: one for each player, in seat order, then the seats that only
    /// automation plays.
    fn cast(options: &Self::Options, players: usize) -> Cast;

    /// The kinds of phase that can have a deadline of their own, most usual first.
    fn phase_kinds(options: &Self::Options) -> &'static [&'static str];

    /// Sets up a game.
    fn new(
        setup: &Setup<Self::Options>,
        dice: &mut Dice,
    ) -> Result<(Self, Emitted<Self::Event>), Refusal>;

    /// The settings of its start.
    fn setup(&self) -> Setup<Self::Options>;

    /// The open decisions and who owes each. Empty only when the game is over.
    fn pending(&self) -> Vec<Decision>;

    /// The decisions that open again once the open ones are answered: a turn in which its own player
    /// has a battle to decide. The clock of such a decision goes on while no other seat is asked.
    fn interrupted(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// Whether everybody may know that the seat of an open decision owes one. It must follow from
    /// what everybody knows: where it depends on a hidden fact, the answer is no.
    fn is_public(&self, _decision: &Decision) -> bool {
        false
    }

    /// Judges an order by what its actor may know, and changes nothing. [`Game::submit`] accepts an
    /// order that passes here in the same state.
    fn judge(&self, by: Actor, order: &Self::Order) -> Result<(), Refusal>;

    /// The immediate effect of this order on its giver, as far as it follows from what they may
    /// know: a dry run tells it beforehand. For an order of many parts it gives the outcome of
    /// each, even if the whole is refused.
    fn foretell(&self, _by: Actor, _order: &Self::Order) -> Option<Self::Event> {
        None
    }

    /// Whether an order answers a revisable decision. The game keeps such an order until its phase
    /// closes: taking it rolls no die, tells its giver nothing but their own words, and nobody else
    /// anything. All others resolve at once, and no resolution is ever taken back.
    fn is_revisable(order: &Self::Order) -> bool;

    /// Takes an order: judges it, and resolves it at once or keeps it for the close of the phase.
    /// Atomic: a refused order changes nothing.
    fn submit(
        &mut self,
        by: Actor,
        order: Self::Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Self::Event>, Refusal>;

    /// Takes back all that a seat has ordered in the open phase: its answer is again as the phase
    /// opened. Only orders that are kept until their phase closes can be taken back; a decision
    /// that resolves at once refuses it, with [`Refusal::resolved`].
    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Self::Event>, Refusal>;

    /// The orders of a seat that stand in the open phase: those that are kept until it closes. The
    /// seat may give them again, which changes nothing. None where orders resolve at once.
    fn standing_orders(&self, _seat: Seat) -> Vec<Self::Order> {
        Vec::new()
    }

    /// Closes all open decisions: resolves the submitted orders, takes defaults for missing ones.
    fn close(&mut self, why: Why, dice: &mut Dice) -> Emitted<Self::Event>;

    /// A seat was abandoned, taken over or handed back. Most games do not care.
    fn seat_changed(&mut self, _seat: Seat, _change: SeatChange) -> Emitted<Self::Event> {
        Emitted::new()
    }

    /// What this viewer may know, and nothing more.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// The view of automation that decides for this seat: what the seat may know. If the rules let
    /// the default orders of an abandoned seat know more, this adds it; no player ever sees it.
    fn briefing(&self, seat: Seat) -> Self::View {
        self.view(Viewer::Seat(seat))
    }

    /// Brings a view up to date by one event of its own audience. The view after a step equals the
    /// view before it plus the viewer's own events, in order.
    fn update(view: &mut Self::View, event: &Self::Event);

    /// All possible orders of a seat now, by its knowledge: every filling of every offer passes
    /// [`Game::judge`].
    fn offers(&self, seat: Seat) -> Offers<Self::Order>;

    /// What the seat of a view leaves undone or risks, weightiest first: if it gives this order
    /// next, which passes [`Game::judge`] and resolves at once; or, without one, if it is ready
    /// with the orders that are kept. One warning for each kind of omission, and at most
    /// [`WARNINGS_MAX`](crate::warning::WARNINGS_MAX). It is made of a view, so it tells nothing
    /// that its seat does not know.
    fn warnings(view: &Self::View, next: Option<&Self::Order>) -> Vec<Warning>;

    /// Whether a message from one seat to another may be sent, and when it arrives.
    fn press(&self, _from: Seat, _to: Seat, anonymous: bool) -> Result<Press, Refusal> {
        if anonymous {
            return Err(Refusal::new("not-anonymous", "", "This game has no anonymous messages."));
        }
        Ok(Press::AtOnce)
    }

    /// Whether players may write only messages that all of them read.
    fn only_public_press(&self) -> bool {
        false
    }

    /// Whether a message that was held may be delivered to a seat now.
    fn hears(&self, _seat: Seat) -> bool {
        true
    }

    /// A message was delivered. Some games make a contact of it.
    fn messaged(&mut self, _from: Seat, _to: Seat, _anonymous: bool) -> Emitted<Self::Event> {
        Emitted::new()
    }

    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The outcome when these seats are declared winners, or agree to a draw, before the rules
    /// decide.
    fn declared(&self, winners: SeatSet) -> Outcome {
        let points = vec![0; self.setup().players];
        Outcome { winners, draw: false, points, unit: "point", summary: String::new(), rule: "" }
    }

    /// The end of the game in numbers, whether its rules ended it or something else did. It follows
    /// from the final position, so no journal keeps it.
    fn reckon(&self, names: &dyn Fn(Seat) -> String) -> Reckoning;

    /// What each seat is on the way to, as the viewer of a view knows it; nothing once the game is
    /// over.
    fn goals(view: &Self::View) -> Vec<Goal>;

    /// How a seat writes what the game master sees, if its coordinates are its own. Used once the
    /// game is over, when a seat may see everything.
    fn transform_for(&self, _seat: Seat) -> Option<Box<dyn CoordinateTransform<Self>>> {
        None
    }

    /// Called when the game has ended, by its rules or before them: tells everybody the hidden
    /// facts. Most games hide nothing that is worth a look afterwards.
    fn reveal(&mut self) -> Emitted<Self::Event> {
        Emitted::new()
    }

    /// The seats still in the game.
    fn alive(&self) -> SeatSet;

    /// The seat whose player-turn it is, in sequential games.
    fn on_turn(&self) -> Option<Seat>;

    /// Counts rounds, turns or seasons, from public knowledge. Round and seat on turn together tell
    /// one turn from the next.
    fn round(&self) -> u64;

    /// The game's progress, for lists and headings, from public knowledge: `"round 3 of 12"`.
    fn progress(&self) -> String;

    /// The name of a seat for this reader, if players have names within the game that the reader
    /// knows; `None` leaves it to the table.
    fn called(&self, _seat: Seat, _reader: Viewer) -> Option<String> {
        None
    }

    /// A sentence for a person about an event, with the number of the rule that decided it (or an
    /// empty one).
    fn describe(event: &Self::Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str);

    /// The text of a rule, in our own words, for `?` and Explain; `None` if there is no such
    /// number.
    fn rule(number: &str) -> Option<&'static str>;

    /// Every rule in the order of the rulebook: its number, and its title or the first sentence of
    /// its text ([`headings`](crate::headings)).
    fn rules() -> Vec<(&'static str, &'static str)>;

    /// The text of a rule of one edition. By default each edition has all rules.
    fn rule_of(_edition: &str, number: &str) -> Option<&'static str> {
        Self::rule(number)
    }

    /// Reads orders written as text, one a line, in the notation of the game. Judging them is up to
    /// [`Game::judge`].
    fn parse(view: &Self::View, text: &str) -> Result<Vec<Self::Order>, Malformed>;

    /// Writes an order in the notation of the game; [`Game::parse`] reads it back.
    fn notate(order: &Self::Order) -> String;

    /// A random state that is consistent with everything in this view, and whose view for the same
    /// viewer equals it. It comes from the view alone, so look-ahead on it can use only the seat's
    /// knowledge.
    fn sample(view: &Self::View, rng: &mut dyn FnMut() -> u64) -> Self;

    /// Whether state and counters hold together. Asserted by tests and after every import.
    fn check(&self) -> Result<(), String>;
}

/// A game's passage over the wire: the typed messages of its own proto package.
///
/// Reading never panics and never trusts: every message may come from a stranger.
pub trait Wire: Game {
    /// The rules options as a message.
    type OptionsMessage;
    /// An order as a message.
    type OrderMessage;
    /// An event as a message.
    type EventMessage;
    /// A view as a message.
    type ViewMessage;
    /// The complete state as a message: no seed and no future dice in it.
    type PositionMessage;

    /// Reads options; absent ones take their default.
    fn read_options(message: &Self::OptionsMessage) -> Result<Self::Options, Malformed>;
    /// Reads the options for a new game of one of the [`Game::editions`]: absent ones are as
    /// printed for that edition, and options that would make another game of it are refused.
    fn read_options_of(
        _offer: &Edition<Self::Options>,
        message: &Self::OptionsMessage,
    ) -> Result<Self::Options, Malformed> {
        Self::read_options(message)
    }
    /// Writes options, defaults filled in.
    fn write_options(options: &Self::Options) -> Self::OptionsMessage;
    /// Reads an order.
    fn read_order(message: &Self::OrderMessage) -> Result<Self::Order, Malformed>;
    /// Writes an order.
    fn write_order(order: &Self::Order) -> Self::OrderMessage;
    /// Reads an event.
    fn read_event(message: &Self::EventMessage) -> Result<Self::Event, Malformed>;
    /// Writes an event.
    fn write_event(event: &Self::Event) -> Self::EventMessage;
    /// Reads a view.
    fn read_view(message: &Self::ViewMessage) -> Result<Self::View, Malformed>;
    /// Writes a view.
    fn write_view(view: &Self::View) -> Self::ViewMessage;
    /// Reads a position: checks every invariant, so that no position from outside can break a game.
    fn read_position(message: &Self::PositionMessage) -> Result<Self, Malformed>;
    /// Writes the position. Reading it back is the identity.
    fn write_position(&self) -> Self::PositionMessage;
}

/// Rewrites what the game master sees in the coordinates of a seat.
pub trait CoordinateTransform<G: Game>: Send + Sync {
    /// Rewrites a view.
    fn view(&self, view: &mut G::View);
    /// Rewrites an event.
    fn event(&self, event: &mut G::Event);
}

/// A game as it is published: one of those that a body of rules can be.
#[derive(Clone, Debug)]
pub struct Edition<O> {
    /// The id in the contract, for example `"starships-at-large"`.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence that tells a stranger what it is.
    pub summary: &'static str,
    /// The options as printed.
    pub options: O,
}

/// The roles at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    /// One role a seat, in seat order.
    pub roles: Vec<Role>,
    /// Whether the players' seats differ only in their number. Players then choose none by name.
    pub alike: bool,
}

/// What a seat plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// A short name: `"Player 1"`, `"Death Star"`.
    pub name: String,
    /// The AI profile that plays it; for a player's seat, the one that fills in.
    pub profile: &'static str,
    /// The AI profile that plays the seat once its player is gone for good, if it differs: a game
    /// may have default orders of its own for abandoned seats.
    pub abandoned: Option<&'static str>,
    /// Whether only automation plays it.
    pub automaton: bool,
}

impl Role {
    /// The profile that plays the seat while nobody has it.
    pub fn when_abandoned(&self) -> &'static str {
        self.abandoned.unwrap_or(self.profile)
    }

    /// Every profile that the role names.
    pub fn profiles(&self) -> impl Iterator<Item = &'static str> + use<> {
        [Some(self.profile), self.abandoned].into_iter().flatten()
    }
}

/// The settings of a new game.
#[derive(Clone, Debug)]
pub struct Setup<O> {
    /// The rules options.
    pub options: O,
    /// How many seats are players'. Within [`Game::players`].
    pub players: usize,
}

/// A decision that is open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Who owes it.
    pub seat: Seat,
    /// Its kind, one of [`Game::phase_kinds`].
    pub kind: &'static str,
    /// Tells it from the earlier decisions of the same kind and seat; a turn that the question of
    /// another interrupts goes on under its number. Decisions with the same kind and number share
    /// one deadline, so that a secret question within a turn does not show.
    pub number: u64,
    /// Whether it may be answered again until its phase closes, and has a "ready" mark.
    pub revisable: bool,
    /// The question, as a sentence for the seat that owes it.
    pub prompt: String,
}

/// Who gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Seat(Seat),
    /// The game master, who holds no seat.
    GameMaster,
}

/// Who looks at the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    Seat(Seat),
    /// Anybody, without a seat.
    Spectator,
    /// The game master, who sees everything and holds no seat.
    GameMaster,
}

/// Why the open decisions are closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Every seat that owes a revisable decision is ready.
    AllReady,
    /// The deadline passed.
    Deadline,
    /// The game master closed the phase.
    GameMaster,
}

/// The fate of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatChange {
    /// Its player is gone for good; nobody has it.
    Abandoned,
    /// A player has it again.
    Taken,
}

/// When a message arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// Now.
    AtOnce,
    /// As soon as the game says that its receiver [hears](Game::hears).
    Held,
}

/// The audience of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    /// These seats.
    pub seats: SeatSet,
    /// Spectators too.
    pub spectators: bool,
    /// The game master too, who is told everything once: of two versions of one event, the fuller.
    pub game_master: bool,
}

impl Audience {
    /// Everybody.
    pub fn everyone() -> Self {
        Self { seats: SeatSet::from_bits(u64::MAX), spectators: true, game_master: true }
    }

    /// Some seats and the game master.
    pub fn seats(seats: SeatSet) -> Self {
        Self { seats, spectators: false, game_master: true }
    }

    /// One seat and the game master.
    pub fn seat(seat: Seat) -> Self {
        Self::seats(SeatSet::one(seat))
    }

    /// Everybody but these seats and the game master: the lesser version of an event for
    /// [`Audience::seats`].
    pub fn others(seats: SeatSet) -> Self {
        Self { seats: SeatSet::from_bits(!seats.bits()), spectators: true, game_master: false }
    }

    /// The game master alone.
    pub fn game_master() -> Self {
        Self { seats: SeatSet::EMPTY, spectators: false, game_master: true }
    }

    /// The one viewer that it addresses, if there is one: a seat goes before the game master, who
    /// reads along.
    pub fn reader(self) -> Option<Viewer> {
        let mut seats = self.seats.iter();
        match (seats.next(), seats.next(), self.spectators) {
            (Some(seat), None, false) => Some(Viewer::Seat(seat)),
            (None, _, false) if self.game_master => Some(Viewer::GameMaster),
            _ => None,
        }
    }

    /// Whether this viewer is told.
    pub fn includes(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats.contains(seat),
            Viewer::Spectator => self.spectators,
            Viewer::GameMaster => self.game_master,
        }
    }
}

/// An event and its audience. The only form in which anything leaves a game by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Told<E> {
    /// Who is told.
    pub audience: Audience,
    pub event: E,
}

/// The events of a step, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted<E>(Vec<Told<E>>);

impl<E> Emitted<E> {
    /// Nothing yet.
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// Tells an audience of an event.
    pub fn tell(&mut self, audience: Audience, event: E) {
        debug_assert!(
            !audience.seats.is_empty() || audience.spectators || audience.game_master,
            "an event that nobody is told is lost"
        );
        self.0.push(Told { audience, event });
    }

    /// Appends the events of another step.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The events, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Told<E>> {
        self.0.iter()
    }

    /// One viewer's events, in order.
    pub fn to(&self, viewer: Viewer) -> impl Iterator<Item = &E> {
        self.0.iter().filter(move |told| told.audience.includes(viewer)).map(|told| &told.event)
    }

    /// Whether nothing was told.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<E> Default for Emitted<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> IntoIterator for Emitted<E> {
    type Item = Told<E>;
    type IntoIter = std::vec::IntoIter<Told<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Emitted<E> {
    type Item = &'a Told<E>;
    type IntoIter = std::slice::Iter<'a, Told<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The seats that won, or share the draw; empty when everybody lost, or nobody won.
    pub winners: SeatSet,
    /// Whether it is a draw between them: then nobody won over the others.
    pub draw: bool,
    /// Points of each player's seat, in seat order.
    pub points: Vec<i64>,
    /// What a point is called: `"credit"`.
    pub unit: &'static str,
    /// Why, as a sentence.
    pub summary: String,
    /// The rule that decided it.
    pub rule: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audience_has_a_reader_if_it_is_one_viewer() {
        let (one, two) = (Seat::at(0), Seat::at(1));
        assert_eq!(Audience::seat(two).reader(), Some(Viewer::Seat(two)));
        assert_eq!(Audience::game_master().reader(), Some(Viewer::GameMaster));
        let both: SeatSet = [one, two].into_iter().collect();
        for many in [Audience::seats(both), Audience::others(both), Audience::everyone()] {
            assert_eq!(many.reader(), None, "{many:?}");
        }
        let nobody = Audience { seats: SeatSet::EMPTY, spectators: false, game_master: false };
        assert_eq!(nobody.reader(), None);
    }

    #[test]
    fn what_is_told_keeps_its_order_and_its_audience() {
        let mut first = Emitted::new();
        assert!(first.is_empty());
        first.tell(Audience::everyone(), 1);
        let mut second = Emitted::default();
        second.tell(Audience::seat(Seat::at(0)), 2);
        second.tell(Audience::everyone(), 3);
        first.extend(second);
        assert!(!first.is_empty());
        assert_eq!(first.iter().map(|told| told.event).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(first.to(Viewer::Spectator).copied().collect::<Vec<_>>(), [1, 3]);
        assert_eq!((&first).into_iter().map(|told| told.event).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(first.into_iter().map(|told| told.event).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn an_audience_includes_whom_it_names() {
        let (one, two) = (Seat::at(0), Seat::at(1));
        let others = Audience::others(SeatSet::one(one));
        assert!(others.includes(Viewer::Seat(two)) && others.includes(Viewer::Spectator));
        assert!(!others.includes(Viewer::Seat(one)) && !others.includes(Viewer::GameMaster));
        let own = Audience::seat(one);
        assert!(own.includes(Viewer::Seat(one)) && own.includes(Viewer::GameMaster));
        assert!(!own.includes(Viewer::Seat(two)) && !own.includes(Viewer::Spectator));
    }
}
