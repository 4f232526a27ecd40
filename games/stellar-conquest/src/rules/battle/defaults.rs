//! Automatic answers (rule 20). The engine answers from standing orders, if there is only one
//! choice, or after a deadline.
//!
//! | decision | default |
//! | --- | --- |
//! | movement | no further movement; waiting ships enter, bound for the nearest star |
//! | next battle | the first hex |
//! | targets | by the standing orders; `FirePolicy::Spread` instead of `Ask` |
//! | withdrawal of the attacker | all, if the defender has more warships; otherwise none |
//! | withdrawal of the defender | none (`StayPolicy::Always`) |
//! | forced withdrawal | bound for the nearest star with the seat's colony, or the nearest star |
//! | hex for withdrawing enemies | `RefugePolicy::Away`; pirates: the direction die (fate 7.5) |
//! | tractor beams | the most dangerous ships |
//! | factories | none are destroyed |
//! | another round against colonies | the attack is broken off |
//! | colonies, landings | none; the player-turn ends |
//! | withdrawal to the Empire | the fewest points, scouts first (fate 4.4) |
//! | setup, production | `Campaign::default_outfit`, `default_production` |

use crate::rules::battle::fire::is_without_choice;
use crate::state::{
    Battle, BattleStage, Factories, FirePolicy, Order, RefugePolicy, ScuttlePolicy, SeatView, Shot,
    Side, StayPolicy, Unit, UnitId,
};
use crate::tables::ShipKind;

impl SeatView<'_> {
    pub(crate) fn standing_answer(&self) -> Option<Order> {
        let battle = self.table.battle.as_deref()?;
        match battle.stage {
            BattleStage::AttackerAims => {
                (!self.can_hit(battle)).then(|| Order::Aim { shots: Vec::new() })
            }
            BattleStage::DefendersAim { .. } => {
                self.standing_shots(battle).map(|shots| Order::Aim { shots })
            }
            BattleStage::Beams { .. } => {
                self.standing_beams(battle).map(|shots| Order::Aim { shots })
            }
            BattleStage::AttackerLeaves { forced } => (forced && self.needs_no_destination())
                .then(|| self.withdrawal(battle, self.own_units(battle))),
            BattleStage::DefenderLeaves { .. } => self.standing_withdrawal(battle),
            BattleStage::Refuge { .. } => (self.power.standing.refuge == RefugePolicy::Away)
                .then(|| Order::SendTo { at: self.default_refuge(battle) }),
            BattleStage::Scuttle { .. } => self.standing_scuttle(battle),
            BattleStage::GoesOn => None,
        }
    }

    fn standing_shots(&self, battle: &Battle) -> Option<Vec<Shot>> {
        if let Some(shots) = self.prescribed_shots(battle) {
            return is_without_choice(battle, &shots).then_some(shots);
        }
        if !self.can_hit(battle) {
            return Some(Vec::new());
        }
        (self.power.standing.fire != FirePolicy::Ask).then(|| self.shots_by_policy())
    }

    fn standing_beams(&self, battle: &Battle) -> Option<Vec<Shot>> {
        match self.power.standing.fire {
            FirePolicy::Ask => None,
            FirePolicy::Hold => Some(Vec::new()),
            FirePolicy::Spread | FirePolicy::Focus => Some(self.beams_by_policy(battle)),
        }
    }

    fn standing_withdrawal(&self, battle: &Battle) -> Option<Order> {
        if !self.table.campaign.may_withdraw(self.seat) {
            return Some(self.withdrawal(battle, Vec::new()));
        }
        let standing = self.power.standing;
        let warships = |side| battle.fleet(side).warships(&self.table.options);
        let (own, theirs) = (warships(Side::Defender), warships(Side::Attacker));
        let stays = match standing.stay {
            StayPolicy::Ask => return None,
            StayPolicy::Always => true,
            StayPolicy::WhileMoreWarships => own > theirs,
            StayPolicy::WhileNoFewerWarships => own >= theirs,
            StayPolicy::Never => false,
        };
        let leaves = |id: &UnitId| match battle.unit(*id).and_then(Unit::ship) {
            Some(ShipKind::Scout) if standing.scouts_leave => true,
            Some(ShipKind::Transport) if standing.transports_leave => true,
            _ => !stays,
        };
        Some(self.withdrawal(battle, self.own_units(battle).into_iter().filter(leaves).collect()))
    }

    fn withdrawal(&self, battle: &Battle, units: Vec<UnitId>) -> Order {
        let bound = !units.is_empty() && !self.needs_no_destination();
        let destination = if bound { self.nearest_open(battle.at) } else { None };
        Order::withdraw(units, destination)
    }

    fn standing_scuttle(&self, battle: &Battle) -> Option<Order> {
        let factories = match self.power.standing.scuttle {
            ScuttlePolicy::Ask => return None,
            ScuttlePolicy::Never => Vec::new(),
            ScuttlePolicy::WhenLost => {
                let warships = battle.fleet(Side::Attacker).warships(&self.table.options) as usize;
                let lost = self.under_attack(battle).filter(|colony| {
                    colony.factories > 0 && battle.bases_of(colony.planet.nth).count() <= warships
                });
                lost.map(|colony| Factories { planet: colony.planet, count: colony.factories })
                    .collect()
            }
        };
        Some(Order::Scuttle { factories })
    }

    /// Returns the seat's answer after a deadline. For pirates, a die chooses the hex instead (see
    /// `default_refuge_hex`).
    pub(crate) fn default_answer(&self, battle: &Battle) -> Order {
        match battle.stage {
            BattleStage::AttackerAims | BattleStage::DefendersAim { .. } => {
                let prescribed = self.prescribed_shots(battle);
                Order::Aim { shots: prescribed.unwrap_or_else(|| self.shots_by_policy()) }
            }
            BattleStage::AttackerLeaves { forced } => {
                let [own, theirs] = [Side::Attacker, Side::Defender]
                    .map(|side| battle.fleet(side).warships(&self.table.options));
                let units =
                    if forced || theirs > own { self.own_units(battle) } else { Vec::new() };
                self.withdrawal(battle, units)
            }
            BattleStage::Beams { .. } => Order::Aim { shots: self.beams_by_policy(battle) },
            BattleStage::DefenderLeaves { .. } => self.withdrawal(battle, Vec::new()),
            BattleStage::Refuge { .. } => Order::SendTo { at: self.default_refuge(battle) },
            BattleStage::Scuttle { .. } => Order::Scuttle { factories: Vec::new() },
            BattleStage::GoesOn => Order::BreakOff,
        }
    }
}
