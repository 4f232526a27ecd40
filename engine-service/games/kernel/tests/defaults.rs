//! A game that says only what every game must say: all else is as the traits have it.

use std::ops::RangeInclusive;

use heliopause_kernel::offer::Offers;
use heliopause_kernel::setting::Setting;
use heliopause_kernel::{
    Actor, Audience, Cast, Decision, Dice, Draw, Edition, Emitted, Game, Goal, Malformed, Outcome,
    Press, Reckoning, Refusal, Role, Seat, SeatChange, SeatSet, Setup, Viewer, Warning, Why, Wire,
};

/// Who calls the side of a coin wins.
#[derive(Clone, Debug, PartialEq)]
struct Coin {
    players: usize,
    heads: bool,
    winner: Option<Seat>,
}

/// How a coin is tossed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Toss {
    players_at_least: usize,
    players_at_most: usize,
}

impl Game for Coin {
    const ID: &'static str = "coin";
    const NAME: &'static str = "Coin";
    const SUMMARY: &'static str = "Who calls the side of a coin wins.";
    const RULES_VERSION: u32 = 1;
    const WARNINGS: &'static [&'static str] = &[];
    type Options = Toss;
    type Order = bool;
    type Event = bool;
    type View = Option<Seat>;

    fn settings(_edition: &Edition<Toss>) -> &'static [Setting<Toss>] {
        &[]
    }

    fn players(options: &Toss) -> RangeInclusive<usize> {
        options.players_at_least..=options.players_at_most
    }

    fn cast(_options: &Toss, players: usize) -> Cast {
        let role = Role {
            name: "Caller".to_owned(),
            profile: "random",
            abandoned: None,
            automaton: false,
        };
        Cast { roles: vec![role; players], alike: true }
    }

    fn phase_kinds(_options: &Toss) -> &'static [&'static str] {
        &["call"]
    }

    fn new(setup: &Setup<Toss>, dice: &mut Dice) -> Result<(Self, Emitted<bool>), Refusal> {
        let heads = dice.roll(Draw::new("coin"), 2) == 1;
        Ok((Self { players: setup.players, heads, winner: None }, Emitted::new()))
    }

    fn setup(&self) -> Setup<Toss> {
        Setup { options: Toss::default(), players: self.players }
    }

    fn pending(&self) -> Vec<Decision> {
        let call = |seat| Decision {
            seat,
            kind: "call",
            number: 1,
            revisable: false,
            prompt: "Call a side.".to_owned(),
        };
        self.alive().iter().filter(|_| self.winner.is_none()).map(call).collect()
    }

    fn judge(&self, _by: Actor, _order: &bool) -> Result<(), Refusal> {
        Ok(())
    }

    fn is_revisable(_order: &bool) -> bool {
        false
    }

    fn submit(&mut self, by: Actor, call: bool, _: &mut Dice) -> Result<Emitted<bool>, Refusal> {
        let mut told = Emitted::new();
        if let Actor::Seat(seat) = by
            && call == self.heads
        {
            self.winner = Some(seat);
        }
        told.tell(Audience::everyone(), call);
        Ok(told)
    }

    fn take_back(&mut self, _seat: Seat) -> Result<Emitted<bool>, Refusal> {
        Err(Refusal::resolved("1"))
    }

    fn close(&mut self, _why: Why, _dice: &mut Dice) -> Emitted<bool> {
        Emitted::new()
    }

    fn view(&self, _viewer: Viewer) -> Option<Seat> {
        self.winner
    }

    fn update(_view: &mut Option<Seat>, _event: &bool) {}

    fn offers(&self, _seat: Seat) -> Offers<bool> {
        Offers::default()
    }

    fn warnings(_view: &Option<Seat>, _next: Option<&bool>) -> Vec<Warning> {
        Vec::new()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(|seat| self.declared(SeatSet::one(seat)))
    }

    fn reckon(&self, _names: &dyn Fn(Seat) -> String) -> Reckoning {
        let lines = vec![Vec::new(); self.players];
        Reckoning { summary: String::new(), level: "", lines }
    }

    fn goals(_view: &Option<Seat>) -> Vec<Goal> {
        Vec::new()
    }

    fn alive(&self) -> SeatSet {
        SeatSet::first(self.players)
    }

    fn on_turn(&self) -> Option<Seat> {
        None
    }

    fn round(&self) -> u64 {
        1
    }

    fn progress(&self) -> String {
        "one call each".to_owned()
    }

    fn describe(call: &bool, _names: &dyn Fn(Seat) -> String) -> (String, &'static str) {
        (Self::notate(call), "1")
    }

    fn rule(number: &str) -> Option<&'static str> {
        (number == "1").then_some(Self::SUMMARY)
    }

    fn rules() -> Vec<(&'static str, &'static str)> {
        vec![("1", Self::SUMMARY)]
    }

    fn parse(_view: &Option<Seat>, text: &str) -> Result<Vec<bool>, Malformed> {
        Ok(text.lines().map(|line| line == "heads").collect())
    }

    fn notate(order: &bool) -> String {
        (if *order { "heads" } else { "tails" }).to_owned()
    }

    fn sample(view: &Option<Seat>, rng: &mut dyn FnMut() -> u64) -> Self {
        Self { players: 2, heads: rng().is_multiple_of(2), winner: *view }
    }

    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl Wire for Coin {
    type OptionsMessage = u32;
    type OrderMessage = bool;
    type EventMessage = bool;
    type ViewMessage = u32;
    type PositionMessage = bool;

    fn read_options(message: &u32) -> Result<Toss, Malformed> {
        let players = *message as usize;
        if players == 0 {
            return Err(Malformed::field("players", "it is at least 1"));
        }
        Ok(Toss { players_at_least: players, players_at_most: players })
    }

    fn write_options(options: &Toss) -> u32 {
        options.players_at_most as u32
    }

    fn read_order(message: &bool) -> Result<bool, Malformed> {
        Ok(*message)
    }

    fn write_order(order: &bool) -> bool {
        *order
    }

    fn read_event(message: &bool) -> Result<bool, Malformed> {
        Ok(*message)
    }

    fn write_event(event: &bool) -> bool {
        *event
    }

    fn read_view(message: &u32) -> Result<Option<Seat>, Malformed> {
        Ok(Seat::numbered(*message))
    }

    fn write_view(view: &Option<Seat>) -> u32 {
        view.map_or(0, Seat::number)
    }

    fn read_position(message: &bool) -> Result<Self, Malformed> {
        Ok(Self { players: 2, heads: *message, winner: None })
    }

    fn write_position(&self) -> bool {
        self.heads
    }
}

fn coin(players: usize) -> (Coin, Dice) {
    let mut dice = Dice::new([1; 32]);
    let setup = Setup { options: Toss::default(), players };
    let (coin, told) = Coin::new(&setup, &mut dice).unwrap();
    assert!(told.is_empty());
    (coin, dice)
}

#[test]
fn a_game_is_published_once_and_under_its_own_name() {
    let [edition] = Coin::editions().try_into().unwrap();
    assert_eq!((edition.id, edition.name, edition.summary), ("coin", "Coin", Coin::SUMMARY));
    assert_eq!(edition.options, Toss::default());
    let options = Toss { players_at_least: 7, players_at_most: 9 };
    assert_eq!(Coin::edition_of(&options), "coin");
    assert_eq!(Coin::unattended(options.clone()), options);
    assert_eq!(Coin::read_options_of(&edition, &3), Coin::read_options(&3));
    assert_eq!(Coin::read_options_of(&edition, &0), Coin::read_options(&0));
}

#[test]
fn a_game_usually_has_four_players_if_it_may() {
    let usual = |players_at_least, players_at_most| {
        Coin::usual_players(&Toss { players_at_least, players_at_most })
    };
    assert_eq!([usual(2, 3), usual(2, 6), usual(4, 4), usual(5, 7)], [3, 4, 4, 5]);
}

#[test]
fn nothing_is_public_kept_or_foretold_unless_a_game_says_so() {
    let (coin, _) = coin(2);
    let pending = coin.pending();
    assert!(pending.len() == 2 && !pending.iter().any(|decision| coin.is_public(decision)));
    let seat = Seat::at(0);
    assert_eq!(coin.foretell(Actor::Seat(seat), &true), None);
    assert_eq!(coin.standing_orders(seat), Vec::<bool>::new());
    assert_eq!(coin.called(seat, Viewer::Spectator), None);
    assert_eq!(coin.briefing(seat), coin.view(Viewer::Seat(seat)));
}

#[test]
fn letters_have_names_and_arrive_at_once_and_change_nothing() {
    let (mut coin, _) = coin(2);
    let (from, to) = (Seat::at(0), Seat::at(1));
    assert_eq!(coin.press(from, to, false), Ok(Press::AtOnce));
    assert_eq!(coin.press(from, to, true).unwrap_err().reason, "not-anonymous");
    assert!(!coin.only_public_press() && coin.hears(to));
    let before = coin.clone();
    assert!(coin.messaged(from, to, false).is_empty());
    assert!(coin.seat_changed(to, SeatChange::Abandoned).is_empty());
    assert!(coin.reveal().is_empty());
    assert_eq!(coin, before);
}

#[test]
fn declared_winners_win_without_points() {
    let (mut coin, mut dice) = coin(3);
    for call in [true, false] {
        coin.submit(Actor::Seat(Seat::at(2)), call, &mut dice).unwrap();
    }
    let outcome = coin.outcome().expect("one of two calls is right");
    assert_eq!(outcome.winners, SeatSet::one(Seat::at(2)));
    assert_eq!((outcome.points, outcome.unit, outcome.draw), (vec![0; 3], "point", false));
    assert!(outcome.summary.is_empty() && outcome.rule.is_empty());
}

#[test]
fn a_role_is_played_on_by_its_profile_unless_it_has_another_for_that() {
    let usual = Coin::cast(&Toss::default(), 1).roles.remove(0);
    assert_eq!(usual.when_abandoned(), "random");
    assert_eq!(usual.profiles().collect::<Vec<_>>(), ["random"]);
    let other = Role { abandoned: Some("sentinel"), ..usual };
    assert_eq!(other.when_abandoned(), "sentinel");
    assert_eq!(other.profiles().collect::<Vec<_>>(), ["random", "sentinel"]);
}
