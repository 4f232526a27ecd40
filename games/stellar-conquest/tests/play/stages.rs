//! Stage transitions of battles in random play.

use std::collections::BTreeSet;

use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Seat};
use heliopause_stellar_conquest::{BattleEvent, BattleStage, Event, Side, StellarConquest};
use heliopause_testing::{Player, Rng, Watched};

use crate::play::{Conquerors, random_order};

const fn name(stage: BattleStage) -> &'static str {
    match stage {
        BattleStage::AttackerAims => "attacker aims",
        BattleStage::DefendersAim { .. } => "defenders aim",
        BattleStage::AttackerLeaves { forced: false } => "attacker may leave",
        BattleStage::AttackerLeaves { forced: true } => "attacker must leave",
        BattleStage::DefenderLeaves { .. } => "defenders may leave",
        BattleStage::Refuge { leaving: Side::Attacker } => "attacker is sent off",
        BattleStage::Refuge { leaving: Side::Defender } => "defenders are sent off",
        BattleStage::Beams { .. } => "beams",
        BattleStage::Scuttle { .. } => "scuttle",
        BattleStage::GoesOn => "goes on",
    }
}

fn note(ways: &mut BTreeSet<[&'static str; 2]>, at: &mut &'static str, told: &Emitted<Event>) {
    for told in told {
        let Event::Battle(event) = &told.event else { continue };
        match event {
            BattleEvent::BattleBegan { battle } => *at = name(battle.stage),
            BattleEvent::BattleStageChanged { stage } => {
                let from = std::mem::replace(at, name(*stage));
                ways.insert([from, *at]);
            }
            BattleEvent::BattleEnded { .. } => {
                ways.insert([at, "over"]);
            }
            _ => {}
        }
    }
}

/// Plays one random step without the checks for viewers, which take most of the time.
fn step(game: &mut StellarConquest, dice: &mut Dice, chance: &mut Rng) -> Emitted<Event> {
    let owing: Vec<Seat> = game.pending().iter().map(|decision| decision.seat).collect();
    let seat = chance.pick(&owing);
    match random_order(game, seat, chance).filter(|_| !chance.one_in(6)) {
        Some(order) => game.submit(Actor::Seat(seat), order, dice).unwrap(),
        None => game.close(CloseCause::Deadline, dice),
    }
}

fn ways(games: u64) -> BTreeSet<[&'static str; 2]> {
    let mut ways = BTreeSet::new();
    for number in 0..games {
        let mut chance = Rng::new(number);
        let Watched { mut game, mut dice, .. } = Conquerors::begin(&mut chance);
        let mut at = game.table().battle.as_ref().map_or("", |battle| name(battle.stage));
        for _ in 0..300 {
            if game.outcome().is_some() {
                break;
            }
            note(&mut ways, &mut at, &step(&mut game, &mut dice, &mut chance));
        }
    }
    ways
}

const LEAVES: &[&str] = &["attacker is sent off", "defenders may leave", "over"];

const TABLE: [(&str, &[&str]); 10] = [
    (
        "attacker aims",
        &[
            "defenders aim",
            "beams",
            "scuttle",
            "goes on",
            "attacker may leave",
            "attacker must leave",
            "over",
        ],
    ),
    (
        "defenders aim",
        &[
            "defenders aim",
            "beams",
            "scuttle",
            "goes on",
            "attacker may leave",
            "attacker must leave",
            "attacker aims",
            "over",
        ],
    ),
    ("beams", &["beams", "scuttle", "goes on", "attacker aims", "over"]),
    ("scuttle", &["scuttle", "goes on", "over"]),
    ("goes on", &["attacker aims", "over"]),
    ("attacker may leave", LEAVES),
    ("attacker must leave", LEAVES),
    (
        "defenders may leave",
        &[
            "defenders may leave",
            "defenders are sent off",
            "attacker must leave",
            "attacker aims",
            "over",
        ],
    ),
    ("attacker is sent off", &["defenders may leave", "over"]),
    ("defenders are sent off", &["attacker must leave", "attacker aims", "over"]),
];

#[test]
fn rules_12_13_battles_follow_the_stage_table() {
    let ways = ways(24);
    for [from, to] in &ways {
        let next = TABLE.iter().find(|(stage, _)| stage == from).map(|(_, next)| next);
        assert!(next.is_some_and(|next| next.contains(to)), "from {from} to {to}");
    }
    for (stage, _) in TABLE {
        assert!(
            stage == "attacker aims" || ways.iter().any(|[_, to]| *to == stage),
            "{stage} is never reached"
        );
    }
}
