//! Tests of the rulebook's situations, by number. The tests of marker placement also cover
//! situation 1, and those of credits cover the table of situation 32.

use crate::sheet;

use heliopause_kernel::{Dice, Emitted, Game, Press, Setup, Viewer};
use heliopause_proto::starships_at_large::v1::Marker::{
    Asteroids, Dead, DeathStar, Destroyed, Friendly, Unfriendly,
};
use heliopause_proto::starships_at_large::v1::{Hex, NoAttack, promise::Kind};
use heliopause_starships::{Event, Marker, Options, Starships, Status, TurnEvent};
use sheet::{A, B, C, D, Sheet, at, seat, told};

fn news(events: &Emitted<Event>, player: usize) -> Vec<Event> {
    let turn = |event: &&Event| {
        !matches!(
            event,
            Event::Turn(
                TurnEvent::StageChanged { .. }
                    | TurnEvent::TurnBegan { .. }
                    | TurnEvent::TurnEnded { .. }
            )
        )
    };
    events.to(Viewer::Seat(seat(player))).filter(turn).copied().collect()
}

#[test]
fn s01_the_death_star_starts_in_the_third_rank() {
    for players in 1..=6 {
        let mut dice = Dice::new([players as u8; 32]);
        let (game, _) =
            Starships::new(&Setup { options: Options::default(), players }, &mut dice).unwrap();
        let star =
            game.secrets().markers.iter().position(|&marker| marker == Marker::DeathStar).unwrap();
        assert_eq!(heliopause_starships::Place::all().nth(star).unwrap().rank(), 3);
    }
}

#[test]
fn s02_a_discovery_is_the_discoverers_until_turned_face_up() {
    let mut play = Sheet::players(2).hex((1, 0), Dead).play();
    play.order(A, "move A1 to (1,0)", &[]);
    assert_eq!(play.view(A).marker(at(1, 0)), Some(Marker::Dead));
    assert_eq!(play.view(B).marker(at(1, 0)), None);
    play.order(A, "face up (1,0)", &[]);
    assert_eq!(play.view(B).marker(at(1, 0)), Some(Marker::Dead));
}

#[test]
fn s03_a_warp_through_hidden_asteroids_destroys_without_a_roll() {
    let mut play = Sheet::players(2).hex((1, 0), Asteroids).play();
    let events = play.order(A, "warp A1 via (1,0) to (2,0)", &[]);
    assert_eq!(play.place(A, 1), None);
    assert!(
        told(&events, A).contains(&"A1 is wrecked in Asteroids at warp speed in (1,0).".to_owned())
    );
    assert!(told(&events, B).contains(&"A1 is lost in (1,0).".to_owned()));
    assert_eq!(play.view(A).marker(at(1, 0)), Some(Marker::Asteroids));
    assert_eq!(play.view(B).marker(at(1, 0)), None);
}

#[test]
fn s04_force_on_an_unfriendly_planet() {
    let play = Sheet::players(2).hex((1, 0), Unfriendly).ship(A, (1, 0)).play();
    let mut fails = play.clone();
    fails.order(A, "force A1", &[4, 4]);
    assert_eq!((fails.owner(1, 0), fails.place(A, 1)), (0, None));
    let mut succeeds = play;
    succeeds.order(A, "force A1", &[4, 1]);
    assert_eq!((succeeds.owner(1, 0), succeeds.place(A, 1)), (A, Some((1, 0))));
}

fn duel() -> Sheet {
    Sheet::players(2)
        .owned((2, 0), Friendly, A)
        .base(A, (2, 0))
        .ship(A, (1, 0))
        .owned((-2, 0), Friendly, B)
        .base(B, (-2, 0))
        .ship(B, (1, 0))
}

#[test]
fn s05_starship_against_starship() {
    let after = |dice: &[u32]| {
        let mut play = duel().play();
        play.order(A, "attack A1 B1", dice);
        (play.ships(A), play.ships(B), play.pending().0)
    };
    assert_eq!(after(&[2, 5]), (1, 0, "turn"));
    assert_eq!(after(&[2, 2]), (0, 0, "turn"));
    assert_eq!(after(&[5, 5]), (1, 1, "battle"));
}

#[test]
fn s06_base_taken_by_attack_on_an_owned_planet() {
    let mut play = Sheet::players(3)
        .owned((2, 0), Friendly, A)
        .base(A, (2, 0))
        .ship(A, (-2, 0))
        .owned((-2, 0), Friendly, B)
        .base(B, (-2, 0))
        .owned((-3, 0), Dead, B)
        .ship(B, (0, 2))
        .play();
    play.order(A, "attack A1 base of B", &[4, 3]);
    assert_eq!((play.owner(-2, 0), play.owner(-3, 0)), (A, 0));
    assert!(play.is_out(B));
    assert_eq!(play.ships(B), 0);
    play.order(A, "end", &[]);
    assert_eq!(play.active(), C);
}

#[test]
fn s07_the_owner_chooses_starships_to_remove_above_the_limit() {
    let mut play = Sheet::players(2)
        .owned((1, 0), Dead, A)
        .base(A, (0, 0))
        .ship(A, (0, 0))
        .ship(A, (1, 0))
        .ship(A, (2, 0))
        .play();
    play.order(A, "end", &[]);
    assert_eq!(play.pending(), ("sponsors", A));
    play.refused(A, "end", "decision-open");
    play.refused(A, "move A1 to (1,0)", "decision-open");
    play.order(A, "sacrifice A2", &[]);
    assert_eq!((play.ships(A), play.place(A, 2), play.active()), (2, None, B));
}

#[test]
fn s08_exile_takes_two_votes_from_round_five_and_the_targets_own_turn() {
    let mut early = Sheet::players(3).round(4).on_turn(A).play();
    early.refused(B, "exile A", "too-early");
    early.until_turn_of(B);
    let mut play = Sheet::players(3).round(5).on_turn(A).play();
    play.order(B, "exile C", &[]);
    play.until_turn_of(B);
    play.order(A, "exile C", &[]);
    assert_eq!(play.status(C), Status::Alliance);
    play.until_turn_of(C);
    assert_eq!(play.status(C), Status::Exiled { round: 5 });
    play.order(C, "end", &[]);
    play.until_turn_of(C);
    play.order(C, "end", &[]);
    assert_eq!(play.status(C), Status::Exiled { round: 5 });
}

#[test]
fn s09_a_broken_planet_pledge_costs_the_planet_and_a_starship() {
    let mut play = Sheet::players(2)
        .round(3)
        .on_turn(B)
        .owned((1, 0), Friendly, A)
        .seen((1, 0), B)
        .base(A, (0, 0))
        .ship(A, (1, 0))
        .ship(A, (0, 0))
        .pledge(A, B, Kind::GivePlanet(Hex { q: 1, r: 0 }), 3)
        .play();
    play.order(B, "end", &[]);
    assert_eq!(play.pending(), ("word", B));
    play.order(B, "choose A2", &[]);
    assert_eq!((play.owner(1, 0), play.ships(A), play.ships(B)), (B, 1, 2));
    assert_eq!((play.active(), play.round()), (A, 4));
}

#[test]
fn s10_zones_multiply_only_while_connected() {
    let sheet = Sheet::players(1)
        .death_star((3, 0), A)
        .zone((2, 0))
        .zone((0, -1))
        .zone((1, 0))
        .base_out(A, (-3, 0), 0);
    let mut connected = sheet.clone().play();
    connected.order(A, "end", &[]);
    assert!(connected.may(2, "grow (1,0) to (1,1)"));
    let mut cut = sheet.ship(A, (2, 1)).play();
    cut.order(A, "move A1 to (2,0)", &[]);
    cut.order(A, "end", &[]);
    cut.refused(2, "grow (1,0) to (1,1)", "no-source");
    cut.refused(2, "grow (0,-1) to (0,-2)", "no-source");
    cut.order(2, "stop", &[]);
    assert_eq!(cut.zones(), [(0, -1), (1, 0)]);
}

#[test]
fn s11_a_zone_into_an_undefended_base_planet() {
    let sheet = Sheet::players(2)
        .death_star((3, 0), A)
        .owned((2, 0), Friendly, B)
        .base(B, (2, 0))
        .ship(B, (-3, 0))
        .base(A, (0, 0));
    let mut destroyed = sheet.clone().play();
    destroyed.order(A, "end", &[]);
    destroyed.order(C, "grow (3,0) to (2,0)", &[3]);
    assert_eq!((destroyed.marker(2, 0), destroyed.is_out(B)), (Marker::Destroyed, true));
    assert_eq!(destroyed.zones(), [(2, 0)]);
    let mut survives = sheet.play();
    survives.order(A, "end", &[]);
    survives.order(C, "grow (3,0) to (2,0)", &[4]);
    assert_eq!((survives.marker(2, 0), survives.is_out(B)), (Marker::Friendly, false));
    assert!(survives.zones().is_empty());
}

#[test]
fn s12_a_seventh_live_planet_by_gift_ends_the_game_at_once() {
    let sheet = Sheet::players(3)
        .planets(B, 4, 0)
        .planets(C, 2, 0)
        .owned((2, 0), Friendly, A)
        .base_out(A, (3, 0), 0);
    let mut play = sheet.play();
    play.order(A, "give (2,0) to B", &[]);
    assert_eq!(play.credits(), [0, 1, 1]);
    let tie = Sheet::players(4).planets(B, 2, 0).planets(C, 2, 0).planets(D, 2, 0).owned(
        (2, 0),
        Friendly,
        A,
    );
    let mut play = tie.base_out(A, (3, 0), 0).play();
    play.order(A, "give (2,0) to B", &[]);
    assert_eq!(play.credits(), [0, 1, 0, 0]);
}

#[test]
fn s13_the_player_on_turn_cannot_send_and_receives_messages_later() {
    let mut play = Sheet::players(3).play();
    assert!(play.game.press(seat(A), seat(B), false).is_err());
    assert_eq!(play.game.press(seat(B), seat(A), false), Ok(Press::Held));
    assert_eq!(play.game.press(seat(B), seat(C), false), Ok(Press::AtOnce));
    play.order(A, "end", &[]);
    assert_eq!(play.game.press(seat(A), seat(C), false), Ok(Press::AtOnce));
    assert_eq!(play.game.press(seat(C), seat(A), false), Ok(Press::AtOnce));
}

#[test]
fn s14_an_active_death_star_extends_the_game_past_round_12() {
    let mut play =
        Sheet::players(1).round(12).death_star((3, 0), A).base(A, (0, 0)).ship(A, (3, 0)).play();
    play.order(A, "end", &[]);
    play.order(2, "stop", &[]);
    assert_eq!(play.round(), 13);
    play.order(A, "end", &[]);
    play.order(2, "stop", &[]);
    play.order(A, "attack A1 death star", &[4, 1]);
    assert!(play.game.outcome().is_none());
    play.order(A, "end", &[]);
    assert_eq!(play.credits(), [0]);
    assert_eq!(play.round(), 14);
}

#[test]
fn s15_the_first_player_is_rolled_for_and_ties_roll_again() {
    let mut dice = Dice::new([1; 32]).scripted([5, 5, 2, 3, 6]);
    let (game, _) =
        Starships::new(&Setup { options: Options::default(), players: 3 }, &mut dice).unwrap();
    assert_eq!(game.table().order, [seat(2), seat(3), seat(1)]);
    assert_eq!(dice.script().count(), 0);
}

#[test]
fn s16_a_normal_move_into_undiscovered_asteroids() {
    let sheet = Sheet::players(2).hex((1, 0), Asteroids);
    let mut hit = sheet.clone().play();
    let events = hit.order(A, "move A1 to (1,0)", &[3]);
    assert!(hit.is_disrupted(A, 1));
    assert!(told(&events, B).iter().all(|sentence| !sentence.contains("Asteroids")));
    assert!(told(&events, B).contains(&"A1 is Disrupted.".to_owned()));
    hit.order(A, "end", &[]);
    hit.until_turn_of(A);
    hit.refused(A, "move A1 to (2,0)", "disrupted");
    hit.refused(A, "attack A1 B1", "disrupted");
    hit.refused(A, "force A1", "disrupted");
    hit.order(A, "end", &[]);
    hit.until_turn_of(A);
    hit.order(A, "move A1 to (2,0)", &[]);
    let mut unhurt = sheet.play();
    let events = unhurt.order(A, "move A1 to (1,0)", &[4]);
    assert_eq!(news(&events, B).len(), 1, "{events:?}");
}

#[test]
fn s17_a_warp_that_disrupts_may_still_colonize_or_negotiate() {
    let mut friendly = Sheet::players(2).hex((2, 0), Friendly).play();
    friendly.order(A, "warp A1 via (1,0) to (2,0)", &[2]);
    friendly.order(A, "colonize (2,0)", &[]);
    assert_eq!(friendly.owner(2, 0), A);
    let mut unfriendly = Sheet::players(2).hex((2, 0), Unfriendly).play();
    unfriendly.order(A, "warp A1 via (1,0) to (2,0)", &[2]);
    unfriendly.refused(A, "force A1", "disrupted");
    unfriendly.order(A, "diplomacy A1", &[3]);
    assert_eq!(unfriendly.owner(2, 0), A);
}

#[test]
fn s18_an_enemy_in_the_first_hex_stops_a_warp() {
    let mut play = duel()
        .hex((1, 0), Dead)
        .player(A, |player| player.starships[0].at = Some(Hex { q: 0, r: 0 }))
        .war(A, B)
        .play();
    play.order(A, "warp A1 via (1,0) to (2,0)", &[5, 5]);
    assert_eq!(play.view(A).marker(at(1, 0)), Some(Marker::Dead));
    play.order(A, "withdraw", &[]);
    assert_eq!(play.place(A, 1), Some((0, 0)));
    play.refused(A, "move A1 to (1,0)", "withdrew");
    play.refused(A, "mark (0,0)", "not-there");
}

#[test]
fn s19_arrivals_replace_one_and_add_what_was_gained() {
    let mut play = Sheet::players(1)
        .planets(A, 3, 0)
        .base(A, (0, 0))
        .ship(A, (0, 0))
        .player(A, |player| {
            let gained = vec![Hex { q: 0, r: -3 }];
            player.secrets = Some(heliopause_proto::starships_at_large::v1::Private {
                gained,
                ..Default::default()
            });
        })
        .play();
    play.order(A, "end", &[]);
    play.refused(A, "build 3", "too-many");
    play.order(A, "build 2", &[]);
    play.refused(A, "build 1", "arrivals-over");
    play.order(A, "end", &[]);
    play.refused(A, "build 2", "too-many");
    play.order(A, "build 1", &[]);
    assert_eq!(play.ships(A), 4);
}

#[test]
fn s20_a_disrupted_defender_is_attacked_once_by_each() {
    let mut play = Sheet::players(2)
        .owned((2, 0), Friendly, A)
        .base(A, (2, 0))
        .ship(A, (1, 0))
        .ship(A, (1, 0))
        .disrupted(B, (1, 0))
        .base_out(B, (-3, 0), 0)
        .play();
    play.order(A, "attack A1 B1", &[5]);
    play.refused(A, "attack A1 B1", "withdrew");
    play.order(A, "attack A2 B1", &[1]);
    assert_eq!(play.ships(B), 0);
}

#[test]
fn s21_a_base_out_at_the_end_of_three_turns_is_lost() {
    let sheet = Sheet::players(1).options(|options| options.bases_in_solitaire = Some(1)).round(3);
    let mut play = sheet.hex((3, 0), Friendly).owned((-3, 0), Dead, A).play();
    play.order(A, "base via (1,0) to (2,0)", &[]);
    assert_eq!(play.status(A), Status::Independent);
    play.order(A, "end", &[]);
    play.order(A, "end", &[]);
    assert_eq!(play.round(), 5);
    let mut settles = play.clone();
    settles.order(A, "base to (3,0)", &[]);
    settles.order(A, "settle", &[]);
    settles.order(A, "end", &[]);
    assert!(!settles.is_out(A));
    assert_eq!(settles.owner(3, 0), A);
    play.order(A, "end", &[]);
    assert!(play.is_out(A));
    assert_eq!(play.owner(-3, 0), 0);
    assert_eq!(play.credits(), [0]);
}

#[test]
fn s22_a_base_out_on_an_unfriendly_planet() {
    let mut play = Sheet::players(2)
        .hex((2, 0), Unfriendly)
        .base_out(A, (2, 0), 0)
        .ship(A, (0, 0))
        .planets(A, 1, 0)
        .play();
    play.order(A, "diplomacy base", &[5]);
    play.refused(A, "settle", "unfriendly");
    play.order(A, "end", &[]);
    play.until_turn_of(A);
    let mut fails = play.clone();
    fails.order(A, "force base", &[6, 6]);
    assert!(fails.is_out(A));
    assert_eq!((fails.ships(A), fails.active()), (0, B));
    play.order(A, "force base", &[6, 2]);
    assert_eq!(play.owner(2, 0), A);
    play.refused(A, "settle", "settled");
}

#[test]
fn s23_a_dead_planet_hosts_no_base_and_sponsors_a_starship() {
    let mut play =
        Sheet::players(2).hex((1, 0), Dead).base_out(A, (1, 0), 0).ship(A, (1, 0)).play();
    play.refused(A, "settle", "no-live-planet");
    play.order(A, "colonize (1,0)", &[]);
    play.refused(A, "settle", "no-live-planet");
    play.order(A, "end", &[]);
    assert_eq!(play.ships(A), 1);
}

#[test]
fn s24_a_planet_retaken_keeps_its_starship() {
    let mut play = Sheet::players(2)
        .owned((2, 0), Friendly, A)
        .base(A, (2, 0))
        .ship(A, (1, 0))
        .owned((-2, 0), Friendly, B)
        .base(B, (-2, 0))
        .owned((1, 0), Dead, B)
        .ship(B, (1, 1))
        .ship(B, (-2, 0))
        .play();
    play.order(A, "diplomacy A1", &[1]);
    assert_eq!(play.owner(1, 0), A);
    play.order(A, "end", &[]);
    let mut retakes = play.clone();
    retakes.order(B, "move B1 to (1,0)", &[5, 5]);
    retakes.order(B, "again", &[1, 5]);
    retakes.order(B, "diplomacy B1", &[1]);
    retakes.order(B, "end", &[]);
    assert_eq!((retakes.owner(1, 0), retakes.ships(B)), (B, 2));
    retakes.refused(A, "build 2", "too-many");
    play.order(B, "end", &[]);
    play.order(B, "sacrifice B2", &[]);
    assert_eq!(play.ships(B), 1);
    play.order(A, "build 1", &[]);
    assert_eq!(play.ships(A), 2);
}

#[test]
fn s25_members_attack_unprovoked_from_round_seven_only() {
    let sheet = |round| {
        Sheet::players(3)
            .round(round)
            .owned((-2, 0), Friendly, B)
            .base(B, (-2, 0))
            .ship(B, (1, 0))
            .base(A, (0, 0))
            .ship(A, (1, 0))
    };
    sheet(6).play().refused(A, "attack A1 B1", "unprovoked");
    let mut provoked = sheet(6).provoked(A, B).play();
    provoked.order(A, "attack A1 B1", &[1, 6]);
    assert!(!provoked.game.table().axis);
    let mut aggressor = sheet(7).play();
    aggressor.order(A, "attack A1 B1", &[1, 6]);
    assert!(aggressor.game.table().axis);
    assert_eq!(aggressor.status(C), Status::Alliance);
    let members = sheet(9).ship(C, (1, 0)).base(C, (0, 0)).play();
    members.refused(A, "attack A1 C1", "fellow-member");
    let mut provoking = Sheet::players(3)
        .round(5)
        .on_turn(B)
        .base_out(B, (-1, 0), 0)
        .ship(B, (0, 0))
        .planets(B, 1, 0)
        .play();
    provoking.order(B, "attack B1 C1", &[6, 6]);
    provoking.order(B, "withdraw", &[]);
    provoking.until_turn_of(A);
    assert!(provoking.may(A, "attack A1 B1"));
}

#[test]
fn s26_earth_goes_to_the_destroyer_of_the_last_other_base() {
    let mut play = Sheet::players(3)
        .owned((2, 0), Friendly, A)
        .base(A, (2, 0))
        .ship(A, (0, 0))
        .base(B, (0, 0))
        .base(C, (0, 0))
        .play();
    play.order(A, "attack A1 base of B", &[5, 2]);
    assert!(play.is_out(B));
    assert_eq!(play.owner(0, 0), 0);
    play.order(A, "attack A1 base of C", &[6, 1]);
    assert!(play.is_out(C));
    assert_eq!((play.owner(0, 0), play.planets(A)), (A, 2));
}

#[test]
fn s27_meeting_the_undisturbed_death_star() {
    let sheet = Sheet::players(2).hex((3, -1), DeathStar).ship(A, (2, 0)).base(A, (0, 0));
    let mut shot = sheet.clone().play();
    let events = shot.order(A, "move A1 to (3,-1)", &[2]);
    assert_eq!(shot.place(A, 1), None);
    assert_eq!(shot.view(A).marker(at(3, -1)), Some(Marker::DeathStar));
    assert_eq!(shot.view(B).marker(at(3, -1)), None);
    assert!(told(&events, B).contains(&"A1 is lost in (3,-1).".to_owned()));
    let mut met = sheet.play();
    met.order(A, "move A1 to (3,-1)", &[4]);
    let mut hit = met.clone();
    hit.order(A, "fire", &[1]);
    assert_eq!((hit.marker(3, -1), hit.zones().len()), (Marker::Destroyed, 0));
    assert_eq!(hit.view(B).marker(at(3, -1)), Some(Marker::Destroyed));
    met.order(A, "fire", &[5]);
    assert_eq!(met.pending(), ("death-star", C));
    met.close(&[]);
    assert_eq!(met.zones(), [(2, -1), (2, 0)]);
    met.order(A, "withdraw", &[]);
    assert_eq!(met.place(A, 1), Some((3, -1)));
}

#[test]
fn s28_the_default_growth() {
    let mut play = Sheet::players(2)
        .death_star((3, -1), A)
        .zone((2, -1))
        .zone((2, 0))
        .ship(A, (3, -1))
        .base(A, (0, 0))
        .play();
    play.order(A, "end", &[]);
    play.close(&[]);
    assert_eq!(play.zones(), [(1, -1), (1, 0), (2, -1), (2, 0), (3, -2)]);
}

#[test]
fn s29_a_growing_zone_and_a_lone_disrupted_starship() {
    let sheet = |marker| {
        Sheet::players(2)
            .death_star((3, -1), A)
            .hex((2, -1), marker)
            .face_up((2, -1))
            .disrupted(B, (2, -1))
            .base(B, (0, 0))
    };
    let mut asteroids = sheet(Asteroids).play();
    asteroids.order(A, "end", &[]);
    asteroids.refused(C, "grow (3,-1) to (2,-1)", "no-growth-there");
    assert_eq!(asteroids.rule_of_refusal(C, "grow (3,-1) to (2,-1)"), "R39");
    let mut lost = sheet(Dead).play();
    lost.order(A, "end", &[]);
    lost.order(C, "grow (3,-1) to (2,-1)", &[3]);
    assert_eq!((lost.ships(B), lost.zones()), (0, vec![(2, -1)]));
    let mut saved = sheet(Dead).play();
    saved.order(A, "end", &[]);
    saved.order(C, "grow (3,-1) to (2,-1)", &[5]);
    assert_eq!((saved.ships(B), saved.zones().len(), saved.marker(2, -1)), (1, 0, Marker::Dead));
}

#[test]
fn s30_a_starship_enters_a_zone_over_undiscovered_asteroids() {
    let sheet = Sheet::players(2).hex((1, 0), Asteroids).zone((1, 0));
    let mut moves = sheet.clone().play();
    moves.order(A, "move A1 to (1,0)", &[2]);
    assert!(moves.zones().is_empty() && moves.is_disrupted(A, 1));
    assert_eq!(moves.view(A).marker(at(1, 0)), Some(Marker::Asteroids));
    let mut warps = sheet.play();
    warps.order(A, "warp A1 via (1,0) to (2,0)", &[]);
    assert_eq!((warps.place(A, 1), warps.zones().len()), (None, 1));
}

#[test]
fn s31_a_starship_surrounded_by_zones_dies_at_the_end_of_any_turn() {
    let ring = |sheet: Sheet, zones: &[(i32, i32)]| {
        zones.iter().fold(sheet, |sheet, &zone| sheet.zone(zone))
    };
    let around = [(2, 0), (2, -1), (1, -1), (0, 1), (1, 1), (0, 0)];
    let sheet = Sheet::players(2)
        .hex((0, 0), Destroyed)
        .base_out(A, (-3, 0), 0)
        .base_out(B, (-3, 1), 0)
        .ship(B, (1, 0));
    let mut middle = ring(sheet, &around).play();
    middle.order(A, "end", &[]);
    assert_eq!(middle.ships(B), 0);
    let edge = Sheet::players(2).base(B, (0, 0)).ship(B, (3, 0));
    let edge = ring(edge, &[(3, -1), (2, 0), (2, 1)]);
    let mut open = edge.clone().play();
    open.order(A, "end", &[]);
    assert_eq!(open.ships(B), 1);
    let mut closed = edge.options(|options| options.edges_open = Some(false)).play();
    closed.order(A, "end", &[]);
    assert_eq!(closed.ships(B), 0);
}

#[test]
fn s32_credits_of_the_alliance_in_play() {
    let mut play = Sheet::players(3)
        .planets(A, 4, 0)
        .planets(B, 1, 1)
        .planets(C, 1, 1)
        .hex((1, 0), Friendly)
        .ship(A, (1, 0))
        .base(A, (0, 0))
        .play();
    play.order(A, "colonize (1,0)", &[]);
    assert_eq!(play.credits(), [1, 0, 0]);
}

#[test]
fn s33_seven_live_planets_win_when_the_death_star_is_destroyed() {
    let mut play = Sheet::players(2)
        .round(4)
        .death_star((3, 0), A)
        .planets(A, 6, 0)
        .hex((2, 0), Friendly)
        .base(A, (0, 0))
        .ship(A, (2, 0))
        .ship(A, (3, 0))
        .play();
    play.order(A, "colonize (2,0)", &[]);
    assert!(play.game.outcome().is_none());
    for _ in 0..2 {
        play.order(A, "end", &[]);
        play.order(C, "stop", &[]);
        play.until_turn_of(A);
    }
    assert_eq!(play.round(), 6);
    play.order(A, "attack A2 death star", &[6, 1]);
    assert_eq!(play.credits(), [1, 1]);
}

#[test]
fn s34_partners_win_together() {
    let sheet = |first, second| {
        Sheet::players(3)
            .planets(A, first, 0)
            .planets(B, second, 0)
            .base_out(A, (2, 0), 0)
            .base_out(B, (2, 1), 0)
            .on_turn(C)
    };
    let mut together = sheet(4, 3).play();
    together.order(A, "offer partnership B", &[]);
    together.order(B, "accept partnership A", &[]);
    assert_eq!(together.credits(), [1, 1, 0]);
    let mut alone = sheet(6, 0).hex((2, 0), Friendly).play();
    alone.order(A, "offer partnership B", &[]);
    alone.order(B, "accept partnership A", &[]);
    alone.until_turn_of(A);
    alone.order(A, "settle", &[]);
    assert_eq!(alone.credits(), [2, 0, 0]);
}

#[test]
fn s35_the_end_of_round_twelve() {
    let last = |independent, others: usize, dead| {
        let mut play = Sheet::players(2)
            .round(12)
            .on_turn(B)
            .planets(A, independent, dead)
            .planets(B, others, 0)
            .base_out(A, (2, 0), 0)
            .play();
        play.order(B, "end", &[]);
        play.credits()
    };
    assert_eq!(last(4, 3, 1), [1, 0]);
    assert_eq!(last(4, 4, 1), [0, 0]);
    let mut member =
        Sheet::players(2).round(12).on_turn(B).planets(A, 5, 0).planets(B, 1, 0).play();
    member.order(B, "end", &[]);
    assert_eq!(member.credits(), [0, 0]);
}

#[test]
fn s36_a_solitaire_player_has_two_bases() {
    let mut play = Sheet::players(1)
        .base_out(A, (2, 0), 2)
        .base(A, (0, 0))
        .ship(A, (1, 1))
        .owned((1, 1), Dead, A)
        .play();
    play.order(A, "end", &[]);
    assert!(!play.is_out(A));
    assert_eq!((play.ships(A), play.owner(1, 1)), (1, A));
    let mut both = Sheet::players(1).base_out(A, (2, 0), 2).base_out(A, (2, 1), 2).play();
    both.order(A, "end", &[]);
    assert_eq!(both.credits(), [0]);
    assert!(both.outcome().winners.is_empty());
}

#[test]
fn s37_colonizing_and_bluffing_look_alike() {
    let after = |marker| {
        let mut play = Sheet::players(2).hex((1, 0), marker).ship(A, (1, 0)).base(A, (0, 0)).play();
        let events = play.order(A, "mark (1,0)", &[]);
        (news(&events, B), play.view(B), play.owner(1, 0))
    };
    let (colonizing, bluffing) = (after(Friendly), after(Asteroids));
    assert_eq!((&colonizing.0, &colonizing.1), (&bluffing.0, &bluffing.1));
    assert_eq!((colonizing.2, bluffing.2), (A, 0));
}

#[test]
fn s38_a_zone_into_earth() {
    let sheet = Sheet::players(2).death_star((1, 0), A).ship(A, (2, 0));
    let mut all = sheet.clone().base(A, (0, 0)).ship(B, (2, 0)).base(B, (0, 0)).play();
    all.order(A, "end", &[]);
    all.order(C, "grow (1,0) to (0,0)", &[1]);
    assert_eq!(all.marker(0, 0), Marker::Destroyed);
    assert_eq!(all.credits(), [0, 0]);
    let mut viking = sheet.clone().base_out(A, (2, 0), 0).base(B, (0, 0)).play();
    viking.order(A, "end", &[]);
    viking.order(C, "grow (1,0) to (0,0)", &[1]);
    assert!(viking.is_out(B) && viking.game.outcome().is_none());
    let spared =
        sheet.base(A, (0, 0)).options(|options| options.earth_can_be_destroyed = Some(false));
    let mut spared = spared.base(B, (0, 0)).play();
    spared.order(A, "end", &[]);
    spared.refused(C, "grow (1,0) to (0,0)", "no-growth-there");
}

#[test]
fn s39_one_move_breaks_two_pledges() {
    let sheet = Sheet::players(3)
        .base_out(A, (3, 0), 0)
        .ship(A, (0, 1))
        .ship(A, (3, 0))
        .ship(A, (3, 0))
        .ship(B, (1, 0))
        .base(B, (0, 0))
        .war(A, B)
        .pledge(A, B, Kind::NoAttack(NoAttack {}), 9)
        .pledge(A, C, Kind::KeepOut(Hex { q: 1, r: 0 }), 9);
    let mut poor = sheet.clone().play();
    poor.order(A, "move A1 to (1,0)", &[1, 6]);
    assert_eq!(poor.pending(), ("word", C));
    poor.order(C, "choose A2", &[]);
    assert_eq!(poor.pending(), ("word", B));
    poor.order(B, "choose A3", &[]);
    assert_eq!((poor.ships(A), poor.ships(B), poor.ships(C)), (1, 1, 2));
    assert_eq!(poor.pending(), ("turn", A));
    let mut rich = sheet.planets(A, 2, 0).play();
    rich.order(A, "move A1 to (1,0)", &[1, 6]);
    rich.order(C, "choose A2", &[]);
    assert_eq!(rich.pending(), ("word", A), "C knows none, so the breaker chooses");
    rich.order(A, "choose (0,-3)", &[]);
    rich.order(B, "choose A3", &[]);
    assert_eq!((rich.planets(A), rich.planets(B), rich.planets(C)), (0, 1, 1));
}

#[test]
fn s40_round_24_ends_with_the_death_star_active() {
    let mut play =
        Sheet::players(2).round(24).on_turn(B).death_star((3, 0), A).planets(A, 9, 0).play();
    play.order(B, "end", &[]);
    assert_eq!(play.credits(), [0, 0]);
    assert!(play.outcome().winners.is_empty());
    assert_eq!(play.outcome().rule, "R40");
}
