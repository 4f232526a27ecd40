//! Rules 12, 13: what a battle waits for, and what it waits for next. [`after`] is the table;
//! nothing else moves a battle from stage to stage.
//!
//! | stage | what may happen |
//! | --- | --- |
//! | the attacker aims, the defenders aim | more aim; then the round is fought |
//! | beams | more beams; what follows a round against colonies |
//! | scuttle | more scuttle; the attack can go on, or is over |
//! | goes on | the next round, or the end |
//! | the attacker leaves | the defenders say where to, or leave themselves |
//! | the defenders leave | more leave; the attacker says where to; the next round |
//! | refuge | what follows those who left |

use heliopause_kernel::SeatSet;

use BattleStage::{
    AttackerAims, AttackerLeaves, Beams, DefenderLeaves, DefendersAim, GoesOn, Refuge, Scuttle,
};
use Step::{Aimed, Disarmed, Fought, Leaving, Missed, Over, Repulsed, Round, Spared, Stayed};

use crate::state::battle::{BattleStage, Side};

/// What happens in a battle, as far as another stage may follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// 12.3 b: a side has aimed, and these defenders have not.
    Aimed {
        /// Those who have not said so yet.
        waiting: SeatSet,
    },
    /// Space 1.1: no shot has hit shields of these owners.
    Missed {
        /// Those who have not used their beams yet.
        waiting: SeatSet,
    },
    /// 13.5: colonies of these owners were attacked, and not conquered.
    Spared {
        /// Those who have not said what they destroy.
        waiting: SeatSet,
    },
    /// 13.4: the attack can go on.
    Repulsed,
    /// 12.7 iii: ships have fought a round.
    Fought,
    /// 12.7 ii: nobody has a warship.
    Disarmed,
    /// 12.8: ships of the side that is asked withdraw, to a hex that nobody has chosen yet.
    Leaving,
    /// 12.7 iv: the attacker stays.
    Stayed {
        /// Defenders who have not said who leaves, once one has; if it is empty, nobody has.
        waiting: SeatSet,
    },
    /// 12.2, 12.7 v, 13.4: a round begins.
    Round,
    /// The battle is over.
    Over,
}

/// What follows a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The battle waits for a decision.
    Stage(BattleStage),
    /// It is over.
    End,
}

/// The table: what follows when something happens at a stage; nothing where it never happens.
#[expect(clippy::too_many_lines, reason = "the table of stages and events")]
pub(crate) const fn after(stage: BattleStage, step: Step) -> Option<Next> {
    let next = match stage {
        AttackerAims | DefendersAim { .. } => match step {
            Aimed { waiting } => DefendersAim { waiting },
            Missed { waiting } => Beams { waiting },
            Spared { waiting } => Scuttle { waiting },
            Repulsed => GoesOn,
            Fought => AttackerLeaves { forced: false },
            Disarmed => AttackerLeaves { forced: true },
            Round => AttackerAims,
            Over => return Some(Next::End),
            Leaving | Stayed { .. } => return None,
        },
        Beams { .. } => match step {
            Missed { waiting } => Beams { waiting },
            Spared { waiting } => Scuttle { waiting },
            Repulsed => GoesOn,
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. } | Fought | Disarmed | Leaving | Stayed { .. } => return None,
        },
        Scuttle { .. } => match step {
            Spared { waiting } => Scuttle { waiting },
            Repulsed => GoesOn,
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Fought | Disarmed | Leaving | Stayed { .. } | Round => {
                return None;
            }
        },
        GoesOn => match step {
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. }
            | Missed { .. }
            | Spared { .. }
            | Repulsed
            | Fought
            | Disarmed
            | Leaving
            | Stayed { .. } => {
                return None;
            }
        },
        AttackerLeaves { .. } => match step {
            Leaving => Refuge { leaving: Side::Attacker },
            Stayed { waiting } => DefenderLeaves { waiting },
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed | Fought | Disarmed | Round => {
                return None;
            }
        },
        DefenderLeaves { .. } => match step {
            Leaving => Refuge { leaving: Side::Defender },
            Stayed { waiting } => DefenderLeaves { waiting },
            Disarmed => AttackerLeaves { forced: true },
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed | Fought => return None,
        },
        Refuge { leaving: Side::Attacker } => match step {
            Stayed { waiting } => DefenderLeaves { waiting },
            Over => return Some(Next::End),
            Aimed { .. }
            | Missed { .. }
            | Spared { .. }
            | Repulsed
            | Fought
            | Disarmed
            | Leaving
            | Round => {
                return None;
            }
        },
        Refuge { leaving: Side::Defender } => match step {
            Disarmed => AttackerLeaves { forced: true },
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. }
            | Missed { .. }
            | Spared { .. }
            | Repulsed
            | Fought
            | Leaving
            | Stayed { .. } => return None,
        },
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
        Repulsed,
        Fought,
        Disarmed,
        Leaving,
        Stayed { waiting: NOBODY },
        Round,
        Over,
    ];

    #[test]
    fn every_stage_is_reached_from_the_first_one() {
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
    fn every_step_happens_somewhere_and_every_stage_can_be_the_last() {
        assert!(STEPS.iter().all(|&step| STAGES.iter().any(|&stage| after(stage, step).is_some())));
        assert!(STAGES.iter().all(|&stage| after(stage, Over) == Some(Next::End)));
    }

    #[test]
    fn rule_12_7_the_attacker_says_who_leaves_before_the_defender_does() {
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
