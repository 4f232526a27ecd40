//! How storms fluctuate.

use heliopause_kernel::message;
use heliopause_kernel::wire::{Part, Read, Result, Write, inside, unknown, wrong_field};
use heliopause_proto::star_empires::v1 as proto;

use crate::objects::{Pattern, STEPS_MAX};

/// What is not given is constant.
impl Read<proto::Fluctuation> for Pattern {
    fn read(message: &proto::Fluctuation) -> Result<Self> {
        pattern(message.pattern, &message.steps)
    }
}

fn pattern(pattern: i32, steps: &[i32]) -> Result<Pattern> {
    use proto::StormPattern as Word;
    match (Word::try_from(pattern), steps) {
        (Ok(Word::Unspecified | Word::Constant), []) => Ok(Pattern::Constant),
        (Ok(Word::Random), []) => Ok(Pattern::Random),
        (Ok(Word::Unspecified | Word::Constant | Word::Random), _) => {
            wrong_field("steps", "only a cyclic storm has steps")
        }
        (Ok(Word::Cyclic), steps) if (1..=STEPS_MAX).contains(&steps.len()) => Ok(Pattern::Cyclic(steps.into())),
        (Ok(Word::Cyclic), _) => wrong_field("steps", "a cyclic storm has 1 to 100 steps"),
        (Err(_), _) => inside("pattern", unknown()),
    }
}

impl Write<proto::Fluctuation> for Pattern {
    fn write(&self) -> proto::Fluctuation {
        let (pattern, steps) = match self {
            Self::Constant => (proto::StormPattern::Constant, Vec::new()),
            Self::Cyclic(steps) => (proto::StormPattern::Cyclic, steps.to_vec()),
            Self::Random => (proto::StormPattern::Random, Vec::new()),
        };
        proto::Fluctuation { pattern: pattern.into(), steps }
    }
}

message!(Pattern, proto::Fluctuation);

impl Part<proto::Storm> for Pattern {
    fn read_part(message: &proto::Storm) -> Result<Self> {
        pattern(message.pattern, &message.steps)
    }

    fn write_part(&self, message: &mut proto::Storm) {
        let proto::Fluctuation { pattern, steps } = self.write();
        (message.pattern, message.steps) = (pattern, steps);
    }
}
