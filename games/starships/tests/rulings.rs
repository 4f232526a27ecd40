//! Tests of rulings and options by number, except those that `situations` covers.

use crate::sheet;

use heliopause_kernel::{Cast, Dice, Game, Press, Seat, Setup, Viewer, Wire};
use heliopause_proto::starships_at_large::v1::Marker::{
    Asteroids, Dead, DeathStar, Empty, Friendly, Unfriendly,
};
use heliopause_proto::starships_at_large::v1::{
    Hex, NoAttack, NoExileVote, Options as OptionsMessage, promise::Kind,
};
use heliopause_starships::{Marker, Mix, Options, Starships, Status};
use sheet::{A, B, C, D, Sheet, at, seat, told};

fn new_game(players: usize, options: Options) -> Starships {
    Starships::new(&Setup { options, players }, &mut Dice::new([3; 32])).unwrap().0
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
fn r02_the_axis_is_the_same_alliance() {
    let mut play = Sheet::players(3)
        .round(7)
        .base_out(B, (3, 0), 0)
        .ship(A, (1, 0))
        .base(A, (0, 0))
        .ship(B, (1, 0))
        .ship(C, (1, 0))
        .base(C, (0, 0))
        .play();
    play.order(A, "attack A1 B1", &[1, 6]);
    assert!(play.game.table().axis);
    assert_eq!((play.status(A), play.status(C)), (Status::Alliance, Status::Alliance));
    play.refused(A, "attack A1 C1", "fellow-member");
}

#[test]
fn r03_one_move_and_one_attempt_a_turn() {
    let mut play = Sheet::players(2).hex((1, 0), Unfriendly).play();
    play.order(A, "move A1 to (1,0)", &[]);
    play.refused(A, "move A1 to (2,0)", "moved");
    play.order(A, "diplomacy A1", &[5]);
    play.refused(A, "diplomacy A1", "attempted");
    play.refused(A, "force A1", "attempted");
}

#[test]
fn r04_a_wreck_reveals_asteroids_in_the_second_hex_too() {
    let mut play = Sheet::players(2).hex((2, 0), Asteroids).play();
    play.order(A, "warp A1 via (1,0) to (2,0)", &[]);
    assert_eq!(play.view(A).marker(at(2, 0)), Some(Marker::Asteroids));
}

#[test]
fn r05_a_warp_discovers_only_where_it_ends() {
    let mut play = Sheet::players(2).hex((1, 0), Dead).hex((2, 0), Friendly).play();
    play.order(A, "warp A1 via (1,0) to (2,0)", &[4]);
    assert_eq!(play.view(A).marker(at(1, 0)), None);
    assert_eq!(play.view(A).marker(at(2, 0)), Some(Marker::Friendly));
}

#[test]
fn r06_known_asteroids_are_rolled_for_again() {
    let mut play = Sheet::players(1).hex((1, 0), Asteroids).face_up((1, 0)).play();
    play.order(A, "move A1 to (1,0)", &[6]);
    play.order(A, "move A2 to (1,0)", &[3]);
    assert_eq!((play.is_disrupted(A, 1), play.is_disrupted(A, 2)), (false, true));
}

#[test]
fn r07_an_attempt_on_an_owned_planet_is_war_until_peace_is_accepted() {
    let mut play = Sheet::players(2)
        .base_out(A, (2, 0), 0)
        .ship(A, (1, 0))
        .owned((1, 0), Dead, B)
        .planets(A, 2, 0)
        .play();
    play.order(A, "diplomacy A1", &[6]);
    assert!(play.game.table().at_war(seat(A), seat(B)));
    play.refused(A, "offer peace B", "own-turn");
    play.order(B, "offer peace A", &[]);
    play.refused(A, "accept peace B", "own-turn");
    play.order(A, "end", &[]);
    play.order(A, "accept peace B", &[]);
    assert!(!play.game.table().at_war(seat(A), seat(B)));
    assert!(play.game.table().provoked_by[1].is_empty());
    play.refused(A, "offer peace B", "not-at-war");
}

#[test]
fn r08_a_base_whose_diplomacy_fails_is_still_out() {
    let mut play = Sheet::players(2).hex((2, 0), Unfriendly).base_out(A, (2, 0), 0).play();
    play.order(A, "diplomacy base", &[4]);
    assert!(play.game.table().bases_of(seat(A)).all(heliopause_starships::Base::is_out));
    play.refused(A, "force base", "attempted");
}

#[test]
fn r09_a_piece_stays_if_it_did_not_move_or_a_zone_is_behind_it() {
    let sheet = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .base_out(B, (-3, 0), 0)
        .ship(B, (1, 0))
        .ship(A, (1, 0));
    let mut still = sheet.play();
    still.order(A, "attack A1 B1", &[5, 5]);
    still.order(A, "withdraw", &[]);
    assert_eq!(still.place(A, 1), Some((1, 0)));
    still.refused(A, "move A1 to (2,0)", "withdrew");
}

#[test]
fn r10_r29_defenders_fight_undisrupted_first_and_highest_serial_first() {
    let play = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .ship(A, (1, 0))
        .base_out(B, (1, 0), 0)
        .ship(B, (1, 0))
        .ship(B, (1, 0))
        .disrupted(B, (1, 0))
        .play();
    play.refused(A, "attack A1 B1", "defended");
    play.refused(A, "attack A1 B3", "defended");
    play.refused(A, "attack A1 base of B", "defended");
    let mut second = play.clone();
    second.order(A, "attack A1 B2", &[1, 6]);
    second.order(A, "attack A1 B1", &[1, 6]);
    second.order(A, "attack A1 base of B", &[6, 6]);
    second.order(A, "again", &[1, 6]);
    assert!(second.is_out(B));
}

#[test]
fn r12_an_exile_must_leave_earth_if_a_haven_is_known() {
    let sheet = Sheet::players(2).round(6).hex((2, 0), Friendly).player(A, |player| {
        player.status = heliopause_proto::starships_at_large::v1::Status::Exiled.into();
        player.exiled_in_round = 5;
    });
    let mut ignorant = sheet.clone().play();
    ignorant.order(A, "end", &[]);
    assert_eq!(ignorant.active(), B);
    let seen = sheet.clone().seen((2, 0), A);
    let mut bound = seen.clone().play();
    bound.refused(A, "end", "must-leave-earth");
    bound.close(&[]);
    assert_eq!((bound.owner(2, 0), bound.status(A)), (A, Status::Independent));
    assert_eq!(bound.active(), B);
    let mut marked = seen.clone().marked((2, 0), B).play();
    marked.order(A, "end", &[]);
    let new = seen.clone().player(A, |player| player.exiled_in_round = 6).play();
    assert!(new.may(A, "end"));
    let walled = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
    let walled = walled.into_iter().fold(seen, Sheet::zone).play();
    assert!(walled.may(A, "end"));
}

#[test]
fn r13_a_pledge_lapses_on_attack_and_binds_after_leaving() {
    let sheet = Sheet::players(3)
        .round(8)
        .base_out(A, (2, 0), 0)
        .ship(A, (1, 0))
        .ship(B, (1, 0))
        .base(B, (0, 0));
    let sheet = sheet.pledge(A, B, Kind::NoAttack(NoAttack {}), 9);
    let mut broken = sheet.clone().play();
    let events = broken.order(A, "attack A1 B1", &[6, 6]);
    assert!(told(&events, C).iter().any(|sentence| sentence.contains("breaks their word")));
    broken.order(A, "withdraw", &[]);
    assert_eq!((broken.ships(A), broken.ships(B)), (0, 2));
    let mut lapsed = sheet.on_turn(B).play();
    lapsed.order(B, "attack B1 A1", &[6, 6]);
    assert!(lapsed.view(A).own().unwrap().pledges.is_empty());
}

#[test]
fn r13_a_vote_breaks_a_pledge_and_a_pledge_withdraws_a_vote() {
    let mut play =
        Sheet::players(3).round(5).pledge(B, C, Kind::NoExileVote(NoExileVote {}), 6).play();
    play.order(B, "exile C", &[]);
    assert_eq!((play.ships(B), play.ships(C)), (0, 2));
    play.order(B, "pledge no-exile to C until 6", &[]);
    assert!(play.game.table().votes[2].is_empty());
    play.refused(A, "pledge no-attack to B until 9", "own-turn");
    play.refused(B, "pledge planet (1,0) to C until 9", "not-yours");
    play.refused(B, "pledge no-attack to C until 4", "no-such-round");
}

#[test]
fn r13_a_planet_given_to_a_third_player_breaks_the_pledge() {
    let sheet = Sheet::players(3).owned((1, 0), Friendly, A).base(A, (0, 0)).ship(A, (0, 0));
    let sheet = sheet.pledge(A, B, Kind::GivePlanet(Hex { q: 1, r: 0 }), 1);
    let mut astray = sheet.clone().play();
    astray.order(A, "give (1,0) to C", &[]);
    assert_eq!(astray.ships(B), 1);
    astray.order(A, "end", &[]);
    astray.order(B, "end", &[]);
    astray.order(C, "end", &[]);
    assert_eq!((astray.ships(A), astray.ships(B), astray.owner(1, 0)), (0, 2, C));
    let mut kept = sheet.play();
    kept.order(A, "give (1,0) to B", &[]);
    assert!(kept.view(B).own().unwrap().pledges.is_empty());
}

#[test]
fn r14_the_next_living_player_inherits_the_provoker() {
    let mut play =
        Sheet::players(3).death_star((3, 0), A).base_out(A, (-3, 0), 2).ship(A, (-3, 0)).play();
    play.order(A, "end", &[]);
    play.close(&[]);
    assert!(play.is_out(A));
    play.order(B, "end", &[]);
    assert_eq!(play.pending(), ("death-star", D));
}

#[test]
fn r15_each_source_grows_once_and_no_hex_is_entered_twice() {
    let mut play = Sheet::players(1)
        .death_star((3, -1), A)
        .zone((2, 0))
        .hex((2, -1), Dead)
        .base(A, (0, 0))
        .play();
    play.order(A, "end", &[]);
    play.order(2, "grow (3,-1) to (2,-1)", &[6]);
    play.refused(2, "grow (3,-1) to (3,0)", "no-source");
    play.refused(2, "grow (2,0) to (2,-1)", "no-growth-there");
    play.order(2, "grow (2,0) to (1,0)", &[]);
    assert_eq!((play.round(), play.zones()), (2, vec![(1, 0), (2, 0)]));
}

#[test]
fn r19_half_is_one_to_three() {
    for die in 1..=6 {
        let mut play = Sheet::players(2).hex((1, 0), Unfriendly).ship(A, (1, 0)).play();
        play.order(A, "diplomacy A1", &[die]);
        assert_eq!(play.owner(1, 0) == A, die <= 3);
    }
}

#[test]
fn r19_every_die_of_every_fight_counts_one_to_three() {
    let ships = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .ship(A, (1, 0))
        .base_out(B, (-3, 0), 0)
        .ship(B, (1, 0));
    let base = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .ship(A, (1, 0))
        .owned((1, 0), Friendly, B)
        .base(B, (1, 0));
    let star = Sheet::players(2).death_star((1, 0), B).base_out(A, (3, 0), 0).ship(A, (1, 0));
    for first in 1..=6 {
        for second in 1..=6 {
            let mut duel = ships.clone().play();
            duel.order(A, "attack A1 B1", &[first, second]);
            assert_eq!((duel.ships(A) == 0, duel.ships(B) == 0), (second <= 3, first <= 3));
            let dice = if first <= 3 { &[first][..] } else { &[first, second] };
            let mut siege = base.clone().play();
            siege.order(A, "attack A1 base of B", dice);
            assert_eq!(
                (siege.ships(A) == 0, siege.is_out(B)),
                (first <= 3, first > 3 && second <= 3)
            );
            let mut raid = star.clone().play();
            raid.order(A, "attack A1 death star", dice);
            let destroyed = raid.marker(1, 0) == Marker::Destroyed;
            assert_eq!((raid.ships(A) == 0, destroyed), (first <= 3, first > 3 && second <= 3));
        }
    }
}

#[test]
fn r19_every_other_die_counts_one_to_three() {
    for die in 1..=6 {
        let mut warp = Sheet::players(2).play();
        warp.order(A, "warp A1 via (1,0) to (2,0)", &[die]);
        assert_eq!(warp.is_disrupted(A, 1), die <= 3);
        let mut asteroids = Sheet::players(2).hex((1, 0), Asteroids).play();
        asteroids.order(A, "move A1 to (1,0)", &[die]);
        assert_eq!(asteroids.is_disrupted(A, 1), die <= 3);
        let mut ambush = Sheet::players(2).hex((1, 0), DeathStar).play();
        ambush.order(A, "move A1 to (1,0)", &[die]);
        assert_eq!(ambush.ships(A) == 0, die <= 3);
        let mut shot = Sheet::players(2).hex((1, 0), DeathStar).play();
        shot.order(A, "move A1 to (1,0)", &[6]);
        shot.order(A, "fire", &[die]);
        assert_eq!(shot.marker(1, 0) == Marker::Destroyed, die <= 3);
        let mut zone =
            Sheet::players(2).death_star((3, 0), A).hex((2, 0), Dead).base(A, (0, 0)).play();
        zone.order(A, "end", &[]);
        zone.order(C, "grow (3,0) to (2,0)", &[die]);
        assert_eq!(zone.marker(2, 0) == Marker::Destroyed, die <= 3);
        let sheet = Sheet::players(2).base_out(A, (3, 0), 0).ship(A, (1, 0)).disrupted(B, (1, 0));
        let mut helpless = sheet.base(B, (0, 0)).play();
        helpless.order(A, "attack A1 B1", &[die]);
        assert_eq!(helpless.ships(B) == 0, die <= 3);
        for second in 1..=6 {
            let mut force =
                Sheet::players(2).hex((1, 0), Unfriendly).ship(A, (1, 0)).base(A, (0, 0)).play();
            force.order(A, "force A1", &[die, second]);
            assert_eq!(force.owner(1, 0) == A, die <= 3 || second <= 3);
        }
    }
}

#[test]
fn r20_a_view_keeps_what_was_seen_as_it_was_last_seen() {
    let sheet =
        Sheet::players(2).hex((1, 0), Unfriendly).seen((1, 0), B).ship(A, (1, 0)).base(A, (0, 0));
    let mut play = sheet.play();
    play.order(A, "diplomacy A1", &[1]);
    let note = play.view(B).note(at(1, 0)).unwrap();
    assert_eq!((note.marker, note.owner), (Marker::Unfriendly, None));
    assert_eq!(play.view(B).table.tokens[at(1, 0).index()].iter().collect::<Vec<_>>(), [seat(A)]);
}

#[test]
fn r21_earth_is_colonized_when_no_base_is_left_on_it() {
    let mut play =
        Sheet::players(2).base_out(A, (2, 0), 0).ship(A, (0, 0)).base_out(B, (-2, 0), 0).play();
    play.order(A, "colonize (0,0)", &[]);
    assert_eq!(play.owner(0, 0), A);
    let mut sign = Sheet::players(2).base_out(A, (2, 0), 0).ship(A, (0, 0)).play();
    sign.order(A, "mark (0,0)", &[]);
    assert_eq!(sign.owner(0, 0), 0);
    sign.order(A, "take up (0,0)", &[]);
}

#[test]
fn r22_an_eliminated_player_leaves_nothing_behind() {
    let mut play = Sheet::players(3)
        .base_out(A, (1, 0), 2)
        .ship(A, (2, 0))
        .owned((2, 0), Dead, A)
        .marked((3, 0), A)
        .war(A, B)
        .provoked(B, A)
        .play();
    play.order(A, "end", &[]);
    assert!(play.is_out(A));
    let table = play.game.table();
    assert_eq!(
        (play.ships(A), play.owner(2, 0), table.tokens[at(3, 0).index()].iter().count()),
        (0, 0, 0)
    );
    assert!(table.wars[1].is_empty() && table.provoked_by[1].is_empty());
    play.refused(A, "end", "out-of-the-game");
}

#[test]
fn r23_building_ends_with_the_first_other_action() {
    let mut play =
        Sheet::players(1).planets(A, 3, 0).base(A, (0, 0)).ship(A, (0, 0)).arrivals(A, 2).play();
    play.order(A, "build 1", &[]);
    play.order(A, "move A1 to (1,0)", &[]);
    play.refused(A, "build 1", "arrivals-over");
    play.order(A, "move A2 to (1,0)", &[]);
}

#[test]
fn r24_offers_count_immediately_but_messages_wait() {
    let mut play = Sheet::players(2).war(A, B).base_out(A, (1, 0), 0).play();
    assert_eq!(play.game.press(seat(B), seat(A), false), Ok(Press::Held));
    assert!(play.game.press(seat(B), seat(A), true).is_err());
    play.order(B, "offer peace A", &[]);
    assert!(play.view(A).own().unwrap().peace.got.contains(seat(B)));
    play.order(B, "retract peace A", &[]);
    assert!(play.view(A).own().unwrap().peace.got.is_empty());
}

#[test]
fn r25_a_failed_force_on_an_unowned_planet_is_explained_to_the_mover_only() {
    let mut play = Sheet::players(2).hex((1, 0), Unfriendly).ship(A, (1, 0)).base(A, (0, 0)).play();
    let events = play.order(A, "force A1", &[5, 6]);
    assert!(
        told(&events, A)
            .iter()
            .any(|sentence| sentence.contains("fails to take the planet in (1,0) by force (5, 6)"))
    );
    assert_eq!(told(&events, B), ["A1 is lost in (1,0)."]);
}

#[test]
fn r25_a_starship_facing_the_undisturbed_death_star_seems_to_be_in_its_turn() {
    let mut play = Sheet::players(2).hex((1, 0), DeathStar).play();
    play.order(A, "move A1 to (1,0)", &[6]);
    assert_eq!(play.pending(), ("turn", A));
    play.refused(A, "end", "decision-open");
    play.order(A, "hold fire", &[]);
    assert_eq!(play.pending(), ("death-star", C));
}

#[test]
fn r26_discovery_alone_gives_no_ownership() {
    let mut play = Sheet::players(2).hex((1, 0), Friendly).play();
    play.order(A, "move A1 to (1,0)", &[]);
    assert_eq!(play.owner(1, 0), 0);
    play.order(A, "end", &[]);
    play.order(B, "move B1 to (1,0)", &[]);
    play.order(B, "colonize (1,0)", &[]);
    assert_eq!(play.owner(1, 0), B);
}

#[test]
fn r27_a_starship_disrupted_on_entering_starts_no_battle() {
    let sheet = Sheet::players(2)
        .hex((1, 0), Asteroids)
        .base_out(A, (3, 0), 0)
        .ship(A, (2, 0))
        .ship(B, (1, 0))
        .base(B, (0, 0));
    let mut play = sheet.war(A, B).play();
    play.order(A, "move A1 to (1,0)", &[2]);
    assert_eq!(play.pending(), ("turn", A));
    assert_eq!((play.ships(A), play.ships(B)), (1, 1));
}

#[test]
fn r28_zones_come_first_then_asteroids_then_enemies() {
    let sheet = Sheet::players(2)
        .hex((1, 0), Asteroids)
        .zone((1, 0))
        .base_out(A, (3, 0), 0)
        .ship(A, (2, 0));
    let mut play = sheet.ship(B, (1, 0)).base(B, (0, 0)).war(A, B).play();
    play.order(A, "move A1 to (1,0)", &[4, 2, 5]);
    assert!(play.zones().is_empty());
    assert_eq!(play.ships(B), 0);
}

#[test]
fn r29_several_enemies_are_met_in_turn_order() {
    let sheet = Sheet::players(3).base_out(B, (3, 0), 0).ship(B, (2, 0)).on_turn(B);
    let sheet =
        sheet.ship(A, (1, 0)).base(A, (0, 0)).ship(C, (1, 0)).base(C, (0, 0)).disrupted(C, (1, 0));
    let mut play = sheet.war(A, B).war(B, C).play();
    play.order(B, "move B1 to (1,0)", &[1, 6, 2, 1, 4]);
    assert_eq!((play.ships(A), play.ships(B), play.ships(C)), (0, 1, 0));
}

#[test]
fn r29_pieces_in_the_hex_left_and_settled_bases_stop_no_mover() {
    let sheet = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .ship(A, (1, 0))
        .ship(B, (1, 0))
        .owned((2, 0), Friendly, B)
        .base(B, (2, 0));
    let mut play = sheet.war(A, B).play();
    play.order(A, "move A1 to (2,0)", &[]);
    assert_eq!(play.pending(), ("turn", A));
}

#[test]
fn r30_a_planet_under_a_base_is_not_attempted() {
    let sheet = Sheet::players(2)
        .base_out(A, (3, 0), 0)
        .ship(A, (2, 0))
        .owned((2, 0), Friendly, B)
        .base(B, (2, 0));
    sheet.play().refused(A, "diplomacy A1", "base-there");
}

#[test]
fn r31_a_base_ignores_asteroids_and_enters_no_zone() {
    let mut play = Sheet::players(2)
        .hex((1, 0), Asteroids)
        .hex((2, 0), Dead)
        .zone((0, 1))
        .base_out(A, (0, 0), 0)
        .play();
    play.refused(A, "base to (0,1)", "death-zone");
    play.order(A, "base via (1,0) to (2,0)", &[]);
    assert_eq!(play.view(A).marker(at(1, 0)), None);
    assert_eq!(play.view(A).marker(at(2, 0)), Some(Marker::Dead));
    play.refused(A, "base to (1,0)", "moved");
}

#[test]
fn r33_no_base_settles_on_earth_beside_another() {
    let mut play = Sheet::players(2).base_out(A, (1, 0), 0).play();
    play.order(A, "base to (0,0)", &[]);
    play.refused(A, "settle", "leaving-is-final");
    let mut alone = Sheet::players(2).base_out(A, (1, 0), 0).base_out(B, (3, 0), 0).play();
    alone.order(A, "base to (0,0)", &[]);
    alone.order(A, "settle", &[]);
    assert_eq!((alone.owner(0, 0), alone.status(A)), (A, Status::Independent));
}

#[test]
fn r35_an_exile_attacks_nobody_and_may_be_attacked_like_an_outsider() {
    let sheet = Sheet::players(2).round(7).player(A, |player| {
        player.status = heliopause_proto::starships_at_large::v1::Status::Exiled.into();
        player.exiled_in_round = 7;
    });
    let sheet = sheet.base(A, (0, 0)).ship(A, (0, 0));
    sheet.clone().play().refused(A, "attack A1 B1", "exiled");
    let mut attacked = sheet.on_turn(B).play();
    attacked.order(B, "attack B1 A1", &[1, 6]);
    assert!(attacked.game.table().axis);
}

#[test]
fn r36_votes_can_be_withdrawn_and_exile_takes_effect_mid_turn() {
    let mut play = Sheet::players(4).round(5).play();
    play.order(B, "exile A", &[]);
    play.refused(B, "exile A", "voted");
    play.order(B, "unexile A", &[]);
    play.order(C, "exile A", &[]);
    assert_eq!(play.status(A), Status::Alliance);
    play.order(D, "exile A", &[]);
    assert_eq!(play.status(A), Status::Exiled { round: 5 });
    play.refused(A, "exile B", "own-turn");
    play.order(A, "end", &[]);
    play.refused(A, "exile B", "not-members");
}

#[test]
fn r37_first_zones_keep_out_of_occupied_hexes_and_go_nearest_earth_first() {
    let sheet =
        Sheet::players(2).hex((3, -1), DeathStar).ship(A, (2, 0)).ship(A, (2, -1)).base(A, (0, 0));
    let mut play = sheet.play();
    play.order(A, "move A1 to (3,-1)", &[6]);
    play.order(A, "hold fire", &[]);
    play.refused(C, "zone (3,0)", "no-zone-there");
    play.refused(C, "zone (2,-1)", "no-zone-there");
    play.order(C, "zone (2,0)", &[]);
    play.order(C, "zone (3,0)", &[]);
    assert_eq!(play.pending(), ("battle", A));
    play.order(A, "again", &[5, 5]);
    play.order(A, "again", &[5, 3]);
    assert_eq!(play.marker(3, -1), Marker::Destroyed);
    assert_eq!(play.zones().len(), 2);
}

#[test]
fn r39_a_base_out_keeps_zones_out_and_face_down_hexes_can_be_tried() {
    let sheet = Sheet::players(2)
        .death_star((3, -1), A)
        .base_out(B, (2, -1), 0)
        .disrupted(B, (2, 0))
        .base(A, (0, 0));
    let mut play = sheet.hex((2, 0), Asteroids).play();
    play.order(A, "end", &[]);
    play.refused(C, "grow (3,-1) to (2,-1)", "no-growth-there");
    play.order(C, "grow (3,-1) to (2,0)", &[]);
    assert!(play.zones().is_empty());
}

#[test]
fn r41_players_have_one_partner_and_either_can_end_it() {
    let sheet = Sheet::players(4)
        .on_turn(D)
        .base_out(A, (1, 0), 0)
        .base_out(B, (2, 0), 0)
        .base_out(C, (3, 0), 0);
    let mut play = sheet.play();
    play.refused(A, "offer partnership D", "not-independent");
    play.order(A, "offer partnership B", &[]);
    play.refused(B, "offer partnership A", "accept-instead");
    play.order(C, "offer partnership B", &[]);
    play.order(B, "accept partnership A", &[]);
    play.refused(B, "accept partnership C", "partnered");
    play.order(A, "end partnership", &[]);
    play.refused(B, "end partnership", "no-partner");
}

#[test]
fn r42_several_sides_can_win_at_once() {
    let sheet = Sheet::players(2).death_star((3, 0), A).planets(A, 7, 0).planets(B, 7, 0);
    let mut play = sheet.base_out(A, (2, 0), 0).ship(A, (3, 0)).play();
    play.order(A, "attack A1 death star", &[6, 1]);
    assert_eq!(play.credits(), [2, 1]);
}

#[test]
fn r43_the_planet_under_a_base_cannot_be_given() {
    let mut play = Sheet::players(2)
        .owned((1, 0), Friendly, A)
        .base(A, (1, 0))
        .owned((2, 0), Dead, A)
        .ship(A, (1, 0))
        .play();
    play.refused(A, "give (1,0) to B", "under-base");
    play.order(A, "give (2,0) to B", &[]);
    assert_eq!(play.view(B).marker(at(2, 0)), Some(Marker::Dead));
    let own = play.view(B).own().unwrap().clone();
    assert!(own.gained.contains(at(2, 0)));
    assert_eq!(play.view(B).table.tokens[at(2, 0).index()].iter().collect::<Vec<_>>(), [seat(B)]);
    play.order(A, "end", &[]);
    play.order(B, "build 1", &[]);
}

#[test]
fn every_option_has_its_effect() {
    let mut short = Sheet::players(2).round(3).on_turn(B).options(|options| {
        options.rounds = Some(3);
        options.last_round_with_death_star = Some(3);
    });
    short = short.planets(A, 1, 0);
    let mut play = short.play();
    play.order(B, "end", &[]);
    assert_eq!(play.outcome().rule, "9");

    let few =
        Sheet::players(2).options(|options| options.live_planets_to_win = Some(2)).planets(B, 1, 0);
    let mut play = few.hex((1, 0), Friendly).base(A, (0, 0)).ship(A, (1, 0)).play();
    play.order(A, "colonize (1,0)", &[]);
    assert_eq!(play.credits(), [1, 1]);

    let soon = Sheet::players(3).options(|options| options.first_round_of_exile = Some(1)).play();
    assert!(soon.may(B, "exile C"));
    let sheet = Sheet::players(2)
        .options(|options| options.first_round_of_unprovoked_attacks = Some(2))
        .round(2);
    assert!(sheet.base_out(B, (1, 0), 0).ship(B, (0, 0)).play().may(A, "attack A1 B1"));

    let one = new_game(1, Options { bases_in_solitaire: 1, ..Options::default() });
    assert_eq!((one.table().bases.len(), one.table().ships.len()), (1, 1));
    assert_eq!(new_game(1, Options::default()).table().bases.len(), 2);
}

#[test]
fn absent_options_have_defaults_and_errors_name_their_field() {
    assert_eq!(Starships::read_options(&OptionsMessage::default()), Ok(Options::default()));
    let rounds =
        Starships::read_options(&OptionsMessage { rounds: Some(0), ..OptionsMessage::default() });
    assert_eq!(rounds.unwrap_err().field, "rounds");
    let options = Options { edges_open: false, rounds: 20, ..Options::default() };
    assert_eq!(Starships::read_options(&Starships::write_options(&options)), Ok(options));
}

#[test]
fn the_cast_is_the_players_and_the_death_star() {
    let Cast { roles, .. } = Starships::cast(&Options::default(), 2);
    let profiles: Vec<_> = roles.iter().map(|role| (role.profile, role.always_automated)).collect();
    assert_eq!(profiles, [("captain", false), ("captain", false), ("death-star", true)]);
}

#[test]
fn positions_can_omit_defaults() {
    let play = Sheet::players(3).play();
    assert_eq!((play.round(), play.active(), play.ships(B)), (1, A, 1));
    assert!(
        play.game.secrets().markers.iter().filter(|&&marker| marker == Marker::Empty).count() == 36
    );
    let read = |sheet: &Sheet| Starships::read_position(sheet.position());
    let field = |sheet: Sheet| read(&sheet).unwrap_err().field.into_owned();
    assert_eq!(field(Sheet::players(0)), "players");
    assert_eq!(field(Sheet::players(2).round(99)), "round");
    assert_eq!(field(Sheet::players(2).hex((4, 0), Dead)), "hexes[0].hex");
    assert_eq!(field(Sheet::players(2).owned((1, 0), Empty, A)), "hexes(1,0).owner");
    assert_eq!(field(Sheet::players(2).hex((1, 0), DeathStar).hex((2, 0), DeathStar)), "hexes");
    assert_eq!(field(Sheet::players(2).base(A, (1, 0))), "players[0].bases");
    assert_eq!(field(Sheet::players(2).out(A).out(B)), "on_turn");
    assert_eq!(field(Sheet::players(2).war(A, B)), "wars");
}

#[test]
fn notation_errors_name_the_position_and_expectation() {
    let view = Sheet::players(2).play().game.view(Viewer::Seat(Seat::at(0)));
    let fault = |text: &str| {
        let malformed = Starships::parse(&view, text).unwrap_err();
        (malformed.line, malformed.column, malformed.message)
    };
    assert_eq!(
        fault("# nothing\nmove A1 (1,0)"),
        (2, 9, "expected \"to\", found (1,0)".to_owned())
    );
    assert_eq!(
        fault("move A1 to (9,0)"),
        (1, 12, "expected a hex at most 3 steps from Earth, found (9,0)".to_owned())
    );
    assert_eq!(fault("end now"), (1, 5, "expected the end of the line, found \"now\"".to_owned()));
    assert_eq!(
        fault("build"),
        (1, 6, "expected a number of starships, found the end of the line".to_owned())
    );
    assert!(fault("jump").2.starts_with("expected an order"));
    let orders = Starships::parse(&view, "MOVE a1 TO ( 1 , 0 ) # go\n\nEnd").unwrap();
    assert_eq!(
        orders.iter().map(Starships::notate).collect::<Vec<_>>(),
        ["move A1 to (1,0)", "end"]
    );
}

#[test]
fn every_rule_has_a_text() {
    for number in
        (1..=12).map(|number| number.to_string()).chain((1..=43).map(|number| format!("R{number}")))
    {
        assert!(Starships::rule(&number).is_some_and(|text| text.len() > 20), "{number}");
    }
    assert_eq!(Starships::rule("r7"), Starships::rule("R7"));
    assert_eq!(Starships::rule("99"), None);
}

/// Returns a game in which zones may grow (R51). A single Disrupted starship of B is in (2,-1).
fn lone_and_disrupted(marker: heliopause_proto::starships_at_large::v1::Marker) -> sheet::Play {
    let mut play = Sheet::players(2)
        .death_star((3, -1), A)
        .hex((2, -1), marker)
        .disrupted(B, (2, -1))
        .base(B, (0, 0))
        .play();
    play.order(A, "end", &[]);
    play
}

#[test]
fn r51_a_growth_that_a_face_down_marker_forbids_fails_without_cost() {
    let mut reasons = Vec::new();
    for marker in [Asteroids, Empty] {
        let mut play = lone_and_disrupted(marker);
        let asked = play.game.pending();
        let events = play.order(C, "grow (3,-1) to (2,-1)", &[]);
        assert_eq!((play.zones(), play.ships(B)), (vec![], 1));
        assert_eq!(play.game.pending(), asked, "the question stays as it was");
        assert!(told(&events, A).is_empty() && told(&events, B).is_empty());
        reasons.push(told(&events, C));
        play.refused(C, "grow (3,-1) to (2,-1)", "no-growth-there");
        play.order(C, "grow (3,-1) to (2,0)", &[]);
        assert_eq!(play.zones(), [(2, 0)], "the source was not spent");
    }
    assert_eq!(reasons[0], reasons[1]);
    assert_eq!(reasons[0].len(), 1);
}

#[test]
fn r51_the_default_growth_never_fails() {
    let mut asteroids = lone_and_disrupted(Asteroids);
    let events = asteroids.close(&[]);
    assert_eq!(asteroids.zones(), [(2, 0)]);
    assert!(
        told(&events, C).iter().all(|text| !text.contains("keeps the Death Zone out")),
        "nothing was tried in vain"
    );
    let mut planet = lone_and_disrupted(Dead);
    planet.close(&[3]);
    assert_eq!((planet.zones(), planet.ships(B)), (vec![(2, -1)], 0));
}

#[test]
fn r51_failed_growth_leaves_the_decision_open() {
    let neighbors = [(2, 0), (3, -2)];
    let sheet = Sheet::players(2)
        .death_star((3, -1), A)
        .hex((2, -1), Asteroids)
        .disrupted(B, (2, -1))
        .base(B, (0, 0));
    let sheet = neighbors.iter().fold(sheet, |sheet, &place| sheet.ship(B, place));
    let mut play = sheet.play();
    play.order(A, "end", &[]);
    assert_eq!(play.pending(), ("death-star", C));
    play.order(C, "grow (3,-1) to (2,-1)", &[]);
    assert_eq!(play.pending(), ("death-star", C));
    play.order(C, "stop", &[]);
    assert_eq!(play.active(), B);
}

#[test]
fn r39_is_the_rule_when_a_disrupted_starship_or_base_bars_zones() {
    let rule = |sheet: Sheet| {
        let mut play = sheet.death_star((3, -1), A).play();
        play.order(A, "end", &[]);
        play.rule_of_refusal(C, "grow (3,-1) to (2,-1)")
    };
    let open = Sheet::players(2).hex((2, -1), Asteroids).face_up((2, -1)).base(B, (0, 0));
    assert_eq!(rule(open.clone().disrupted(B, (2, -1))), "R39");
    assert_eq!(rule(Sheet::players(2).base_out(B, (2, -1), 0)), "R39");
    assert_eq!(rule(open.ship(B, (2, -1))), "R15");
}

#[test]
fn r52_the_first_two_zones_enter_two_different_hexes() {
    let sheet = Sheet::players(2)
        .hex((3, -1), DeathStar)
        .hex((2, -1), Dead)
        .ship(A, (2, 0))
        .base(A, (0, 0));
    let mut play = sheet.play();
    play.order(A, "move A1 to (3,-1)", &[4]);
    play.order(A, "hold fire", &[]);
    let mut chosen = play.clone();
    chosen.order(C, "zone (2,-1)", &[5]);
    assert_eq!(
        (chosen.marker(2, -1), chosen.zones()),
        (Marker::Dead, vec![]),
        "the zone has died there"
    );
    assert_eq!(chosen.rule_of_refusal(C, "zone (2,-1)"), "R52");
    chosen.order(C, "zone (2,0)", &[]);
    assert_eq!(chosen.zones(), [(2, 0)]);
    play.close(&[5]);
    assert_eq!(play.zones(), [(2, 0)], "by default too");
}

#[test]
fn r53_a_promised_planet_taken_as_a_penalty_voids_the_pledge() {
    let sheet = Sheet::players(3)
        .owned((0, 1), Dead, A)
        .ship(A, (0, 0))
        .pledge(A, B, Kind::GivePlanet(Hex { q: 0, r: 1 }), 1)
        .pledge(A, C, Kind::KeepOut(Hex { q: 1, r: 0 }), 3);
    let mut penalty = sheet.clone().play();
    let events = penalty.order(A, "move A1 to (1,0)", &[]);
    assert_eq!(penalty.owner(0, 1), C);
    assert!(
        told(&events, B).iter().any(|text| text.contains("no longer bound")),
        "{:?}",
        told(&events, B)
    );
    penalty.until_turn_of(A);
    assert_eq!(penalty.round(), 2);
    assert!(
        penalty.game.table().broken.is_empty() && penalty.ships(B) == 1,
        "no word to B was broken"
    );
    let mut gift = sheet.play();
    gift.order(A, "give (0,1) to C", &[]);
    gift.until_turn_of(A);
    assert_eq!((gift.ships(A), gift.ships(B)), (0, 2), "given away freely it is a breach");
}

#[test]
fn r21_earth_goes_to_the_destroyer_of_the_last_other_base() {
    let exile = |player: &mut heliopause_proto::starships_at_large::v1::Player| {
        player.status = heliopause_proto::starships_at_large::v1::Status::Exiled.into();
        player.exiled_in_round = 6;
    };
    let sheet = Sheet::players(2)
        .round(7)
        .ship(A, (0, 0))
        .base(A, (0, 0))
        .ship(B, (3, 0))
        .base(B, (0, 0))
        .player(B, exile)
        .planets(A, 6, 0);
    let mut play = sheet.play();
    play.order(A, "attack A1 base of B", &[5, 2]);
    assert!(play.is_out(B));
    assert_eq!((play.owner(0, 0), play.status(A)), (A, Status::Alliance));
    assert_eq!(play.credits(), [1, 0], "Earth is the seventh live planet");
}

#[test]
fn r21_earth_with_a_third_base_on_it_has_no_owner() {
    let exile = |player: &mut heliopause_proto::starships_at_large::v1::Player| {
        player.status = heliopause_proto::starships_at_large::v1::Status::Exiled.into();
        player.exiled_in_round = 6;
    };
    let mut play = Sheet::players(3)
        .round(7)
        .ship(A, (0, 0))
        .base(A, (0, 0))
        .ship(B, (3, 0))
        .base(B, (0, 0))
        .ship(C, (3, 0))
        .base(C, (0, 0))
        .player(B, exile)
        .play();
    play.order(A, "attack A1 base of B", &[5, 2]);
    assert_eq!(play.owner(0, 0), 0);
}

#[test]
fn r21_earth_with_the_own_second_base_cannot_be_colonized() {
    let play = Sheet::players(1).ship(A, (0, 0)).base(A, (0, 0)).base_out(A, (0, 0), 0).play();
    assert_eq!(play.rule_of_refusal(A, "settle base 2"), "R21");
    let play = Sheet::players(2).base_out(A, (0, 0), 0).base(B, (0, 0)).ship(B, (0, 0)).play();
    assert_eq!(play.rule_of_refusal(A, "settle"), "R33");
}

#[test]
fn r23_builds_above_the_sponsor_limit_name_it_as_the_reason() {
    let mut play = Sheet::players(2).ship(A, (0, 0)).base(A, (0, 0)).play();
    assert_eq!(play.rule_of_refusal(A, "build 1"), "R23");
    let mut room =
        Sheet::players(2).planets(A, 1, 0).ship(A, (0, 0)).base(A, (0, 0)).arrivals(A, 1).play();
    room.order(A, "move A1 to (1,0)", &[]);
    assert_eq!(room.rule_of_refusal(A, "build 1"), "3.1");
    play.order(A, "end", &[]);
}

#[test]
fn r9_the_ending_has_credits_for_each_players_seat() {
    let mut play = Sheet::players(3).round(12).play();
    let mut last = Vec::new();
    while play.game.outcome().is_none() {
        last = play.close(&[]).to(Viewer::Spectator).map(Starships::write_event).collect();
    }
    let ended = last.iter().find_map(|event| match &event.kind {
        Some(heliopause_proto::starships_at_large::v1::event::Kind::GameEnded(ended)) => {
            ended.ending.clone()
        }
        _ => None,
    });
    assert_eq!(ended.map(|ending| ending.credits), Some(vec![0, 0, 0]));
}

#[test]
fn r25_all_markers_and_rolls_are_revealed_after_the_game() {
    let sheet =
        Sheet::players(2).round(12).hex((1, 0), Asteroids).hex((0, 1), Unfriendly).ship(A, (0, 0));
    let mut play = sheet.ship(A, (0, 1)).base(A, (0, 0)).marked((2, 0), B).play();
    play.order(A, "move A1 to (1,0)", &[5]);
    play.order(A, "diplomacy A2", &[4]);
    while play.game.outcome().is_none() {
        play.close(&[]);
    }
    let before = play.game.view(Viewer::Spectator);
    assert_eq!((before.marker(at(1, 0)), before.table.revealed.len()), (None, 0));
    let told = play.game.reveal();
    for viewer in [Viewer::Seat(seat(B)), Viewer::Spectator] {
        let view = play.game.view(viewer);
        assert!(heliopause_starships::Place::all().all(|place| view.marker(place).is_some()));
        assert_eq!(view.marker(at(1, 0)), Some(Marker::Asteroids));
        let rolls: Vec<_> =
            view.table.revealed.iter().map(|roll| (roll.round, roll.at, roll.dice)).collect();
        assert_eq!(rolls, [(12, at(1, 0), (5, None)), (12, at(0, 1), (4, None))]);
    }
    let sentences: Vec<String> = told
        .to(Viewer::Spectator)
        .map(|event| Starships::describe(event, &|seat| seat.to_string()).0)
        .collect();
    assert!(
        sentences.contains(&"In round 12, A1 entered Asteroids in (1,0) (5).".to_owned()),
        "{sentences:?}"
    );
    play.game.check().unwrap();
    assert!(play.game.reveal().is_empty(), "nothing is left to tell");
}

#[test]
fn r25_a_game_can_be_revealed_mid_turn() {
    let mut play = Sheet::players(2).hex((3, -1), DeathStar).ship(A, (2, 0)).base(A, (0, 0)).play();
    play.order(A, "move A1 to (3,-1)", &[4]);
    play.game.reveal();
    play.game.check().unwrap();
    assert_eq!(play.view(B).marker(at(3, -1)), Some(Marker::DeathStar));
    let position = play.game.write_position();
    assert_eq!(Starships::read_position(&position).as_ref(), Ok(&play.game));
}
