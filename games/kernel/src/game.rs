//! The interface implemented by every game.

use crate::offer::Offers;
use crate::setting::Setting;
use crate::{Dice, FinalScore, Goal, Malformed, Refusal, Rulebook, Seat, SeatSet, Warning};

/// A game as a pure state machine: state, orders and dice determine everything.
///
/// Sequential and simultaneous play use the same model: the state always lists the open
/// [`Decision`]s and their seats. A player may replace the answer to a revisable decision until its
/// phase closes. A final decision resolves immediately.
pub trait Game: Clone + Send + Sync + Sized + 'static {
    const ID: &'static str;
    const NAME: &'static str;
    const SUMMARY: &'static str;
    /// Version of the rules. Incremented whenever an existing journal could replay to a different
    /// state.
    const RULES_VERSION: u32;
    const WARNINGS: &'static [&'static str];

    /// The options of a game. `Default` gives the rules as printed.
    type Options: Clone + Default + Send + Sync;
    type Order: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// An event, redacted for an audience.
    type Event: Clone + PartialEq + std::fmt::Debug + Send + Sync;
    /// The part of the state visible to a viewer.
    type View: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// Returns the games offered under these rules: one, unless the options distinguish several.
    fn editions() -> Vec<Edition<Self::Options>> {
        vec![Edition {
            id: Self::ID,
            name: Self::NAME,
            summary: Self::SUMMARY,
            options: Self::Options::default(),
        }]
    }

    /// Returns the id of the edition with these options.
    fn edition_of(_options: &Self::Options) -> &'static str {
        Self::ID
    }

    /// Returns descriptions of the options for a new game of this edition, with their possible
    /// values.
    fn settings(edition: &Edition<Self::Options>) -> &'static [Setting<Self::Options>];

    fn players(options: &Self::Options) -> std::ops::RangeInclusive<usize>;

    /// Returns the default number of players: four, or the nearest allowed number.
    fn usual_players(options: &Self::Options) -> usize {
        let players = Self::players(options);
        4.clamp(*players.start(), *players.end())
    }

    /// Adjusts the options of a game with only automated seats. No player can stop such a game, so
    /// it must end by its rules.
    fn unattended(options: Self::Options) -> Self::Options {
        options
    }

    /// Returns the roles: players in seat order, then the seats that are always automated.
    fn cast(options: &Self::Options, players: usize) -> Cast;

    /// Returns the kinds of phase that can have separate deadlines, most common first.
    fn phase_kinds(options: &Self::Options) -> &'static [&'static str];

    fn new(
        setup: &Setup<Self::Options>,
        dice: &mut Dice,
    ) -> Result<(Self, Emitted<Self::Event>), Refusal>;

    fn setup(&self) -> Setup<Self::Options>;

    /// Returns the open decisions. Empty only when the game is over.
    fn pending(&self) -> Vec<Decision>;

    /// Returns the decisions that reopen after the open ones, such as a turn interrupted by a
    /// battle. The clock of such a decision continues while no other seat has an open decision.
    fn interrupted(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// Returns whether all viewers can see that the decision is open. Uses only public facts.
    fn is_public(&self, _decision: &Decision) -> bool {
        false
    }

    /// Validates an order using only what its actor can see. [`Game::submit`] accepts valid orders.
    fn judge(&self, by: Actor, order: &Self::Order) -> Result<(), Refusal>;

    /// Returns the event that an order would immediately publish to its actor, or `None` if the
    /// actor cannot predict it. Covers each part of an order, even if the whole order would be
    /// rejected.
    fn preview(&self, _by: Actor, _order: &Self::Order) -> Option<Self::Event> {
        None
    }

    /// Returns whether an order is stored until its phase closes. Storing rolls no dice, and
    /// publishes only the order, to its own seat. All other orders resolve immediately and cannot
    /// be withdrawn.
    fn is_revisable(order: &Self::Order) -> bool;

    /// Validates an order, and resolves or stores it. A rejected order changes nothing.
    fn submit(
        &mut self,
        by: Actor,
        order: Self::Order,
        dice: &mut Dice,
    ) -> Result<Emitted<Self::Event>, Refusal>;

    /// Withdraws all of a seat's stored orders, also those with which the phase opened. Otherwise
    /// restores the state at the start of the phase.
    /// For a decision that resolves immediately, returns [`Refusal::resolved`].
    fn take_back(&mut self, seat: Seat) -> Result<Emitted<Self::Event>, Refusal>;

    /// Returns the stored orders of a seat. Submitting them again changes nothing.
    fn standing_orders(&self, _seat: Seat) -> Vec<Self::Order> {
        Vec::new()
    }

    /// Returns whether the decision of a seat has just opened with stored orders that answer it,
    /// such as conditional orders from an earlier phase. The seat is then ready at once. Called
    /// after [`Game::close`].
    fn opens_ready(&self, _seat: Seat) -> bool {
        false
    }

    /// Resolves all open decisions, with default orders where none were submitted.
    fn close(&mut self, why: CloseCause, dice: &mut Dice) -> Emitted<Self::Event>;

    /// Called when a seat is abandoned, taken over or handed back. Most games ignore this.
    fn seat_changed(&mut self, _seat: Seat, _change: SeatChange) -> Emitted<Self::Event> {
        Emitted::new()
    }

    /// Returns exactly what is visible to this viewer.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// Returns the view for automation that plays this seat. It includes facts that the rules
    /// reveal only to the default orders of an abandoned seat, and is never shown to players.
    fn briefing(&self, seat: Seat) -> Self::View {
        self.view(Viewer::Seat(seat))
    }

    /// Applies an event to its receiver's view. All events of a step give the view after the step.
    fn update(view: &mut Self::View, event: &Self::Event);

    /// Returns the possible orders of a seat, based on its view. Every order that fills an offer's
    /// slots with allowed values passes [`Game::judge`].
    fn offers(&self, seat: Seat) -> Offers<Self::Order>;

    /// Returns warnings, most important first: at most one per kind, and at most
    /// [`WARNINGS_MAX`](crate::warning::WARNINGS_MAX). They concern giving the order `next`, which
    /// is valid and resolves immediately, or marking the stored orders ready.
    fn warnings(view: &Self::View, next: Option<&Self::Order>) -> Vec<Warning>;

    /// Returns whether the options allow messages that hide their sender. [`Game::press`] refuses
    /// them otherwise.
    fn anonymous_press(_options: &Self::Options) -> bool {
        false
    }

    /// Returns when a message from one seat to another arrives, or the reason why it is refused.
    fn press(&self, _from: Seat, _to: Seat, anonymous: bool) -> Result<Press, Refusal> {
        if anonymous {
            return Err(Refusal::new(
                "not-anonymous",
                "",
                "Anonymous messages are not allowed in this game.",
            ));
        }
        Ok(Press::AtOnce)
    }

    /// Returns whether players may only send messages to everyone.
    fn only_public_press(&self) -> bool {
        false
    }

    fn can_receive(&self, _seat: Seat) -> bool {
        true
    }

    /// Called when a message is delivered. In some games this establishes contact.
    fn message_delivered(
        &mut self,
        _from: Seat,
        _to: Seat,
        _anonymous: bool,
    ) -> Emitted<Self::Event> {
        Emitted::new()
    }

    fn outcome(&self) -> Option<Outcome>;

    /// Returns the outcome if these seats are declared winners or agree to a draw.
    fn declared(&self, winners: SeatSet) -> Outcome {
        let points = vec![0; self.setup().players];
        Outcome { winners, draw: false, points, unit: "point", summary: String::new(), rule: "" }
    }

    /// Returns the final scores, whether or not the game ended by its rules.
    fn final_score(&self, names: &dyn Fn(Seat) -> String) -> FinalScore;

    /// Returns progress towards goals, as visible to the viewer. Empty once the game is over.
    fn goals(view: &Self::View) -> Vec<Goal>;

    /// Returns the conversion of the game master's view to a seat's coordinates. `None` if both use
    /// the same coordinates.
    fn transform_for(&self, _seat: Seat) -> Option<Box<dyn CoordinateTransform<Self>>> {
        None
    }

    /// Reveals hidden facts to everyone. Called once the game has ended in any way.
    fn reveal(&mut self) -> Emitted<Self::Event> {
        Emitted::new()
    }

    fn alive(&self) -> SeatSet;

    fn on_turn(&self) -> Option<Seat>;

    /// Returns the number of the round, turn or season, from public facts.
    fn round(&self) -> u64;

    /// Returns the game's progress for lists and headings, from public facts: `"round 3 of 12"`.
    fn progress(&self) -> String;

    /// Returns the game's own name for a seat, such as the name of the empire. Returns `None` if
    /// the seat has no such name or it is hidden from this reader.
    fn seat_name(&self, _seat: Seat, _reader: Viewer) -> Option<String> {
        None
    }

    /// Returns a sentence about an event, and the number of the rule that decided it (empty if
    /// none).
    fn describe(event: &Self::Event, names: &dyn Fn(Seat) -> String) -> (String, &'static str);

    /// Returns the rules of all editions.
    fn rulebook() -> &'static Rulebook;

    /// Returns the tables of the terms and of the guides for beginners, as [`rows`](crate::rows)
    /// reads them. A term has the word, its long form, the meaning and the rule. A guide has the
    /// kind of decision, the start of the prompts, the text and when the decision ends.
    fn primer() -> [&'static str; 2] {
        ["", ""]
    }

    /// Returns the text of a rule. `None` for an unknown number.
    fn rule(number: &str) -> Option<&'static str> {
        Self::rulebook().text(number)
    }

    fn rule_of(_edition: &str, number: &str) -> Option<&'static str> {
        Self::rule(number)
    }

    /// Parses orders in the game's notation, one per line. [`Game::judge`] validates them.
    fn parse(view: &Self::View, text: &str) -> Result<Vec<Self::Order>, Malformed>;

    /// Formats an order in the game's notation. [`Game::parse`] is the inverse.
    fn notate(order: &Self::Order) -> String;

    /// Returns a random state whose view for the same viewer equals this view.
    fn sample(view: &Self::View, rng: &mut dyn FnMut() -> u64) -> Self;

    /// Checks the consistency of the state.
    fn check(&self) -> Result<(), String>;
}

/// Conversion between a game's types and the messages of its proto package.
///
/// Reading never panics and validates everything, because messages may come from untrusted clients.
pub trait Wire: Game {
    type OptionsMessage;
    type OrderMessage;
    type EventMessage;
    type ViewMessage;
    /// The complete state as a message, without the seed.
    type PositionMessage;

    /// Reads options. Absent options get their defaults.
    fn read_options(message: &Self::OptionsMessage) -> Result<Self::Options, Malformed>;
    /// Reads options of one of the [`Game::editions`]. Absent options get the defaults of that
    /// edition. Options that identify another edition are an error.
    fn read_options_of(
        _offer: &Edition<Self::Options>,
        message: &Self::OptionsMessage,
    ) -> Result<Self::Options, Malformed> {
        Self::read_options(message)
    }
    fn write_options(options: &Self::Options) -> Self::OptionsMessage;
    fn read_order(message: &Self::OrderMessage) -> Result<Self::Order, Malformed>;
    fn write_order(order: &Self::Order) -> Self::OrderMessage;
    fn read_event(message: &Self::EventMessage) -> Result<Self::Event, Malformed>;
    fn write_event(event: &Self::Event) -> Self::EventMessage;
    fn read_view(message: &Self::ViewMessage) -> Result<Self::View, Malformed>;
    fn write_view(view: &Self::View) -> Self::ViewMessage;
    /// Reads a position. Checks every invariant, so that an imported position cannot break a game.
    fn read_position(message: &Self::PositionMessage) -> Result<Self, Malformed>;
    fn write_position(&self) -> Self::PositionMessage;
}

/// A conversion of the game master's view to a seat's coordinates.
pub trait CoordinateTransform<G: Game>: Send + Sync {
    fn view(&self, view: &mut G::View);
    fn event(&self, event: &mut G::Event);
}

/// One of the games offered under a set of rules.
#[derive(Clone, Debug)]
pub struct Edition<O> {
    pub id: &'static str,
    pub name: &'static str,
    pub summary: &'static str,
    pub options: O,
}

/// The roles of a game's seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cast {
    pub roles: Vec<Role>,
    /// Whether the players' seats differ only by number, so that players need not choose seats.
    pub alike: bool,
}

/// The role of a seat, with the AI profiles that can play the seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    /// A short name: `"Player 1"`, `"Death Star"`.
    pub name: String,
    /// The AI profile that plays the seat, or fills in for its player.
    pub profile: &'static str,
    /// The AI profile after the player has left permanently, if different.
    pub abandoned: Option<&'static str>,
    pub always_automated: bool,
}

impl Role {
    pub fn when_abandoned(&self) -> &'static str {
        self.abandoned.unwrap_or(self.profile)
    }

    pub fn profiles(&self) -> impl Iterator<Item = &'static str> + use<> {
        [Some(self.profile), self.abandoned].into_iter().flatten()
    }
}

/// The options and the number of players of a game.
#[derive(Clone, Debug)]
pub struct Setup<O> {
    pub options: O,
    /// Number of players, within [`Game::players`].
    pub players: usize,
}

/// A decision that a seat must make.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    pub seat: Seat,
    /// The kind, one of [`Game::phase_kinds`].
    pub kind: &'static str,
    /// Distinguishes the decision from earlier ones of the same kind and seat. The decision of an
    /// interrupted turn keeps its number. Decisions with the same kind and number share a deadline,
    /// so that a secret decision within a turn stays hidden.
    pub number: u64,
    /// Whether the answer can be changed until the phase closes.
    pub revisable: bool,
    pub prompt: String,
}

/// The seat or game master that gives an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Seat(Seat),
    GameMaster,
}

/// A viewer of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    Seat(Seat),
    Spectator,
    /// The game master, who can see everything and has no seat.
    GameMaster,
}

/// The reason for closing the open decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseCause {
    AllReady,
    Deadline,
    GameMaster,
}

/// A change of a seat's player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatChange {
    Abandoned,
    Taken,
}

/// The time at which a message is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    AtOnce,
    /// Delivered when the receiver [can receive](Game::can_receive) it.
    Held,
}

/// The viewers that receive an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    pub seats: SeatSet,
    pub spectators: bool,
    /// Whether the game master is included. If an event has two versions, only the more complete
    /// one includes the game master.
    pub game_master: bool,
}

impl Audience {
    pub fn everyone() -> Self {
        Self { seats: SeatSet::from_bits(u64::MAX), spectators: true, game_master: true }
    }

    pub fn seats(seats: SeatSet) -> Self {
        Self { seats, spectators: false, game_master: true }
    }

    pub fn seat(seat: Seat) -> Self {
        Self::seats(SeatSet::one(seat))
    }

    /// Returns the audience for the redacted version of an event: everyone except these seats and
    /// the game master.
    pub fn others(seats: SeatSet) -> Self {
        Self { seats: SeatSet::from_bits(!seats.bits()), spectators: true, game_master: false }
    }

    pub fn game_master() -> Self {
        Self { seats: SeatSet::EMPTY, spectators: false, game_master: true }
    }

    /// Returns the single viewer that is addressed, if any. A seat takes precedence over the game
    /// master, who receives its events too.
    pub fn reader(self) -> Option<Viewer> {
        let mut seats = self.seats.iter();
        match (seats.next(), seats.next(), self.spectators) {
            (Some(seat), None, false) => Some(Viewer::Seat(seat)),
            (None, _, false) if self.game_master => Some(Viewer::GameMaster),
            _ => None,
        }
    }

    pub fn includes(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.seats.contains(seat),
            Viewer::Spectator => self.spectators,
            Viewer::GameMaster => self.game_master,
        }
    }
}

/// An event and its audience. Events leave a game only in this form.
#[derive(Clone, Debug, PartialEq)]
pub struct AddressedEvent<E> {
    pub audience: Audience,
    pub event: E,
}

/// The events of a step, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Emitted<E>(Vec<AddressedEvent<E>>);

impl<E> Emitted<E> {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn publish(&mut self, audience: Audience, event: E) {
        debug_assert!(
            !audience.seats.is_empty() || audience.spectators || audience.game_master,
            "an event must have an audience"
        );
        self.0.push(AddressedEvent { audience, event });
    }

    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn iter(&self) -> std::slice::Iter<'_, AddressedEvent<E>> {
        self.0.iter()
    }

    pub fn to(&self, viewer: Viewer) -> impl Iterator<Item = &E> {
        self.0
            .iter()
            .filter(move |addressed| addressed.audience.includes(viewer))
            .map(|addressed| &addressed.event)
    }

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
    type Item = AddressedEvent<E>;
    type IntoIter = std::vec::IntoIter<AddressedEvent<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Emitted<E> {
    type Item = &'a AddressedEvent<E>;
    type IntoIter = std::slice::Iter<'a, AddressedEvent<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The end of a game: winners, points and a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The seats that won or share the draw.
    pub winners: SeatSet,
    pub draw: bool,
    pub points: Vec<i64>,
    /// The name of a point: `"credit"`.
    pub unit: &'static str,
    pub summary: String,
    pub rule: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_audience_of_one_viewer_has_a_reader() {
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
    fn events_keep_their_order_and_audience() {
        let mut first = Emitted::new();
        assert!(first.is_empty());
        first.publish(Audience::everyone(), 1);
        let mut second = Emitted::default();
        second.publish(Audience::seat(Seat::at(0)), 2);
        second.publish(Audience::everyone(), 3);
        first.extend(second);
        assert!(!first.is_empty());
        assert_eq!(first.iter().map(|addressed| addressed.event).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(first.to(Viewer::Spectator).copied().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(
            (&first).into_iter().map(|addressed| addressed.event).collect::<Vec<_>>(),
            [1, 2, 3]
        );
        assert_eq!(
            first.into_iter().map(|addressed| addressed.event).collect::<Vec<_>>(),
            [1, 2, 3]
        );
    }

    #[test]
    fn an_audience_includes_only_its_viewers() {
        let (one, two) = (Seat::at(0), Seat::at(1));
        let others = Audience::others(SeatSet::one(one));
        assert!(others.includes(Viewer::Seat(two)) && others.includes(Viewer::Spectator));
        assert!(!others.includes(Viewer::Seat(one)) && !others.includes(Viewer::GameMaster));
        let own = Audience::seat(one);
        assert!(own.includes(Viewer::Seat(one)) && own.includes(Viewer::GameMaster));
        assert!(!own.includes(Viewer::Seat(two)) && !own.includes(Viewer::Spectator));
    }
}
