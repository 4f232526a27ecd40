//! Defaults of the `Game` trait, tested with Slingshot, which overrides few of them.

use heliopause_kernel::{Actor, Dice, Game, Press, Role, Seat, SeatChange, Setup, Viewer, Wire};
use heliopause_slingshot::{Options, Order, Slingshot};

fn slingshot(players: usize) -> Slingshot {
    let setup = Setup { options: Options::default(), players };
    Slingshot::new(&setup, &mut Dice::new([1; 32])).expect("it can be played").0
}

#[test]
fn a_game_has_one_edition_with_its_own_id_by_default() {
    let [edition] = Slingshot::editions().try_into().unwrap();
    let published = (edition.id, edition.name, edition.summary);
    assert_eq!(published, ("slingshot", "Slingshot", Slingshot::SUMMARY));
    let options = Options { distance: 30 };
    assert_eq!(Slingshot::edition_of(&options), "slingshot");
    assert_eq!(Slingshot::unattended(options.clone()), options);
    let message = Slingshot::write_options(&options);
    assert_eq!(Slingshot::read_options_of(&edition, &message), Ok(options));
    assert_eq!(Slingshot::usual_players(&edition.options), 4);
}

#[test]
fn dry_runs_and_standing_orders_are_empty_by_default() {
    let (game, seat) = (slingshot(2), Seat::at(0));
    assert_eq!(game.preview(Actor::Seat(seat), &Order::Burn { fuel: 1 }), None);
    assert_eq!(game.standing_orders(seat), []);
    assert!(!game.opens_ready(seat));
    assert_eq!(game.interrupted(), []);
    assert_eq!(game.seat_name(seat, Viewer::Spectator), None);
    assert_eq!(game.briefing(seat), game.view(Viewer::Seat(seat)));
    assert!(game.transform_for(seat).is_none());
}

#[test]
fn messages_are_signed_immediate_and_without_effect_by_default() {
    let mut game = slingshot(2);
    let (from, to) = (Seat::at(0), Seat::at(1));
    assert_eq!(game.press(from, to, false), Ok(Press::AtOnce));
    assert_eq!(game.press(from, to, true).unwrap_err().reason, "not-anonymous");
    assert!(!Slingshot::anonymous_press(&game.setup().options));
    assert!(!game.only_public_press() && game.can_receive(to));
    let before = game.clone();
    assert!(game.message_delivered(from, to, false).is_empty());
    assert!(game.seat_changed(to, SeatChange::Abandoned).is_empty());
    assert!(game.reveal().is_empty());
    assert_eq!(game, before);
}

#[test]
fn an_abandoned_role_keeps_its_profile_unless_it_names_another() {
    let usual = Slingshot::cast(&Options::default(), 2).roles.remove(0);
    assert_eq!(usual.when_abandoned(), "probe");
    assert_eq!(usual.profiles().collect::<Vec<_>>(), ["probe"]);
    let other = Role { abandoned: Some("sentinel"), ..usual };
    assert_eq!(other.when_abandoned(), "sentinel");
    assert_eq!(other.profiles().collect::<Vec<_>>(), ["probe", "sentinel"]);
}
