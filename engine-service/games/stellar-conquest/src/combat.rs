//! Rule 12: ship combat, from the choice of a hex to the dice of a round. What follows a round is in `withdrawal`.

use heliopause_kernel::Seat;

use crate::battle::Shot;
use crate::board::Place;
use crate::judge::Verdict;
use crate::power::Eyes;
use crate::referee::Referee;
use crate::stars::StarId;

impl Eyes<'_> {
    /// 12.1: the hexes in which this seat must still fight in its turn: its ships and ships of an enemy (`are_enemies`)
    /// stand there. Public knowledge.
    pub(crate) fn battle_hexes(&self) -> Vec<Place> {
        let contested = |at: &Place| {
            self.table.has_ships(self.seat, *at)
                && self.table.others_at(self.seat, *at).any(|other| self.table.campaign.are_enemies(self.seat, other))
        };
        StarId::all().map(StarId::at).filter(contested).collect()
    }

    /// What a battle asks this seat.
    pub(crate) fn battle_prompt(&self) -> String {
        todo!("one sentence for each BattleStage")
    }

    pub(crate) fn judge_fight(&self, _at: Place) -> Verdict {
        todo!("12.1")
    }

    /// 12.3, 13.4: own units that fight and can fire, each once, at units of the other side that fight.
    pub(crate) fn judge_aim(&self, _shots: &[Shot]) -> Verdict {
        todo!("12.3")
    }

    /// The shots that a seat's standing orders, its article, or the default choose for it (`FirePolicy`; Spread for Ask).
    pub(crate) fn shots_by_policy(&self) -> Vec<Shot> {
        todo!("12.3, standing orders")
    }
}

impl Referee<'_> {
    /// Step 3: begins the next battle; asks which if there are several; otherwise goes on to step 4 and 5.
    pub(crate) fn next_battle(&mut self) {
        todo!("12.1")
    }

    /// 12.1, 12.2: lines of battle; both sides see each other (10). BR-11: the attacker may be somebody who withdrew.
    pub(crate) fn begin_battle(&mut self, _attacker: Seat, _at: Place) {
        todo!("12.1")
    }

    /// 12.3: takes a seat's shots; when all have aimed the round is fought.
    pub(crate) fn aim(&mut self, _seat: Seat, _shots: Vec<Shot>) {
        todo!("12.3")
    }

    /// 12.3 c, d; 12.5, 12.6: rolls all shots, attackers first, and removes what was hit. Dice are named by the battle's hex,
    /// the round and the unit: `self.roll("battle", place * 2^32 + round * 2^16 + unit, nth)`.
    pub(crate) fn fight_round(&mut self) {
        todo!("12.3")
    }

    /// Lets the battle ask; whoever has standing orders is answered for at once, and so on until somebody must be asked.
    pub(crate) fn advance_battle(&mut self) {
        todo!("12, 13")
    }
}
