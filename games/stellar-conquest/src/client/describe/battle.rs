//! Descriptions of battle events.

use crate::client::describe::words::{Description, Names, count, row, say};
use crate::state::{Battle, BattleEvent, BattleStage, Side, Subject};

pub(super) fn describe(event: &BattleEvent, names: Names<'_>) -> Description {
    use BattleEvent::{
        Aimed, BattleBegan, BattleEnded, BattleStageChanged, ColoniesAttacked, Conquered,
        RefugeChosen, RoundFought, Seized, Withdrawing,
    };

    match event {
        BattleBegan { battle } => began(battle, names),
        ColoniesAttacked { planets, bases, .. } => {
            let planets: Vec<String> =
                planets.iter().map(|nth| format!("planet {}", nth + 1)).collect();
            let bases = count(bases.len(), "base is", "bases are");
            say!("ColoniesAttacked", planets = row(&planets), bases)
        }
        Aimed { seat, shots } if shots.is_empty() => say!("Aimed.None", who = names(*seat)),
        Aimed { seat, shots } => {
            let shots = shots.iter().map(|shot| format!("{} at {}", shot.by.0, shot.at.0));
            say!("Aimed", who = names(*seat), shots = row(&shots.collect::<Vec<String>>()))
        }
        RoundFought { volleys, destroyed } => {
            let hits = volleys.iter().filter(|volley| volley.hit).count();
            let (shots, hits) = (count(volleys.len(), "shot", "shots"), count(hits, "hits", "hit"));
            say!("RoundFought", shots, hits, lost = count(destroyed.len(), "unit is", "units are"))
        }
        Seized { volleys, destroyed } => {
            let beams =
                count(volleys.len(), "tractor beam seizes a ship", "tractor beams seize ships");
            say!("Seized", beams, lost = count(destroyed.len(), "is", "are"))
        }
        BattleStageChanged { stage } => say!(stage_key(*stage)),
        Withdrawing { units } => {
            say!("Withdrawing", ships = count(units.len(), "ship withdraws", "ships withdraw"))
        }
        RefugeChosen { side, at } => say!("RefugeChosen", side, place = at.name()),
        Conquered { planet, owner, by } => {
            say!("Conquered", planet, who = names(*owner), by = names(*by))
        }
        BattleEnded { at, left: [attacker, defender] } => {
            say!("BattleEnded", place = at.name(), attacker, defender)
        }
    }
}

fn began(battle: &Battle, names: Names<'_>) -> Description {
    let (who, place) = (names(battle.attacker), battle.at.name());
    match battle.subject {
        Subject::Ships => {
            let others: Vec<String> = battle.defenders().iter().map(names).collect();
            let [attacker, defender] =
                [Side::Attacker, Side::Defender].map(|side| battle.fleet(side));
            say!("BattleBegan", who, others = row(&others), place, attacker, defender)
        }
        Subject::Colonies { .. } => say!("BattleBegan.Colonies", who, place),
    }
}

const fn stage_key(stage: BattleStage) -> &'static str {
    match stage {
        BattleStage::AttackerAims => "BattleStageChanged.AttackerAims",
        BattleStage::DefendersAim { .. } => "BattleStageChanged.DefendersAim",
        BattleStage::AttackerLeaves { forced: false } => "BattleStageChanged.AttackerLeaves",
        BattleStage::AttackerLeaves { forced: true } => "BattleStageChanged.AttackerMustLeave",
        BattleStage::Beams { .. } => "BattleStageChanged.Beams",
        BattleStage::DefenderLeaves { .. } => "BattleStageChanged.DefenderLeaves",
        BattleStage::Refuge { .. } => "BattleStageChanged.Refuge",
        BattleStage::Scuttle { .. } => "BattleStageChanged.Scuttle",
        BattleStage::GoesOn => "BattleStageChanged.GoesOn",
    }
}
