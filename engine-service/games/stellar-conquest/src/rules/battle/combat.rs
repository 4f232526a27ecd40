//! Rule 12: ship combat: where it is fought, what it asks, and at what may be fired. The dice are
//! in `round`, and what follows them is in `withdrawal`.

use crate::rules::judge::{Verdict, refuse};
use crate::state::battle::{Battle, BattleStage, Shot, Unit};
use crate::state::power::Eyes;
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::stars::StarId;

impl Eyes<'_> {
    /// 12.1: the hexes in which this seat must still fight in its turn: its ships and ships of an
    /// enemy (`are_enemies`) stand there. Public knowledge.
    pub(crate) fn battle_hexes(&self) -> Vec<Place> {
        StarId::ALL
            .into_iter()
            .map(StarId::at)
            .filter(|&at| self.table.meets_enemies(self.seat, at))
            .collect()
    }

    /// What a battle asks this seat.
    pub(crate) fn battle_prompt(&self) -> String {
        let Some(battle) = &self.table.battle else { return String::new() };
        let at = StarId::in_hex(battle.at)
            .map_or_else(|| battle.at.to_string(), |star| star.to_string());
        match battle.stage {
            BattleStage::AttackerAims => format!("At {at}: choose at what your warships fire."),
            BattleStage::DefendersAim { .. } => {
                format!("At {at}: you are attacked; choose at what you fire.")
            }
            BattleStage::AttackerLeaves { forced: false } => {
                format!("At {at}: choose which of your ships withdraw.")
            }
            BattleStage::AttackerLeaves { forced: true } => {
                format!(
                    "At {at}: nobody has a warship, so your ships withdraw; choose where they are \
                     bound."
                )
            }
            BattleStage::DefenderLeaves { .. } => {
                format!("At {at}: the attacker stays; choose which of your ships withdraw.")
            }
            BattleStage::Refuge { .. } => {
                format!("At {at}: choose the hex into which your enemy withdraws.")
            }
            BattleStage::Beams { .. } => {
                format!("At {at}: choose which ship your tractor beam seizes, if any.")
            }
            BattleStage::Scuttle { .. } => {
                format!("At {at}: choose which factories you destroy, if any.")
            }
            BattleStage::GoesOn => format!("At {at}: attack for another round, or break off."),
        }
    }

    pub(crate) fn judge_fight(&self, at: Place) -> Verdict {
        self.may_act(Stage::Combat, "12.1")?;
        if self.battle_hexes().contains(&at) {
            return Ok(());
        }
        if let Some(star) = StarId::in_hex(at).filter(|_| self.table.has_ships(self.seat, at)) {
            self.judge_hostility(self.table.others_at(self.seat, at).next(), star)?;
        }
        refuse("no-battle-there", "12.1", format!("There is nobody to fight in {at}."))
    }

    /// 12.3, 13.4: own units that fight and can fire, each once, at units of the other side that
    /// fight.
    pub(crate) fn judge_aim(&self, shots: &[Shot]) -> Verdict {
        let battle = self.asked_in_battle("12.3")?;
        let beams = matches!(battle.stage, BattleStage::Beams { .. });
        if !beams
            && !matches!(battle.stage, BattleStage::AttackerAims | BattleStage::DefendersAim { .. })
        {
            return refuse("wrong-step", "12.3", "No targets are chosen now.");
        }
        let mut fired = vec![false; battle.units.len()];
        for shot in shots {
            if beams {
                self.judge_beam(battle, *shot)?;
            } else {
                self.judge_shot(battle, *shot)?;
            }
            if std::mem::replace(&mut fired[shot.by.index()], true) {
                return refuse(
                    "fires-twice",
                    "12.3",
                    "Every warship and base has one shot a round.",
                );
            }
        }
        self.judge_prescribed(battle, shots)
    }

    fn judge_shot(&self, battle: &Battle, shot: Shot) -> Verdict {
        let in_line = |unit: &&Unit| unit.is_fighting() && battle.takes_part(unit);
        let (Some(by), Some(at)) =
            (battle.unit(shot.by).filter(in_line), battle.unit(shot.at).filter(in_line))
        else {
            return refuse("not-in-battle", "12.3", "Such a unit does not fight in this round.");
        };
        if by.owner != self.seat {
            return refuse("not-yours", "12.3", "That unit is not yours.");
        }
        if battle.side(at.owner) == battle.side(self.seat) {
            return refuse("own-side", "12.3", "Fire at the other side.");
        }
        if !self.fires(by.arm) {
            return refuse("unarmed", "12.4", "That unit does not fire.");
        }
        if battle.is_sheltered(at) {
            return refuse(
                "shielded",
                "space-1.1",
                "A planet shield protects that base: fire at the shield.",
            );
        }
        Ok(())
    }
}
