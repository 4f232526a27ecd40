//! The list of playable games, and the type-erased traits of games.

use std::sync::atomic::{AtomicU32, Ordering};

use heliopause_games::{Enveloped, games};
use heliopause_kernel::offer::Offers;
use heliopause_kernel::{
    Actor, AddressedEvent, Cast, CloseCause, CoordinateTransform, Decision, Dice, Edition, Emitted,
    FinalScore, Game, Goal, Malformed, Outcome, Press, Refusal, Role, Rule, Seat, SeatChange,
    SeatSet, Setup, Viewer, Warning, rows,
};
use heliopause_proto::v1::{
    Event, GameEvent, GameKind, GameOptions, GameOrder, GamePosition, GameView, Guide, OptionInfo,
    Term, event,
};

use crate::{Fault, settings};

macro_rules! kinds {
    ($($arm:ident: $game:ty;)+) => {
        /// All playable games, in listing order.
        pub static KINDS: std::sync::LazyLock<Vec<Kind>> =
            std::sync::LazyLock::new(|| listed([$(kinds_of::<$game>()),+]));
    };
}
games!(kinds);

/// An event of a game, with the sentence about it and the rule that decided it.
#[derive(Clone, Debug)]
pub struct DescribedEvent {
    pub event: GameEvent,
    pub text: String,
    pub rule: &'static str,
}

/// The events of a game's step with their sentences and audiences.
pub type DescribedEvents = Vec<AddressedEvent<DescribedEvent>>;

/// A warning, and an offer that would fix it if there is one.
pub type WarningWithFix = (Warning, Option<Offers<GameOrder>>);

/// The names of all seats, for the sentences about events.
pub type Names<'a> = &'a [String];

/// The range of the number of players.
pub type PlayerRange = std::ops::RangeInclusive<usize>;

/// Options with defaults filled in, and the number of players that they allow.
pub type FilledOptions = (GameOptions, PlayerRange);

/// A new game, and the events of its set-up.
pub type SetUp = (Box<dyn AnyGame>, DescribedEvents);

/// A running game of any kind, using the contract's messages for all games. Each method
/// corresponds to the method of the same name in [`Game`] or [`Wire`](heliopause_kernel::Wire).
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub trait AnyGame: Send + Sync {
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    fn setup(&self) -> (GameOptions, usize);
    fn pending(&self) -> Vec<Decision>;
    fn interrupted(&self) -> Vec<Decision>;
    fn judge(&self, by: Actor, order: &GameOrder) -> Result<(), Fault>;
    fn preview(&self, by: Actor, order: &GameOrder) -> Result<Option<GameEvent>, Malformed>;
    fn is_revisable(&self, order: &GameOrder) -> Result<bool, Malformed>;
    fn submit(
        &mut self,
        by: Actor,
        order: &GameOrder,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<DescribedEvents, Fault>;
    fn is_public(&self, decision: &Decision) -> bool;
    fn take_back(&mut self, seat: Seat, names: Names<'_>) -> Result<DescribedEvents, Fault>;
    fn standing_orders(&self, seat: Seat) -> Vec<String>;
    fn opens_ready(&self, seat: Seat) -> bool;
    fn close(&mut self, why: CloseCause, dice: &mut Dice, names: Names<'_>) -> DescribedEvents;
    fn seat_changed(&mut self, seat: Seat, change: SeatChange, names: Names<'_>)
    -> DescribedEvents;
    fn view(&self, viewer: Viewer) -> GameView;
    fn view_and_goals(&self, viewer: Viewer) -> (GameView, Vec<Goal>);
    fn briefing(&self, seat: Seat) -> GameView;
    fn transform_for(&self, seat: Seat, names: Names<'_>) -> Option<Box<dyn AnyTransform>>;
    fn offers(&self, seat: Seat) -> Offers<GameOrder>;
    fn warnings(
        &self,
        seat: Seat,
        next: Option<&GameOrder>,
    ) -> Result<Vec<WarningWithFix>, Malformed>;
    fn press(&self, from: Seat, to: Seat, anonymous: bool) -> Result<Press, Refusal>;
    fn only_public_press(&self) -> bool;
    fn can_receive(&self, seat: Seat) -> bool;
    fn message_delivered(
        &mut self,
        from: Seat,
        to: Seat,
        anonymous: bool,
        names: Names<'_>,
    ) -> DescribedEvents;
    fn declared(&self, winners: SeatSet) -> Outcome;
    fn outcome(&self) -> Option<Outcome>;
    fn final_score(&self, names: Names<'_>) -> FinalScore;
    fn reveal(&mut self, names: Names<'_>) -> DescribedEvents;
    fn alive(&self) -> SeatSet;
    fn on_turn(&self) -> Option<Seat>;
    fn round(&self) -> u64;
    fn progress(&self) -> String;
    fn parse(&self, by: Actor, text: &str) -> Result<Vec<GameOrder>, Malformed>;
    fn notate(&self, order: &GameOrder) -> Result<String, Malformed>;
    fn position(&self) -> GamePosition;
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        self.as_ref().boxed_clone()
    }
}

/// A conversion of the game master's view to a seat's coordinates.
pub trait AnyTransform: Send + Sync {
    fn view(&self, view: &mut GameView) -> Result<(), Fault>;
    fn event(&self, event: &mut Event) -> Result<(), Fault>;
}

struct SeatTransform<G> {
    transform: Box<dyn CoordinateTransform<G>>,
    names: Vec<String>,
}

impl<G: Enveloped> AnyTransform for SeatTransform<G> {
    fn view(&self, view: &mut GameView) -> Result<(), Fault> {
        let mut own = G::read_view(G::own_view(view).ok_or_else(|| other_game("view"))?)?;
        self.transform.view(&mut own);
        *view = G::seal_view(G::write_view(&own));
        Ok(())
    }

    fn event(&self, event: &mut Event) -> Result<(), Fault> {
        let Some(event::Body::Game(message)) = &event.body else { return Ok(()) };
        let before = G::read_event(G::own_event(message).ok_or_else(|| other_game("events"))?)?;
        let mut after = before.clone();
        self.transform.event(&mut after);
        if after != before {
            let called = |seat: Seat| self.names.get(seat.index()).cloned().unwrap_or_default();
            event.text = G::describe(&after, &called).0;
            event.body = Some(event::Body::Game(G::seal_event(G::write_event(&after))));
        }
        Ok(())
    }
}

static RULES_AHEAD: AtomicU32 = AtomicU32::new(0);

/// Raises the version of the rules of all games, for tests of upgrades.
pub fn raise_rules_version() {
    RULES_AHEAD.fetch_add(1, Ordering::Relaxed);
}

/// A playable game.
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub struct Kind {
    pub id: &'static str,
    pub name: &'static str,
    pub summary: &'static str,
    rules_version: u32,
    pub rules: Box<dyn Rules>,
}

impl Kind {
    pub fn rules_version(&self) -> u32 {
        self.rules_version + RULES_AHEAD.load(Ordering::Relaxed)
    }
}

/// The rules of a kind of game. Each method corresponds to the method of the same name in [`Game`]
/// or [`Wire`](heliopause_kernel::Wire).
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub trait Rules: Send + Sync {
    fn options(&self, message: Option<&GameOptions>) -> Result<FilledOptions, Fault>;
    fn usual_players(&self) -> usize;
    fn unattended(&self, options: &GameOptions) -> Result<GameOptions, Fault>;
    fn phase_kinds(&self) -> &'static [&'static str];
    fn settings(&self) -> Vec<OptionInfo>;
    fn cast(&self, options: &GameOptions, players: usize) -> Result<Cast, Fault>;
    fn anonymous_press(&self, options: &GameOptions) -> Result<bool, Fault>;
    fn set_up(
        &self,
        options: &GameOptions,
        players: usize,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<SetUp, Fault>;
    fn read_position(&self, message: &GamePosition) -> Result<Box<dyn AnyGame>, Fault>;
    /// Draws a random game whose view for this viewer equals the view. Seats that the viewer does
    /// not see have no stored orders.
    fn sample(
        &self,
        view: &GameView,
        viewer: Viewer,
        rng: &mut dyn FnMut() -> u64,
    ) -> Result<Box<dyn AnyGame>, Fault>;
    /// Applies events to a view of the same audience.
    fn fold(
        &self,
        view: GameView,
        events: &mut dyn Iterator<Item = GameEvent>,
    ) -> Result<GameView, Fault>;
    fn goals(&self, view: &GameView) -> Result<Vec<Goal>, Fault>;
    fn rule(&self, number: &str) -> Option<&'static str>;
    fn rules(&self) -> Vec<&'static Rule>;
    /// Returns the terms, and the guides for beginners.
    fn primer(&self) -> (Vec<Term>, Vec<Guide>);
}

fn listed<const GAMES: usize>(games: [Vec<Kind>; GAMES]) -> Vec<Kind> {
    let kinds: Vec<Kind> = games.into_iter().flatten().collect();
    for (index, kind) in kinds.iter().enumerate() {
        assert!(
            kinds[..index].iter().all(|other| other.id != kind.id),
            "the game id {} is used twice",
            kind.id
        );
        assert!(!kind.rules.phase_kinds().is_empty(), "{} has no kinds of phase", kind.id);
    }
    kinds
}

/// Returns the kind with this id.
///
/// ```
/// use heliopause_table::registry::kind;
///
/// let kind = kind("star-empires").unwrap().describe();
/// assert_eq!(kind.name, "Star Empires");
/// assert!(kind.players_min <= kind.players_max);
/// assert!(heliopause_table::registry::kind("chess").is_none());
/// ```
pub fn kind(id: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.id == id)
}

/// Returns the kind with this id, or a fault that lists the known ids.
pub fn kind_or_fault(id: &str) -> Result<&'static Kind, Fault> {
    kind(id).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
        Fault::field(
            "kind",
            format!("The game {id:?} does not exist; expected one of {}.", known.join(", ")),
        )
    })
}

/// The levels of automation.
pub const LEVELS: [&str; 3] = ["random", "standard", "strong"];

pub(crate) fn profiles(roles: &[Role]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for name in roles.iter().flat_map(Role::profiles) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl Kind {
    pub fn describe(&self) -> GameKind {
        let (options, players) = self.rules.options(None).expect("the default options are valid");
        let cast =
            self.rules.cast(&options, *players.end()).expect("the default options have a cast");
        let profiles = profiles(&cast.roles).into_iter().map(str::to_owned).collect();
        let roles = cast.roles.iter().take(if cast.alike { 0 } else { *players.end() });
        GameKind {
            kind: self.id.to_owned(),
            name: self.name.to_owned(),
            summary: self.summary.to_owned(),
            players_min: *players.start() as u32,
            players_max: *players.end() as u32,
            players_usual: self.rules.usual_players() as u32,
            default_options: Some(options),
            phase_kinds: self.rules.phase_kinds().iter().map(|&kind| kind.to_owned()).collect(),
            profiles,
            levels: LEVELS.map(str::to_owned).to_vec(),
            rules_version: self.rules_version(),
            options: self.rules.settings(),
            roles: roles.map(|role| role.name.clone()).collect(),
        }
    }
}

#[derive(Clone)]
struct Hosted<G>(G);

impl<G: Enveloped> Hosted<G> {
    /// Returns a view for [`Hosted::assert_invariants`] in debug builds, and otherwise `None`.
    fn seen(&self) -> Option<G::View> {
        cfg!(debug_assertions).then(|| self.0.view(Viewer::Spectator))
    }

    /// Returns a seat's name as the game master sees it.
    fn full_name(&self, seat: Seat, names: Names<'_>) -> String {
        let name = self.0.seat_name(seat, Viewer::GameMaster);
        name.unwrap_or_else(|| names[seat.index()].clone())
    }

    fn assert_invariants(&self, seen: Option<G::View>, emitted: &Emitted<G::Event>) {
        if !cfg!(debug_assertions) {
            return;
        }
        assert_eq!(self.0.check(), Ok(()), "a step keeps all invariants");
        let pending = self.0.pending();
        assert!(
            self.0.outcome().is_some() || !pending.is_empty(),
            "a game that is not over has an open decision"
        );
        let Setup { options, players } = self.0.setup();
        let (kinds, roles) = (G::phase_kinds(&options), G::cast(&options, players).roles.len());
        assert!(
            pending.iter().all(|one| kinds.contains(&one.kind) && one.seat.index() < roles),
            "every open decision has an existing seat and kind"
        );
        if let Some(mut seen) = seen {
            emitted.to(Viewer::Spectator).for_each(|event| G::update(&mut seen, event));
            assert!(
                seen == self.0.view(Viewer::Spectator),
                "the events of a step update the view to the new state"
            );
        }
    }
}

/// Adds a sentence to each event. The sentence names seats as visible to the event's reader.
fn happenings<G: Enveloped>(
    game: &G,
    emitted: Emitted<G::Event>,
    names: Names<'_>,
) -> DescribedEvents {
    emitted
        .into_iter()
        .map(|addressed| {
            // An event for several readers uses the names that spectators see, because they see
            // least.
            let reader = addressed.audience.reader().unwrap_or(Viewer::Spectator);
            let called = |seat: Seat| {
                game.seat_name(seat, reader).unwrap_or_else(|| names[seat.index()].clone())
            };
            let (text, rule) = G::describe(&addressed.event, &called);
            let event = G::seal_event(G::write_event(&addressed.event));
            AddressedEvent {
                audience: addressed.audience,
                event: DescribedEvent { event, text, rule },
            }
        })
        .collect()
}

/// Defines methods that only call the method of the same name in [`Game`].
macro_rules! forward {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => {$(
        fn $name(&self, $($argument: $type),*) -> $result {
            self.0.$name($($argument),*)
        }
    )+};
}

impl<G: Enveloped> AnyGame for Hosted<G> {
    forward! {
        pending() -> Vec<Decision>;
        interrupted() -> Vec<Decision>;
        is_public(decision: &Decision) -> bool;
        press(from: Seat, to: Seat, anonymous: bool) -> Result<Press, Refusal>;
        only_public_press() -> bool;
        can_receive(seat: Seat) -> bool;
        declared(winners: SeatSet) -> Outcome;
        alive() -> SeatSet;
        on_turn() -> Option<Seat>;
        round() -> u64;
        progress() -> String;
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn setup(&self) -> (GameOptions, usize) {
        let setup = self.0.setup();
        (G::seal_options(G::write_options(&setup.options)), setup.players)
    }

    fn judge(&self, by: Actor, order: &GameOrder) -> Result<(), Fault> {
        Ok(self.0.judge(by, &G::open_order(order)?)?)
    }

    fn preview(&self, by: Actor, order: &GameOrder) -> Result<Option<GameEvent>, Malformed> {
        let event = self.0.preview(by, &G::open_order(order)?);
        Ok(event.map(|event| G::seal_event(G::write_event(&event))))
    }

    fn is_revisable(&self, order: &GameOrder) -> Result<bool, Malformed> {
        Ok(G::is_revisable(&G::open_order(order)?))
    }

    fn submit(
        &mut self,
        by: Actor,
        order: &GameOrder,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<DescribedEvents, Fault> {
        let order = G::open_order(order)?;
        let (is_kept, rolls, seen) = (G::is_revisable(&order), dice.rolls_made(), self.seen());
        let emitted = self.0.submit(by, order, dice)?;
        assert!(dice.rolls_made() >= rolls, "the number of rolls never decreases");
        assert!(!is_kept || dice.rolls_made() == rolls, "a stored order rolls no dice");
        self.assert_invariants(seen, &emitted);
        Ok(happenings(&self.0, emitted, names))
    }

    fn take_back(&mut self, seat: Seat, names: Names<'_>) -> Result<DescribedEvents, Fault> {
        let seen = self.seen();
        let emitted = self.0.take_back(seat)?;
        self.assert_invariants(seen, &emitted);
        Ok(happenings(&self.0, emitted, names))
    }

    fn standing_orders(&self, seat: Seat) -> Vec<String> {
        let orders = self.0.standing_orders(seat);
        let notations = orders.iter().map(G::notate);
        notations.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    fn opens_ready(&self, seat: Seat) -> bool {
        self.0.opens_ready(seat)
    }

    fn close(&mut self, why: CloseCause, dice: &mut Dice, names: Names<'_>) -> DescribedEvents {
        let (rolls, seen) = (dice.rolls_made(), self.seen());
        let emitted = self.0.close(why, dice);
        assert!(dice.rolls_made() >= rolls, "the number of rolls never decreases");
        self.assert_invariants(seen, &emitted);
        happenings(&self.0, emitted, names)
    }

    fn seat_changed(
        &mut self,
        seat: Seat,
        change: SeatChange,
        names: Names<'_>,
    ) -> DescribedEvents {
        let seen = self.seen();
        let emitted = self.0.seat_changed(seat, change);
        self.assert_invariants(seen, &emitted);
        happenings(&self.0, emitted, names)
    }

    fn view(&self, viewer: Viewer) -> GameView {
        G::seal_view(G::write_view(&self.0.view(viewer)))
    }

    fn view_and_goals(&self, viewer: Viewer) -> (GameView, Vec<Goal>) {
        let view = self.0.view(viewer);
        (G::seal_view(G::write_view(&view)), G::goals(&view))
    }

    fn briefing(&self, seat: Seat) -> GameView {
        G::seal_view(G::write_view(&self.0.briefing(seat)))
    }

    fn transform_for(&self, seat: Seat, names: Names<'_>) -> Option<Box<dyn AnyTransform>> {
        let transform = self.0.transform_for(seat)?;
        let Setup { options, players } = self.0.setup();
        let seats = Seat::first(G::cast(&options, players).roles.len());
        let names = seats.map(|seat| self.full_name(seat, names)).collect();
        Some(Box::new(SeatTransform { transform, names }))
    }

    fn offers(&self, seat: Seat) -> Offers<GameOrder> {
        let offers = self.0.offers(seat);
        debug_assert_eq!(offers.check(), Ok(()), "every offer can be filled");
        offers.map(|order| G::seal_order(G::write_order(&order)))
    }

    fn warnings(
        &self,
        seat: Seat,
        next: Option<&GameOrder>,
    ) -> Result<Vec<WarningWithFix>, Malformed> {
        let next = next.map(|order| G::open_order(order)).transpose()?;
        let warnings = G::warnings(&self.0.view(Viewer::Seat(seat)), next.as_ref());
        debug_assert!(
            warnings.iter().all(|warning| G::WARNINGS.contains(&warning.code)),
            "a kind of warning is listed: {warnings:?}"
        );
        if warnings.iter().all(|warning| warning.mend.is_none()) {
            return Ok(warnings.into_iter().map(|warning| (warning, None)).collect());
        }
        let offers = self.offers(seat);
        let warned = |warning: Warning| {
            let mend = warning.mend.as_ref().and_then(|mend| offers.mending(mend));
            let mend = mend.map(|offer| offers.alone(offer));
            (warning, mend)
        };
        Ok(warnings.into_iter().map(warned).collect())
    }

    fn message_delivered(
        &mut self,
        from: Seat,
        to: Seat,
        anonymous: bool,
        names: Names<'_>,
    ) -> DescribedEvents {
        let seen = self.seen();
        let emitted = self.0.message_delivered(from, to, anonymous);
        self.assert_invariants(seen, &emitted);
        happenings(&self.0, emitted, names)
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.0.outcome();
        debug_assert!(
            outcome.as_ref().is_none_or(|outcome| outcome.points.len() == self.0.setup().players),
            "the outcome has points for each player"
        );
        outcome
    }

    fn final_score(&self, names: Names<'_>) -> FinalScore {
        self.0.final_score(&|seat| self.full_name(seat, names))
    }

    fn reveal(&mut self, names: Names<'_>) -> DescribedEvents {
        let emitted = self.0.reveal();
        debug_assert_eq!(self.0.check(), Ok(()), "to reveal everything changes no fact");
        happenings(&self.0, emitted, names)
    }

    fn parse(&self, by: Actor, text: &str) -> Result<Vec<GameOrder>, Malformed> {
        let viewer = match by {
            Actor::Seat(seat) => Viewer::Seat(seat),
            Actor::GameMaster => Viewer::GameMaster,
        };
        let orders = G::parse(&self.0.view(viewer), text)?;
        Ok(orders.iter().map(|order| G::seal_order(G::write_order(order))).collect())
    }

    fn notate(&self, order: &GameOrder) -> Result<String, Malformed> {
        Ok(G::notate(&G::open_order(order)?))
    }

    fn position(&self) -> GamePosition {
        G::seal_position(self.0.write_position())
    }
}

fn kinds_of<G: Enveloped>() -> Vec<Kind> {
    let kind = |edition: Edition<G::Options>| Kind {
        id: edition.id,
        name: edition.name,
        summary: edition.summary,
        rules_version: G::RULES_VERSION,
        rules: Box::new(EditionRules::<G>(edition)),
    };
    G::editions().into_iter().map(kind).collect()
}

struct EditionRules<G: Game>(Edition<G::Options>);

impl<G: Enveloped> EditionRules<G> {
    fn open_options(&self, message: &GameOptions) -> Result<G::Options, Malformed> {
        G::open_options(&self.0, message)
    }
}

impl<G: Enveloped> Rules for EditionRules<G> {
    fn options(&self, message: Option<&GameOptions>) -> Result<FilledOptions, Fault> {
        let options = self.open_options(message.unwrap_or(&GameOptions::default()))?;
        let players = G::players(&options);
        assert!(
            *players.start() > 0 && players.start() <= players.end() && *players.end() <= Seat::MAX,
            "the range of players is not empty and fits the seats"
        );
        Ok((G::seal_options(G::write_options(&options)), players))
    }

    fn usual_players(&self) -> usize {
        G::usual_players(&self.0.options)
    }

    fn unattended(&self, options: &GameOptions) -> Result<GameOptions, Fault> {
        let options = G::unattended(self.open_options(options)?);
        Ok(G::seal_options(G::write_options(&options)))
    }

    fn phase_kinds(&self) -> &'static [&'static str] {
        G::phase_kinds(&self.0.options)
    }

    fn settings(&self) -> Vec<OptionInfo> {
        G::settings(&self.0)
            .iter()
            .map(|setting| settings::write(setting, &self.0.options))
            .collect()
    }

    fn cast(&self, options: &GameOptions, players: usize) -> Result<Cast, Fault> {
        let options = self.open_options(options)?;
        let cast = G::cast(&options, players);
        debug_assert!(
            !G::players(&options).contains(&players)
                || (players..=Seat::MAX).contains(&cast.roles.len()),
            "every player has a role, and there is a seat for every role"
        );
        Ok(cast)
    }

    fn anonymous_press(&self, options: &GameOptions) -> Result<bool, Fault> {
        Ok(G::anonymous_press(&self.open_options(options)?))
    }

    fn set_up(
        &self,
        options: &GameOptions,
        players: usize,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<SetUp, Fault> {
        let setup = Setup { options: self.open_options(options)?, players };
        let (game, emitted) = G::new(&setup, dice)?;
        assert_eq!(game.setup().players, players, "a new game has the requested number of players");
        let hosted = Hosted(game);
        hosted.assert_invariants(None, &emitted);
        let described = happenings(&hosted.0, emitted, names);
        Ok((Box::new(hosted), described))
    }

    fn read_position(&self, message: &GamePosition) -> Result<Box<dyn AnyGame>, Fault> {
        let game = G::open_position(message)?;
        let found = G::edition_of(&game.setup().options);
        if found != self.0.id {
            return Err(Fault::field(
                "position",
                format!("The position belongs to {found}; expected a position of {}.", self.0.id),
            ));
        }
        Ok(Box::new(Hosted(game)))
    }

    fn sample(
        &self,
        view: &GameView,
        viewer: Viewer,
        rng: &mut dyn FnMut() -> u64,
    ) -> Result<Box<dyn AnyGame>, Fault> {
        let message = G::own_view(view).ok_or_else(|| other_game("view"))?;
        let mut game = G::sample(&G::read_view(message)?, rng);
        let Setup { options, players } = game.setup();
        let is_hidden = |seat: &Seat| ![Viewer::Seat(*seat), Viewer::GameMaster].contains(&viewer);
        for seat in Seat::first(G::cast(&options, players).roles.len()).filter(is_hidden) {
            // A seat whose decision resolves immediately has no stored orders.
            drop(game.take_back(seat));
        }
        Ok(Box::new(Hosted(game)))
    }

    fn fold(
        &self,
        view: GameView,
        events: &mut dyn Iterator<Item = GameEvent>,
    ) -> Result<GameView, Fault> {
        let message = G::own_view(&view).ok_or_else(|| other_game("view"))?;
        let mut folded = G::read_view(message)?;
        for event in events {
            let message = G::own_event(&event).ok_or_else(|| other_game("events"))?;
            G::update(&mut folded, &G::read_event(message)?);
        }
        Ok(G::seal_view(G::write_view(&folded)))
    }

    fn goals(&self, view: &GameView) -> Result<Vec<Goal>, Fault> {
        let message = G::own_view(view).ok_or_else(|| other_game("view"))?;
        Ok(G::goals(&G::read_view(message)?))
    }

    fn rule(&self, number: &str) -> Option<&'static str> {
        G::rule_of(self.0.id, number)
    }

    fn rules(&self) -> Vec<&'static Rule> {
        let is_own = |rule: &&Rule| self.rule(rule.number).is_some();
        G::rulebook().rules().iter().filter(is_own).collect()
    }

    fn primer(&self) -> (Vec<Term>, Vec<Guide>) {
        let [terms, guides] = G::primer().map(|table| rows(table, self.0.id));
        let term = |row: [&str; 4]| {
            let [term, name, meaning, rule] = row.map(str::to_owned);
            Term { term, name, meaning, rule }
        };
        let guide = |row: [&str; 4]| {
            let [decision, prompt, text, end] = row.map(str::to_owned);
            Guide { decision, prompt, text, end }
        };
        (terms.map(term).collect(), guides.map(guide).collect())
    }
}

fn other_game(field: &str) -> Fault {
    Fault::field(field, "The value belongs to another game.")
}
