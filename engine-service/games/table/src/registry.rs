//! The playable games, with their types erased.

use heliopause_games::{Enveloped, games};
use heliopause_kernel::offer::Offers;
use heliopause_kernel::{
    Actor, Cast, CoordinateTransform, Decision, Dice, Edition, Emitted, Game, Goal, Malformed,
    Outcome, Press, Reckoning, Refusal, Role, Seat, SeatChange, SeatSet, Setup, Told, Viewer,
    Warning, Why,
};
use heliopause_proto::v1::{
    Event, GameEvent, GameKind, GameOptions, GameOrder, GamePosition, GameView, OptionInfo, event,
};

use crate::{Fault, rehearsal, settings};

/// Lists the kinds of each game.
macro_rules! kinds {
    ($($arm:ident: $game:ty;)+) => {
        /// All games that can be played, in the order in which they are listed.
        pub static KINDS: std::sync::LazyLock<Vec<Kind>> =
            std::sync::LazyLock::new(|| listed([$(kinds_of::<$game>()),+]));
    };
}
games!(kinds);

/// The result of a step of a game: the event, the sentence about it, and the rule that decided it.
#[derive(Clone, Debug)]
pub struct Happening {
    pub event: GameEvent,
    /// A sentence for a person.
    pub text: String,
    /// The rule that decided it.
    pub rule: &'static str,
}

/// The events of a game's steps, as the envelope's messages.
pub type Happenings = Vec<Told<Happening>>;

/// A warning, and the one offer that would mend it.
pub type Warned = (Warning, Option<Offers<GameOrder>>);

/// Answers a seat's name for the sentences about events.
pub type Names<'a> = &'a dyn Fn(Seat) -> String;

/// How many players a game takes.
pub type PlayerRange = std::ops::RangeInclusive<usize>;

/// Options with their defaults filled in, and how many players they allow.
pub type FilledOptions = (GameOptions, PlayerRange);

/// A new game, and the events of its set-up.
pub type SetUp = (Box<dyn AnyGame>, Happenings);

/// A game of any kind in play, speaking the envelope's messages. Each method is the one of the same
/// name in [`Game`] or [`Wire`](heliopause_kernel::Wire).
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub trait AnyGame: Send + Sync {
    fn boxed_clone(&self) -> Box<dyn AnyGame>;
    fn setup(&self) -> (GameOptions, usize);
    fn pending(&self) -> Vec<Decision>;
    fn interrupted(&self) -> Vec<Decision>;
    fn judge(&self, by: Actor, order: &GameOrder) -> Result<(), Fault>;
    fn foretell(&self, by: Actor, order: &GameOrder) -> Result<Option<GameEvent>, Malformed>;
    fn is_revisable(&self, order: &GameOrder) -> Result<bool, Malformed>;
    fn submit(
        &mut self,
        by: Actor,
        order: &GameOrder,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<Happenings, Fault>;
    fn is_public(&self, decision: &Decision) -> bool;
    fn take_back(&mut self, seat: Seat, names: Names<'_>) -> Result<Happenings, Fault>;
    /// As lines of the notation.
    fn standing_orders(&self, seat: Seat) -> Vec<String>;
    fn close(&mut self, why: Why, dice: &mut Dice, names: Names<'_>) -> Happenings;
    fn seat_changed(&mut self, seat: Seat, change: SeatChange, names: Names<'_>) -> Happenings;
    fn view(&self, viewer: Viewer) -> GameView;
    /// The same with what each seat is on the way to, which follows from it.
    fn view_and_goals(&self, viewer: Viewer) -> (GameView, Vec<Goal>);
    fn briefing(&self, seat: Seat) -> GameView;
    /// Names are those by which the game master knows seats.
    fn transform_for(&self, seat: Seat, names: Names<'_>) -> Option<Box<dyn AnyTransform>>;
    fn offers(&self, seat: Seat) -> Offers<GameOrder>;
    /// Each with the offers of which one would mend it, if there is one.
    fn warnings(&self, seat: Seat, next: Option<&GameOrder>) -> Result<Vec<Warned>, Malformed>;
    fn press(&self, from: Seat, to: Seat, anonymous: bool) -> Result<Press, Refusal>;
    fn only_public_press(&self) -> bool;
    fn hears(&self, seat: Seat) -> bool;
    fn messaged(&mut self, from: Seat, to: Seat, anonymous: bool, names: Names<'_>) -> Happenings;
    fn declared(&self, winners: SeatSet) -> Outcome;
    fn outcome(&self) -> Option<Outcome>;
    fn reckon(&self, names: Names<'_>) -> Reckoning;
    fn reveal(&mut self, names: Names<'_>) -> Happenings;
    fn alive(&self) -> SeatSet;
    fn on_turn(&self) -> Option<Seat>;
    fn round(&self) -> u64;
    fn progress(&self) -> String;
    fn parse(&self, by: Actor, text: &str) -> Result<Vec<GameOrder>, Malformed>;
    fn notate(&self, order: &GameOrder) -> Result<String, Malformed>;
    fn position(&self) -> GamePosition;
}

/// What the game master sees, as a seat writes it.
pub trait AnyTransform: Send + Sync {
    /// Rewrites a view.
    fn view(&self, view: &mut GameView) -> Result<(), Fault>;
    /// Rewrites an event and its sentence.
    fn event(&self, event: &mut Event) -> Result<(), Fault>;
}

struct SeatTransform<G> {
    transform: Box<dyn CoordinateTransform<G>>,
    /// By seat.
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
        let Some(event::Body::Game(told)) = &event.body else { return Ok(()) };
        let before = G::read_event(G::own_event(told).ok_or_else(|| other_game("events"))?)?;
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

/// A game that can be played.
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub struct Kind {
    pub id: &'static str,
    pub name: &'static str,
    pub summary: &'static str,
    rules_version: u32,
    pub rules: Box<dyn Rules>,
}

impl Kind {
    /// The version of the rules by which this program plays it.
    pub fn rules_version(&self) -> u32 {
        self.rules_version + rehearsal::upgrades()
    }
}

/// The questions to a kind of game without one in play. Each method is the one of the same name in
/// [`Game`] or [`Wire`](heliopause_kernel::Wire).
#[expect(missing_docs, reason = "documented where the kernel declares them")]
pub trait Rules: Send + Sync {
    /// The options with their defaults filled in, and how many players they allow.
    fn options(&self, message: Option<&GameOptions>) -> Result<FilledOptions, Fault>;
    fn usual_players(&self) -> usize;
    /// The options of a table where automation has every seat.
    fn unattended(&self, options: &GameOptions) -> Result<GameOptions, Fault>;
    fn phase_kinds(&self) -> &'static [&'static str];
    /// The choices when a game is created.
    fn settings(&self) -> Vec<OptionInfo>;
    fn cast(&self, options: &GameOptions, players: usize) -> Result<Cast, Fault>;
    fn set_up(
        &self,
        options: &GameOptions,
        players: usize,
        dice: &mut Dice,
        names: Names<'_>,
    ) -> Result<SetUp, Fault>;
    fn read_position(&self, message: &GamePosition) -> Result<Box<dyn AnyGame>, Fault>;
    /// A view, brought up to date by events of its own audience.
    fn fold(
        &self,
        view: GameView,
        events: &mut dyn Iterator<Item = GameEvent>,
    ) -> Result<GameView, Fault>;
    /// What each seat is on the way to, as a view tells it.
    fn goals(&self, view: &GameView) -> Result<Vec<Goal>, Fault>;
    fn rule(&self, number: &str) -> Option<&'static str>;
    /// The number and heading of every rule of this kind, in the order of the rulebook.
    fn rules(&self) -> Vec<(&'static str, &'static str)>;
}

/// The kinds of all games in one list.
fn listed<const GAMES: usize>(games: [Vec<Kind>; GAMES]) -> Vec<Kind> {
    let kinds: Vec<Kind> = games.into_iter().flatten().collect();
    for (index, kind) in kinds.iter().enumerate() {
        assert!(
            kinds[..index].iter().all(|other| other.id != kind.id),
            "tables name their game by its id, and {} is taken",
            kind.id
        );
        assert!(
            !kind.rules.phase_kinds().is_empty(),
            "the first kind of phase makes a turn, and {} has none",
            kind.id
        );
    }
    kinds
}

/// The kind with this id.
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

/// The kind with this id, or a fault that lists those there are.
pub fn kind_or_fault(id: &str) -> Result<&'static Kind, Fault> {
    kind(id).ok_or_else(|| {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.id).collect();
        Fault::field("kind", format!("There is no game {id:?}. There are: {}.", known.join(", ")))
    })
}

/// The levels that automation is asked for by.
pub const LEVELS: [&str; 3] = ["random", "standard", "strong"];

/// The profiles that roles name, each once, in the order of the seats.
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
    /// The kind as the contract tells it.
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

/// A typed game behind [`AnyGame`].
#[derive(Clone)]
struct Hosted<G>(G);

impl<G: Enveloped> Hosted<G> {
    /// What spectators see before a step, where [`Hosted::assert_whole`] compares it.
    fn seen(&self) -> Option<G::View> {
        cfg!(debug_assertions).then(|| self.0.view(Viewer::Spectator))
    }

    /// Asserts the promises of [`Game`] about its state after a step that told so much.
    fn assert_whole(&self, seen: Option<G::View>, told: &Emitted<G::Event>) {
        if !cfg!(debug_assertions) {
            return;
        }
        assert_eq!(self.0.check(), Ok(()), "a step leaves every invariant in place");
        let pending = self.0.pending();
        assert!(
            self.0.outcome().is_some() || !pending.is_empty(),
            "a game that is not over waits for somebody"
        );
        let Setup { options, players } = self.0.setup();
        let (kinds, roles) = (G::phase_kinds(&options), G::cast(&options, players).roles.len());
        assert!(
            pending.iter().all(|one| kinds.contains(&one.kind) && one.seat.index() < roles),
            "a seat of the game owes a decision of a kind for which a pace can be set"
        );
        if let Some(mut seen) = seen {
            told.to(Viewer::Spectator).for_each(|event| G::update(&mut seen, event));
            assert!(seen == self.0.view(Viewer::Spectator), "a view is the fold of its events");
        }
    }
}

/// The events, with sentences that name seats as their reader knows them.
fn happenings<G: Enveloped>(game: &G, emitted: Emitted<G::Event>, names: Names<'_>) -> Happenings {
    emitted
        .into_iter()
        .map(|told| {
            // An event for several readers is told as spectators know it, who know least.
            let reader = told.audience.reader().unwrap_or(Viewer::Spectator);
            let called = |seat| game.called(seat, reader).unwrap_or_else(|| names(seat));
            let (text, rule) = G::describe(&told.event, &called);
            let event = G::seal_event(G::write_event(&told.event));
            Told { audience: told.audience, event: Happening { event, text, rule } }
        })
        .collect()
}

impl<G: Enveloped> AnyGame for Hosted<G> {
    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn setup(&self) -> (GameOptions, usize) {
        let setup = self.0.setup();
        (G::seal_options(G::write_options(&setup.options)), setup.players)
    }

    fn pending(&self) -> Vec<Decision> {
        self.0.pending()
    }

    fn interrupted(&self) -> Vec<Decision> {
        self.0.interrupted()
    }

    fn judge(&self, by: Actor, order: &GameOrder) -> Result<(), Fault> {
        Ok(self.0.judge(by, &G::open_order(order)?)?)
    }

    fn foretell(&self, by: Actor, order: &GameOrder) -> Result<Option<GameEvent>, Malformed> {
        let event = self.0.foretell(by, &G::open_order(order)?);
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
    ) -> Result<Happenings, Fault> {
        let order = G::open_order(order)?;
        let (is_kept, rolls, seen) = (G::is_revisable(&order), dice.rolls_made(), self.seen());
        let told = self.0.submit(by, order, dice)?;
        assert!(dice.rolls_made() >= rolls, "no die that was rolled is taken back");
        assert!(
            !is_kept || dice.rolls_made() == rolls,
            "an order that is kept until its phase closes rolls no die"
        );
        self.assert_whole(seen, &told);
        Ok(happenings(&self.0, told, names))
    }

    fn is_public(&self, decision: &Decision) -> bool {
        self.0.is_public(decision)
    }

    fn take_back(&mut self, seat: Seat, names: Names<'_>) -> Result<Happenings, Fault> {
        let seen = self.seen();
        let told = self.0.take_back(seat)?;
        self.assert_whole(seen, &told);
        Ok(happenings(&self.0, told, names))
    }

    fn standing_orders(&self, seat: Seat) -> Vec<String> {
        let orders = self.0.standing_orders(seat);
        let notations = orders.iter().map(G::notate);
        notations.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    fn close(&mut self, why: Why, dice: &mut Dice, names: Names<'_>) -> Happenings {
        let (rolls, seen) = (dice.rolls_made(), self.seen());
        let told = self.0.close(why, dice);
        assert!(dice.rolls_made() >= rolls, "no die that was rolled is taken back");
        self.assert_whole(seen, &told);
        happenings(&self.0, told, names)
    }

    fn seat_changed(&mut self, seat: Seat, change: SeatChange, names: Names<'_>) -> Happenings {
        let seen = self.seen();
        let told = self.0.seat_changed(seat, change);
        self.assert_whole(seen, &told);
        happenings(&self.0, told, names)
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
        let called = |seat| self.0.called(seat, Viewer::GameMaster).unwrap_or_else(|| names(seat));
        Some(Box::new(SeatTransform { transform, names: seats.map(called).collect() }))
    }

    fn offers(&self, seat: Seat) -> Offers<GameOrder> {
        let offers = self.0.offers(seat);
        debug_assert_eq!(offers.check(), Ok(()), "every offer can be filled");
        offers.map(|order| G::seal_order(G::write_order(&order)))
    }

    fn warnings(&self, seat: Seat, next: Option<&GameOrder>) -> Result<Vec<Warned>, Malformed> {
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

    fn press(&self, from: Seat, to: Seat, anonymous: bool) -> Result<Press, Refusal> {
        self.0.press(from, to, anonymous)
    }

    fn only_public_press(&self) -> bool {
        self.0.only_public_press()
    }

    fn hears(&self, seat: Seat) -> bool {
        self.0.hears(seat)
    }

    fn declared(&self, winners: SeatSet) -> Outcome {
        self.0.declared(winners)
    }

    fn messaged(&mut self, from: Seat, to: Seat, anonymous: bool, names: Names<'_>) -> Happenings {
        let seen = self.seen();
        let told = self.0.messaged(from, to, anonymous);
        self.assert_whole(seen, &told);
        happenings(&self.0, told, names)
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.0.outcome();
        debug_assert!(
            outcome.as_ref().is_none_or(|outcome| outcome.points.len() == self.0.setup().players),
            "the outcome counts the points of each player's seat"
        );
        outcome
    }

    fn reckon(&self, names: Names<'_>) -> Reckoning {
        let called = |seat| self.0.called(seat, Viewer::GameMaster).unwrap_or_else(|| names(seat));
        self.0.reckon(&called)
    }

    fn reveal(&mut self, names: Names<'_>) -> Happenings {
        let told = self.0.reveal();
        debug_assert_eq!(self.0.check(), Ok(()), "to reveal everything changes no fact");
        happenings(&self.0, told, names)
    }

    fn alive(&self) -> SeatSet {
        self.0.alive()
    }

    fn on_turn(&self) -> Option<Seat> {
        self.0.on_turn()
    }

    fn round(&self) -> u64 {
        self.0.round()
    }

    fn progress(&self) -> String {
        self.0.progress()
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
        rules: Box::new(Published::<G>(edition)),
    };
    G::editions().into_iter().map(kind).collect()
}

/// The rules of a typed game, as one of its editions plays them, behind [`Rules`].
struct Published<G: Game>(Edition<G::Options>);

impl<G: Enveloped> Published<G> {
    fn open_options(&self, message: &GameOptions) -> Result<G::Options, Malformed> {
        G::open_options(&self.0, message)
    }
}

impl<G: Enveloped> Rules for Published<G> {
    fn options(&self, message: Option<&GameOptions>) -> Result<FilledOptions, Fault> {
        let options = self.open_options(message.unwrap_or(&GameOptions::default()))?;
        let players = G::players(&options);
        assert!(
            *players.start() > 0 && players.start() <= players.end() && *players.end() <= Seat::MAX,
            "some number of players, each with a seat, can play"
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
            "every player has a role, and every role a seat"
        );
        Ok(cast)
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
        assert_eq!(game.setup().players, players, "a new game has the players it was asked for");
        let hosted = Hosted(game);
        hosted.assert_whole(None, &emitted);
        let told = happenings(&hosted.0, emitted, names);
        Ok((Box::new(hosted), told))
    }

    fn read_position(&self, message: &GamePosition) -> Result<Box<dyn AnyGame>, Fault> {
        let game = G::open_position(message)?;
        let found = G::edition_of(&game.setup().options);
        if found != self.0.id {
            return Err(Fault::field(
                "position",
                format!("This is a position of {found}, not of {}.", self.0.id),
            ));
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

    fn rules(&self) -> Vec<(&'static str, &'static str)> {
        let mut rules = G::rules();
        rules.retain(|(number, _)| self.rule(number).is_some());
        rules
    }
}

fn other_game(field: &str) -> Fault {
    Fault::field(field, "This is of another game.")
}
