//! Conversion of options. Options that a message omits have their default values.

use heliopause_kernel::message;
use heliopause_kernel::setting::{Value, put, put_shares};
use heliopause_kernel::wire::{Read, Result, Write};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::options::{Options, SETTINGS};

impl Read<proto::Options> for Options {
    fn read(message: &proto::Options) -> Result<Self> {
        let mut options = Self::default();
        if let Some(mix) = &message.mix {
            let counts = [mix.friendly, mix.unfriendly, mix.dead, mix.asteroids, mix.empty];
            put_shares(SETTINGS, &mut options, "mix", &counts)?;
        }
        let number = |value: Option<u32>| value.map(Value::Number);
        let flag = |value: Option<bool>| value.map(Value::Flag);
        for (name, value) in [
            ("rounds", number(message.rounds)),
            ("live_planets_to_win", number(message.live_planets_to_win)),
            ("first_round_of_exile", number(message.first_round_of_exile)),
            (
                "first_round_of_unprovoked_attacks",
                number(message.first_round_of_unprovoked_attacks),
            ),
            ("last_round_with_death_star", number(message.last_round_with_death_star)),
            ("earth_can_be_destroyed", flag(message.earth_can_be_destroyed)),
            ("edges_open", flag(message.edges_open)),
            ("bases_in_solitaire", number(message.bases_in_solitaire)),
        ] {
            put(SETTINGS, &mut options, name, value)?;
        }
        if message.last_round_with_death_star.is_none() {
            options.last_round_with_death_star =
                options.last_round_with_death_star.max(options.rounds);
        }
        options.validate()?;
        Ok(options)
    }
}

impl Write<proto::Options> for Options {
    fn write(&self) -> proto::Options {
        proto::Options {
            mix: self.mix.write(),
            rounds: Some(self.rounds.into()),
            live_planets_to_win: Some(self.live_planets_to_win.into()),
            first_round_of_exile: Some(self.first_round_of_exile.into()),
            first_round_of_unprovoked_attacks: Some(self.first_round_of_unprovoked_attacks.into()),
            last_round_with_death_star: Some(self.last_round_with_death_star.into()),
            earth_can_be_destroyed: Some(self.earth_can_be_destroyed),
            edges_open: Some(self.edges_open),
            bases_in_solitaire: Some(self.bases_in_solitaire.into()),
        }
    }
}

message!(Options, proto::Options);
