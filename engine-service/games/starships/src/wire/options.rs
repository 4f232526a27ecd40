//! Options: what is absent takes its default.

use heliopause_kernel::Malformed;
use heliopause_kernel::setting::{Value, put, put_shares};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::options::Options;
use crate::settings::SETTINGS;

pub(super) fn read(message: &proto::Options) -> Result<Options, Malformed> {
    let mut options = Options::default();
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
        ("first_round_of_unprovoked_attacks", number(message.first_round_of_unprovoked_attacks)),
        ("last_round_with_death_star", number(message.last_round_with_death_star)),
        ("earth_can_be_destroyed", flag(message.earth_can_be_destroyed)),
        ("edges_open", flag(message.edges_open)),
        ("bases_in_solitaire", number(message.bases_in_solitaire)),
    ] {
        put(SETTINGS, &mut options, name, value)?;
    }
    if message.last_round_with_death_star.is_none() {
        options.last_round_with_death_star = options.last_round_with_death_star.max(options.rounds);
    }
    options.validate()?;
    Ok(options)
}

pub(super) fn write(options: &Options) -> proto::Options {
    proto::Options {
        mix: Some(proto::MarkerMix {
            friendly: options.mix.friendly.into(),
            unfriendly: options.mix.unfriendly.into(),
            dead: options.mix.dead.into(),
            asteroids: options.mix.asteroids.into(),
            empty: options.mix.empty.into(),
        }),
        rounds: Some(options.rounds.into()),
        live_planets_to_win: Some(options.live_planets_to_win.into()),
        first_round_of_exile: Some(options.first_round_of_exile.into()),
        first_round_of_unprovoked_attacks: Some(options.first_round_of_unprovoked_attacks.into()),
        last_round_with_death_star: Some(options.last_round_with_death_star.into()),
        earth_can_be_destroyed: Some(options.earth_can_be_destroyed),
        edges_open: Some(options.edges_open),
        bases_in_solitaire: Some(options.bases_in_solitaire.into()),
    }
}
