//! Options: what is absent takes its default.

use heliopause_kernel::Malformed;
use heliopause_proto::starships_at_large::v1 as proto;

use super::names::read_u8;
use crate::markers::Mix;
use crate::options::Options;

pub(super) fn read(message: &proto::Options) -> Result<Options, Malformed> {
    let default = Options::default();
    let number =
        |value: Option<u32>, default: u8, field: &str| value.map_or(Ok(default), |value| read_u8(value, field));
    let options = Options {
        mix: message.mix.as_ref().map_or(Ok(default.mix), read_mix)?,
        rounds: number(message.rounds, default.rounds, "rounds")?,
        live_planets_to_win: number(message.live_planets_to_win, default.live_planets_to_win, "live_planets_to_win")?,
        first_round_of_exile: number(
            message.first_round_of_exile,
            default.first_round_of_exile,
            "first_round_of_exile",
        )?,
        first_round_of_unprovoked_attacks: number(
            message.first_round_of_unprovoked_attacks,
            default.first_round_of_unprovoked_attacks,
            "first_round_of_unprovoked_attacks",
        )?,
        last_round_with_death_star: number(
            message.last_round_with_death_star,
            default.last_round_with_death_star,
            "last_round_with_death_star",
        )?,
        earth_can_be_destroyed: message.earth_can_be_destroyed.unwrap_or(default.earth_can_be_destroyed),
        edges_open: message.edges_open.unwrap_or(default.edges_open),
        bases_in_solitaire: number(message.bases_in_solitaire, default.bases_in_solitaire, "bases_in_solitaire")?,
    };
    options.validate()?;
    Ok(options)
}

fn read_mix(mix: &proto::MarkerMix) -> Result<Mix, Malformed> {
    Ok(Mix {
        friendly: read_u8(mix.friendly, "mix.friendly")?,
        unfriendly: read_u8(mix.unfriendly, "mix.unfriendly")?,
        dead: read_u8(mix.dead, "mix.dead")?,
        asteroids: read_u8(mix.asteroids, "mix.asteroids")?,
        empty: read_u8(mix.empty, "mix.empty")?,
    })
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
