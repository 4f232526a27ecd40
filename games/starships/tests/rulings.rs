//! Tests of rulings and situations that the cases in `cases/*.txt` cannot state.

use crate::script::Play;

use heliopause_kernel::{Cast, Dice, Game, Seat, Setup, Viewer, Wire};
use heliopause_proto::starships_at_large::v1::Options as OptionsMessage;
use heliopause_starships::{Event, Marker, Mix, Options, Place, Starships};

fn new_game(players: usize, options: Options) -> Starships {
    Starships::new(&Setup { options, players }, &mut Dice::new([3; 32])).unwrap().0
}

#[test]
fn s01_the_death_star_starts_in_the_third_rank() {
    for players in 1..=6 {
        let (options, mut dice) = (Options::default(), Dice::new([players as u8; 32]));
        let (game, _) = Starships::new(&Setup { options, players }, &mut dice).unwrap();
        let mut markers = game.secrets().markers.iter();
        let star = markers.position(|&marker| marker == Marker::DeathStar).unwrap();
        assert_eq!(Place::all().nth(star).unwrap().rank(), 3);
    }
}

#[test]
fn s15_the_first_player_is_rolled_for_and_ties_roll_again() {
    let mut dice = Dice::new([1; 32]).scripted([5, 5, 2, 3, 6]);
    let setup = Setup { options: Options::default(), players: 3 };
    let (game, _) = Starships::new(&setup, &mut dice).unwrap();
    assert_eq!(game.table().order, [1, 2, 0].map(Seat::at));
    assert_eq!(dice.script().count(), 0);
}

#[test]
fn s37_colonizing_and_bluffing_look_alike() {
    let after = |marker: &str| {
        let sheet = format!("players 2; hex (1,0) {marker}; ship A (1,0); base A (0,0)");
        let play = Play::of(&format!("{sheet}\nA: mark (1,0)")).unwrap();
        let (game, other) = (play.game.unwrap(), Viewer::Seat(Seat::at(1)));
        let told: Vec<Event> = play.events.to(other).copied().collect();
        let owner = game.secrets().owners.iter().flatten().next().copied();
        (told, game.view(other), owner)
    };
    let (colonizing, bluffing) = (after("Friendly"), after("Asteroids"));
    assert_eq!((&colonizing.0, &colonizing.1), (&bluffing.0, &bluffing.1));
    assert_eq!((colonizing.2, bluffing.2), (Some(Seat::at(0)), None));
}

#[test]
fn r01_another_mix_is_laid_out_exactly() {
    let mix = Mix { friendly: 20, unfriendly: 2, dead: 6, asteroids: 2, empty: 5 };
    let game = new_game(2, Options { mix, ..Options::default() });
    for kind in Marker::KINDS {
        let found = game.secrets().markers.iter().filter(|&&marker| marker == kind).count();
        assert_eq!(found, usize::from(mix.count(kind)));
    }
}

#[test]
fn r25_all_markers_and_rolls_are_revealed_even_mid_turn() {
    let sheet = "players 2; round 12; hex (1,0) Asteroids; hex (0,1) Unfriendly; ship A (0,0)
        hex (3,-1) DeathStar; ship A (0,1) (2,0); base A (0,0); marked (2,0) B
        A: move A1 to (1,0) [5]
        A: diplomacy A2 [4]
        A: move A3 to (3,-1) [4]";
    let mut game = Play::of(sheet).unwrap().game.unwrap();
    let at = |text: &str| Place::all().find(|at| at.to_string() == text).unwrap();
    let before = game.view(Viewer::Spectator);
    assert_eq!((before.marker(at("(1,0)")), before.table.revealed.len()), (None, 0));
    let told = game.reveal();
    for viewer in [Viewer::Seat(Seat::at(1)), Viewer::Spectator] {
        let view = game.view(viewer);
        assert!(Place::all().all(|place| view.marker(place).is_some()));
        assert_eq!(view.marker(at("(1,0)")), Some(Marker::Asteroids));
        assert_eq!(view.marker(at("(3,-1)")), Some(Marker::DeathStar));
        let rolls = view.table.revealed.iter();
        let rolls: Vec<_> = rolls.map(|roll| (roll.round, roll.at, roll.dice)).collect();
        let expected = [("(1,0)", 5), ("(0,1)", 4), ("(3,-1)", 4)];
        assert_eq!(rolls, expected.map(|(place, die)| (12, at(place), (die, None))));
    }
    let describe = |event| Starships::describe(event, &|seat| seat.to_string()).0;
    let sentences: Vec<String> = told.to(Viewer::Spectator).map(describe).collect();
    let expected = "In round 12, A1 entered Asteroids in (1,0) (5).";
    assert!(sentences.iter().any(|sentence| sentence == expected), "{sentences:?}");
    game.check().unwrap();
    assert!(game.reveal().is_empty(), "nothing is left to tell");
    assert_eq!(Starships::read_position(&game.write_position()).as_ref(), Ok(&game));
}

#[test]
fn absent_options_have_defaults_and_errors_name_their_field() {
    assert_eq!(Starships::read_options(&OptionsMessage::default()), Ok(Options::default()));
    let rounds =
        Starships::read_options(&OptionsMessage { rounds: Some(0), ..OptionsMessage::default() });
    assert_eq!(rounds.unwrap_err().field, "rounds");
    let options = Options { edges_open: false, rounds: 20, ..Options::default() };
    assert_eq!(Starships::read_options(&Starships::write_options(&options)), Ok(options));
    let one = new_game(1, Options { bases_in_solitaire: 1, ..Options::default() });
    assert_eq!((one.table().bases.len(), one.table().ships.len()), (1, 1));
    assert_eq!(new_game(1, Options::default()).table().bases.len(), 2);
}

#[test]
fn the_cast_is_the_players_and_the_death_star() {
    let Cast { roles, .. } = Starships::cast(&Options::default(), 2);
    let profiles: Vec<_> = roles.iter().map(|role| (role.profile, role.always_automated)).collect();
    assert_eq!(profiles, [("captain", false), ("captain", false), ("death-star", true)]);
}

#[test]
fn every_rule_has_a_text() {
    let chapters = (1..=12).map(|number| number.to_string());
    for number in chapters.chain((1..=43).map(|number| format!("R{number}"))) {
        assert!(Starships::rule(&number).is_some_and(|text| text.len() > 20), "{number}");
    }
    assert_eq!(Starships::rule("r7"), Starships::rule("R7"));
    assert_eq!(Starships::rule("99"), None);
}
