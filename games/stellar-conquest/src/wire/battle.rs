//! The subject and stage of a battle in wire format.

use heliopause_kernel::SeatSet;
use heliopause_kernel::wire::{Part, Result, Write, inside, unknown};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::{BattleStage, Side, Subject};
use crate::tables::numbers::{nths, seat_set};

impl Part<proto::Battle> for Subject {
    fn read_part(message: &proto::Battle) -> Result<Self> {
        let planets = inside("planets", nths::read(&message.planets))?;
        Ok(if message.colonies { Self::Colonies { planets } } else { Self::Ships })
    }

    fn write_part(&self, message: &mut proto::Battle) {
        if let Self::Colonies { planets } = self {
            (message.colonies, message.planets) = (true, nths::write(planets));
        }
    }
}

fn read_stage(stage: i32, waiting: &[u32]) -> Result<BattleStage> {
    use proto::BattleStage as Stage;
    let waiting = inside("waiting", seat_set::read(waiting))?;
    Ok(match Stage::try_from(stage).unwrap_or_default() {
        Stage::AttackerAims => BattleStage::AttackerAims,
        Stage::DefendersAim => BattleStage::DefendersAim { waiting },
        Stage::AttackerLeaves => BattleStage::AttackerLeaves { forced: false },
        Stage::AttackerMustLeave => BattleStage::AttackerLeaves { forced: true },
        Stage::DefenderLeaves => BattleStage::DefenderLeaves { waiting },
        Stage::Beams => BattleStage::Beams { waiting },
        Stage::RefugeOfAttacker => BattleStage::Refuge { leaving: Side::Attacker },
        Stage::RefugeOfDefender => BattleStage::Refuge { leaving: Side::Defender },
        Stage::Scuttle => BattleStage::Scuttle { waiting },
        Stage::GoesOn => BattleStage::GoesOn,
        Stage::Unspecified => return inside("stage", unknown()),
    })
}

fn write_stage(stage: BattleStage) -> (i32, Vec<u32>) {
    use proto::BattleStage as Stage;
    let (stage, waiting) = match stage {
        BattleStage::AttackerAims => (Stage::AttackerAims, SeatSet::EMPTY),
        BattleStage::DefendersAim { waiting } => (Stage::DefendersAim, waiting),
        BattleStage::AttackerLeaves { forced: false } => (Stage::AttackerLeaves, SeatSet::EMPTY),
        BattleStage::AttackerLeaves { forced: true } => (Stage::AttackerMustLeave, SeatSet::EMPTY),
        BattleStage::DefenderLeaves { waiting } => (Stage::DefenderLeaves, waiting),
        BattleStage::Beams { waiting } => (Stage::Beams, waiting),
        BattleStage::Refuge { leaving: Side::Attacker } => {
            (Stage::RefugeOfAttacker, SeatSet::EMPTY)
        }
        BattleStage::Refuge { leaving: Side::Defender } => {
            (Stage::RefugeOfDefender, SeatSet::EMPTY)
        }
        BattleStage::Scuttle { waiting } => (Stage::Scuttle, waiting),
        BattleStage::GoesOn => (Stage::GoesOn, SeatSet::EMPTY),
    };
    (stage.into(), waiting.write())
}

macro_rules! part {
    ($message:ty) => {
        impl Part<$message> for BattleStage {
            fn read_part(message: &$message) -> Result<Self> {
                read_stage(message.stage, &message.waiting)
            }

            fn write_part(&self, message: &mut $message) {
                (message.stage, message.waiting) = write_stage(*self);
            }
        }
    };
}
part!(proto::Battle);
part!(proto::BattleStageChanged);
