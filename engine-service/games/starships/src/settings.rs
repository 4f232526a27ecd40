//! Rule 12: what each option is, and what it may be.

use heliopause_kernel::setting::Setting;

use crate::options::{MOST_ROUNDS, Options};

const ROUNDS: (u32, u32) = (1, MOST_ROUNDS as u32);
const FIRST: (u32, u32) = (1, MOST_ROUNDS as u32 + 1);

/// The options.
pub(crate) const SETTINGS: &[Setting<Options>] = &[
    Setting::shares(
        "mix",
        "The markers that are mixed for the board, besides the Death Star (R1).",
        (
            &[
                ("friendly", "Friendly planets", 3),
                ("unfriendly", "Unfriendly planets", 2),
                ("dead", "dead planets", 2),
                ("asteroids", "Asteroids", 2),
                ("empty", "empty space", 0),
            ],
            35,
        ),
        |options, index| options.mix.counts()[index].into(),
        |options, index, value| *options.mix.counts_mut()[index] = value as u8,
    ),
    Setting::number(
        "rounds",
        "Rounds in a game.",
        ROUNDS,
        |options: &Options| Some(options.rounds.into()),
        |options: &mut Options, value| options.rounds = value as u8,
    ),
    Setting::number(
        "live_planets_to_win",
        "Live planets that win the game (9).",
        (1, 37),
        |options: &Options| Some(options.live_planets_to_win.into()),
        |options: &mut Options, value| options.live_planets_to_win = value as u8,
    ),
    Setting::number(
        "first_round_of_exile",
        "The first round in which members may be voted out (7).",
        FIRST,
        |options: &Options| Some(options.first_round_of_exile.into()),
        |options: &mut Options, value| options.first_round_of_exile = value as u8,
    ),
    Setting::number(
        "first_round_of_unprovoked_attacks",
        "The first round in which members may attack unprovoked (7).",
        FIRST,
        |options: &Options| Some(options.first_round_of_unprovoked_attacks.into()),
        |options: &mut Options, value| options.first_round_of_unprovoked_attacks = value as u8,
    ),
    Setting::number(
        "last_round_with_death_star",
        "The round that ends the game while the Death Star is active (R40).",
        ROUNDS,
        |options: &Options| Some(options.last_round_with_death_star.into()),
        |options: &mut Options, value| options.last_round_with_death_star = value as u8,
    )
    .not_below("rounds")
    .unless_said("24, or as many as `rounds` if those are more"),
    Setting::flag(
        "earth_can_be_destroyed",
        "Whether Earth can be destroyed like any planet (R16).",
        |options: &Options| Some(options.earth_can_be_destroyed),
        |options: &mut Options, value| options.earth_can_be_destroyed = value,
    ),
    Setting::flag(
        "edges_open",
        "Whether the board's edges count as open around a surrounded starship (R17).",
        |options: &Options| Some(options.edges_open),
        |options: &mut Options, value| options.edges_open = value,
    ),
    Setting::number(
        "bases_in_solitaire",
        "Bases of a solitaire player.",
        (1, 2),
        |options: &Options| Some(options.bases_in_solitaire.into()),
        |options: &mut Options, value| options.bases_in_solitaire = value as u8,
    ),
];
