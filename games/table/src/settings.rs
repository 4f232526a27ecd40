//! Game options over the wire: the name of each, and its possible values.

use heliopause_kernel::setting::{Kind, Setting, Shares};
use heliopause_proto::v1::{
    FlagOption, MessageOption, NamesOption, NumberOption, OptionInfo, OptionShare, OptionWord,
    SharesOption, WordOption, option_info::Type,
};

pub(crate) fn write<O>(setting: &Setting<O>, printed: &O) -> OptionInfo {
    let (kind, unsaid) = match &setting.kind {
        Kind::Flag(flag) => {
            (Type::Flag(FlagOption { default_value: (flag.get)(printed) }), flag.unsaid)
        }
        Kind::Number(number) => {
            let written = NumberOption {
                least: number.least,
                most: number.most,
                default_value: (number.get)(printed),
                zero: number.zero.to_owned(),
                not_below: number.not_below.to_owned(),
            };
            (Type::Number(written), number.unsaid)
        }
        Kind::Word(word) => {
            let value = |(value, meaning): &(&str, &str)| OptionWord {
                value: (*value).to_owned(),
                meaning: (*meaning).to_owned(),
            };
            let usual = word.words.get((word.get)(printed)).map_or("", |(value, _)| value);
            let words = word.words.iter().map(value).collect();
            (Type::Word(WordOption { words, default_value: usual.to_owned() }), "")
        }
        Kind::Shares(shares) => (Type::Shares(write_shares(shares, printed)), ""),
        Kind::Names { most, length } => {
            (Type::Names(NamesOption { most: *most as u32, max_length: *length as u32 }), "")
        }
        Kind::Message => (Type::Message(MessageOption {}), ""),
    };
    OptionInfo {
        name: setting.name.to_owned(),
        sentence: setting.sentence.to_owned(),
        default_text: unsaid.to_owned(),
        r#type: Some(kind),
    }
}

fn write_shares<O>(shares: &Shares<O>, printed: &O) -> SharesOption {
    let share = |(index, (name, label, least)): (usize, &(&str, &str, u32))| OptionShare {
        name: (*name).to_owned(),
        label: (*label).to_owned(),
        least: *least,
        default_value: (shares.get)(printed, index),
    };
    SharesOption { shares: shares.parts.iter().enumerate().map(share).collect(), sum: shares.sum }
}
