//! Rules 12, 13: what a battle waits for, and what it waits for next. [`after`] is the table; nothing else moves a battle from
//! stage to stage.
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
pub(crate) const fn after(stage: BattleStage, step: Step) -> Option<Next> {
    use BattleStage::{AttackerAims, AttackerLeaves, Beams, DefenderLeaves, DefendersAim, GoesOn, Refuge, Scuttle};
    use Step::{Aimed, Disarmed, Fought, Leaving, Missed, Over, Repulsed, Round, Spared, Stayed};
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
            Aimed { .. } | Missed { .. } | Fought | Disarmed | Leaving | Stayed { .. } | Round => return None,
        },
        GoesOn => match step {
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed => return None,
            Fought | Disarmed | Leaving | Stayed { .. } => return None,
        },
        AttackerLeaves { .. } => match step {
            Leaving => Refuge { leaving: Side::Attacker },
            Stayed { waiting } => DefenderLeaves { waiting },
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed => return None,
            Fought | Disarmed | Round => return None,
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
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed => return None,
            Fought | Disarmed | Leaving | Round => return None,
        },
        Refuge { leaving: Side::Defender } => match step {
            Disarmed => AttackerLeaves { forced: true },
            Round => AttackerAims,
            Over => return Some(Next::End),
            Aimed { .. } | Missed { .. } | Spared { .. } | Repulsed => return None,
            Fought | Leaving | Stayed { .. } => return None,
        },
    };
    Some(Next::Stage(next))
}
