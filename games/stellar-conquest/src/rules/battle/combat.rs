//! Rule 12: hexes, decisions and targets of ship combat. The dice are in `round`.

use crate::rules::judge::{Verdict, refuse};
use crate::state::{Battle, BattleStage, SeatView, Shot, Stage, Unit};
use crate::tables::{Place, StarId};

impl SeatView<'_> {
    /// Returns the hexes where this seat must still fight this turn (rule 12.1). The result depends
    /// only on public facts.
    pub(crate) fn battle_hexes(&self) -> Vec<Place> {
        StarId::ALL
            .into_iter()
            .map(StarId::at)
            .filter(|&at| self.table.meets_enemies(self.seat, at))
            .collect()
    }

    pub(crate) fn battle_prompt(&self) -> String {
        let Some(battle) = &self.table.battle else { return String::new() };
        let at = battle.at.name();
        match battle.stage {
            BattleStage::AttackerAims => format!("At {at}: choose targets for your warships."),
            BattleStage::DefendersAim { .. } => {
                format!("At {at}: you are attacked; choose targets.")
            }
            BattleStage::AttackerLeaves { forced: false } => {
                format!("At {at}: choose which of your ships withdraw.")
            }
            BattleStage::AttackerLeaves { forced: true } => {
                format!(
                    "At {at}: neither side has a warship, so your ships withdraw; choose their \
                     destinations."
                )
            }
            BattleStage::DefenderLeaves { .. } => {
                format!("At {at}: the attacker stays; choose which of your ships withdraw.")
            }
            BattleStage::Refuge { .. } => {
                format!("At {at}: choose the hex to which your enemy withdraws.")
            }
            BattleStage::Beams { .. } => {
                format!("At {at}: choose which ship your tractor beam seizes, if any.")
            }
            BattleStage::Scuttle { .. } => {
                format!("At {at}: choose which factories you destroy, if any.")
            }
            BattleStage::GoesOn => format!("At {at}: attack for another round or break off."),
        }
    }

    pub(crate) fn judge_fight(&self, at: Place) -> Verdict {
        self.may_act(Stage::Combat, "12.1")?;
        let hexes = self.battle_hexes();
        if hexes.contains(&at) {
            return Ok(());
        }
        if let Some(star) = StarId::in_hex(at).filter(|_| self.table.has_ships(self.seat, at)) {
            self.judge_hostility(self.table.others_at(self.seat, at).next(), star)?;
        }
        let hexes: Vec<String> = hexes.iter().map(ToString::to_string).collect();
        refuse!("no-battle-there", at, hexes = hexes.join(", "))
    }

    pub(crate) fn judge_aim(&self, shots: &[Shot]) -> Verdict {
        let battle = self.asked_in_battle("12.3")?;
        let beams = matches!(battle.stage, BattleStage::Beams { .. });
        if !beams
            && !matches!(battle.stage, BattleStage::AttackerAims | BattleStage::DefendersAim { .. })
        {
            return refuse!("wrong-step/aim");
        }
        let mut fired = vec![false; battle.units.len()];
        for shot in shots {
            if beams {
                self.judge_beam(battle, *shot)?;
            } else {
                self.judge_shot(battle, *shot)?;
            }
            if std::mem::replace(&mut fired[shot.by.index()], true) {
                return refuse!("fires-twice", by = shot.by.0);
            }
        }
        self.judge_prescribed(battle, shots)
    }

    fn judge_shot(&self, battle: &Battle, shot: Shot) -> Verdict {
        let in_line = |unit: &&Unit| unit.is_fighting() && battle.takes_part(unit);
        let [by, at] = [shot.by, shot.at].map(|number| battle.unit(number).filter(in_line));
        let (Some(by), Some(at)) = (by, at) else {
            let missing = if by.is_none() { shot.by } else { shot.at };
            return refuse!("not-in-battle", missing = missing.0);
        };
        if by.owner != self.seat {
            return refuse!("not-yours/unit", by = shot.by.0);
        }
        if battle.side(at.owner) == battle.side(self.seat) {
            return refuse!("own-side", at = shot.at.0);
        }
        if !self.fires(by.arm) {
            return refuse!("unarmed", by = shot.by.0);
        }
        if battle.is_sheltered(at) {
            return refuse!("shielded/unit", at = shot.at.0);
        }
        Ok(())
    }
}
