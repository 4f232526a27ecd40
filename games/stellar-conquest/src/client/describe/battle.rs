//! Descriptions of battle events.

use crate::client::describe::words::{Description, Names, count, row};
use crate::state::{Battle, BattleEvent, BattleStage, Side, Subject, Volley};
use crate::tables::{Fleet, Place, StarId};

fn place(at: Place) -> String {
    StarId::in_hex(at).map_or_else(|| at.to_string(), |star| star.to_string())
}

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
            (format!("The attack targets {}; {bases} newly seen.", row(&planets)), "13.3")
        }
        Aimed { seat, shots } if shots.is_empty() => {
            (format!("{} holds fire.", names(*seat)), "BR-14")
        }
        Aimed { seat, shots } => {
            let shots = shots.iter().map(|shot| format!("{} at {}", shot.by.0, shot.at.0));
            (format!("{} aims: {}.", names(*seat), row(&shots.collect::<Vec<String>>())), "12.3")
        }
        RoundFought { volleys, destroyed } => round(volleys, destroyed.len()),
        Seized { volleys, destroyed } => {
            let beams =
                count(volleys.len(), "tractor beam seizes a ship", "tractor beams seize ships");
            (
                format!("{beams}, and {} destroyed.", count(destroyed.len(), "is", "are")),
                "space-1.1",
            )
        }
        BattleStageChanged { stage } => stage_sentence(*stage),
        Withdrawing { units } => {
            let leave = count(units.len(), "ship withdraws", "ships withdraw");
            (format!("{leave} from the battle."), "12.7")
        }
        RefugeChosen { side, at } => {
            (format!("Ships of the {side} withdraw to {}.", place(*at)), "12.8")
        }
        Conquered { planet: at, owner, by } => {
            (format!("{} conquers {}'s colony on {at}.", names(*by), names(*owner)), "13.6")
        }
        BattleEnded { at, left } => ended(*at, left),
    }
}

fn began(battle: &Battle, names: Names<'_>) -> Description {
    let (who, at) = (names(battle.attacker), place(battle.at));
    match battle.subject {
        Subject::Ships => {
            let attacker = battle.fleet(Side::Attacker);
            let others: Vec<String> = battle.defenders().iter().map(names).collect();
            let defender = battle.fleet(Side::Defender);
            (
                format!("{who} fights {} at {at}: {attacker} against {defender}.", row(&others)),
                "12.1",
            )
        }
        Subject::Colonies { .. } => (format!("{who} attacks colonies at {at}."), "13.1"),
    }
}

fn round(volleys: &[Volley], destroyed: usize) -> Description {
    let hits = volleys.iter().filter(|volley| volley.hit).count();
    let shots = count(volleys.len(), "shot", "shots");
    let hits = count(hits, "hits", "hit");
    let destroyed = count(destroyed, "unit is", "units are");
    (format!("A round of {shots}: {hits}, and {destroyed} destroyed."), "12.3")
}

fn stage_sentence(stage: BattleStage) -> Description {
    let (sentence, rule) = match stage {
        BattleStage::AttackerAims => ("The attacker chooses targets.", "12.3"),
        BattleStage::DefendersAim { .. } => ("The defender chooses targets.", "12.3"),
        BattleStage::AttackerLeaves { forced: false } => ("The attacker may withdraw.", "12.7"),
        BattleStage::AttackerLeaves { forced: true } => ("The attacker must withdraw.", "12.7"),
        BattleStage::Beams { .. } => ("Shields that were not hit may seize a ship.", "space-1.1"),
        BattleStage::DefenderLeaves { .. } => ("The defender may withdraw.", "12.7"),
        BattleStage::Refuge { .. } => ("The opponent chooses where the ships withdraw to.", "12.8"),
        BattleStage::Scuttle { .. } => ("Owners may destroy factories.", "13.5"),
        BattleStage::GoesOn => ("The attacker continues or breaks off.", "13.4"),
    };
    (sentence.to_owned(), rule)
}

fn ended(at: Place, left: &[Fleet; 2]) -> Description {
    let [attacker, defender] = left;
    (
        format!("The battle at {} is over; remaining: {attacker} against {defender}.", place(at)),
        "12.7",
    )
}
