//! Rules 12, 13: the stages of a battle. [`after`] is the only transition table.
//!
//! | stage | possible transitions |
//! | --- | --- |
//! | the attacker aims, the defenders aim | other seats aim; then the round is fought |
//! | beams | other seats seize; then the result of a round against colonies |
//! | scuttle | other seats scuttle; then the attack can continue, or is over |
//! | another round? | the next round, or the end |
//! | the attacker leaves | the defenders choose the hex, or leave themselves |
//! | the defenders leave | other seats leave; the attacker chooses the hex; the next round |
//! | refuge | depends on the side that left |

use heliopause_kernel::SeatSet;

use BattleStage::{
    AttackerAims, AttackerLeaves, Beams, DefenderLeaves, DefendersAim, GoesOn, Refuge, Scuttle,
};
use Step::{Aimed, Disarmed, Fought, Leaving, Missed, Over, Round, Spared, Stayed, Undecided};

use crate::state::{BattleStage, Side};

/// An event in a battle that can lead to another stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A seat has aimed. The defenders in `waiting` have not (rule 12.3 b).
    Aimed { waiting: SeatSet },
    /// No shot hit the shields of the owners in `waiting` (space 1.1).
    Missed { waiting: SeatSet },
    /// Colonies of the owners in `waiting` were attacked and not conquered (rule 13.5).
    Spared { waiting: SeatSet },
    /// The attacker of colonies has a warship and a target left (rule 13.4).
    Undecided,
    /// A round between ships was fought.
    Fought,
    /// Neither side has a warship (rule 12.7 ii).
    Disarmed,
    /// Ships of the deciding side withdraw, and their hex is not chosen yet (rule 12.8).
    Leaving,
    /// Defenders decide next, because the attacker stays (rule 12.7 iv).
    Stayed {
        /// Defenders that have not decided yet. Empty before the first decision.
        waiting: SeatSet,
    },
    /// The next round starts.
    Round,
    /// The battle is over.
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    Stage(BattleStage),
    End,
}

pub(crate) const fn after(stage: BattleStage, step: Step) -> Option<Next> {
    let next = match (stage, step) {
        (_, Over) => return Some(Next::End),
        (AttackerAims | DefendersAim { .. }, Aimed { waiting }) => DefendersAim { waiting },
        (AttackerAims | DefendersAim { .. } | Beams { .. }, Missed { waiting }) => {
            Beams { waiting }
        }
        (
            AttackerAims | DefendersAim { .. } | Beams { .. } | Scuttle { .. },
            Spared { waiting },
        ) => Scuttle { waiting },
        (AttackerAims | DefendersAim { .. } | Beams { .. } | Scuttle { .. }, Undecided) => GoesOn,
        (AttackerAims | DefendersAim { .. }, Fought) => AttackerLeaves { forced: false },
        (
            AttackerAims
            | DefendersAim { .. }
            | DefenderLeaves { .. }
            | Refuge { leaving: Side::Defender },
            Disarmed,
        ) => AttackerLeaves { forced: true },
        (
            AttackerAims
            | DefendersAim { .. }
            | Beams { .. }
            | GoesOn
            | DefenderLeaves { .. }
            | Refuge { leaving: Side::Defender },
            Round,
        ) => AttackerAims,
        (AttackerLeaves { .. }, Leaving) => Refuge { leaving: Side::Attacker },
        (DefenderLeaves { .. }, Leaving) => Refuge { leaving: Side::Defender },
        (
            AttackerLeaves { .. } | DefenderLeaves { .. } | Refuge { leaving: Side::Attacker },
            Stayed { waiting },
        ) => DefenderLeaves { waiting },
        _ => return None,
    };
    Some(Next::Stage(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: SeatSet = SeatSet::EMPTY;

    const STAGES: [BattleStage; 10] = [
        AttackerAims,
        DefendersAim { waiting: NOBODY },
        AttackerLeaves { forced: false },
        AttackerLeaves { forced: true },
        DefenderLeaves { waiting: NOBODY },
        Refuge { leaving: Side::Attacker },
        Refuge { leaving: Side::Defender },
        Beams { waiting: NOBODY },
        Scuttle { waiting: NOBODY },
        GoesOn,
    ];

    const STEPS: [Step; 10] = [
        Aimed { waiting: NOBODY },
        Missed { waiting: NOBODY },
        Spared { waiting: NOBODY },
        Undecided,
        Fought,
        Disarmed,
        Leaving,
        Stayed { waiting: NOBODY },
        Round,
        Over,
    ];

    #[test]
    fn every_stage_is_reachable() {
        let mut reached = vec![AttackerAims];
        let mut nth = 0;
        while nth < reached.len() {
            for step in STEPS {
                if let Some(Next::Stage(next)) = after(reached[nth], step)
                    && !reached.contains(&next)
                {
                    reached.push(next);
                }
            }
            nth += 1;
        }
        assert!(STAGES.iter().all(|stage| reached.contains(stage)));
        assert_eq!(reached.len(), STAGES.len());
    }

    #[test]
    fn every_step_is_used_and_every_stage_can_end_the_battle() {
        assert!(STEPS.iter().all(|&step| STAGES.iter().any(|&stage| after(stage, step).is_some())));
        assert!(STAGES.iter().all(|&stage| after(stage, Over) == Some(Next::End)));
    }

    #[test]
    fn rule_12_7_the_attacker_withdraws_before_the_defender() {
        let before = |next| {
            STAGES.into_iter().filter(move |&stage| {
                STEPS.iter().any(|&step| after(stage, step) == Some(Next::Stage(next)))
            })
        };
        let attacker_leaves: Vec<BattleStage> = before(AttackerLeaves { forced: false }).collect();
        assert_eq!(attacker_leaves, STAGES[..2]);
        let defender_leaves: Vec<BattleStage> =
            before(DefenderLeaves { waiting: NOBODY }).collect();
        assert_eq!(defender_leaves, STAGES[2..6]);
    }
}
