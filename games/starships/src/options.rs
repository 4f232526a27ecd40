//! Rule 12: the options of the game.

use heliopause_kernel::Malformed;
use heliopause_kernel::setting::{self, Setting};

use crate::markers::Mix;

/// The options of the rules. `Default` is the game as printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub mix: Mix,
    pub rounds: u8,
    pub live_planets_to_win: u8,
    pub first_round_of_exile: u8,
    pub first_round_of_unprovoked_attacks: u8,
    /// The round that ends the game while the Death Star is active (R40).
    pub last_round_with_death_star: u8,
    pub earth_can_be_destroyed: bool,
    /// Whether a starship at the edge of the board is never surrounded by zones (R17).
    pub edges_open: bool,
    pub bases_in_solitaire: u8,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mix: Mix::FULL,
            rounds: 12,
            live_planets_to_win: 7,
            first_round_of_exile: 5,
            first_round_of_unprovoked_attacks: 7,
            last_round_with_death_star: 24,
            earth_can_be_destroyed: true,
            edges_open: true,
            bases_in_solitaire: 2,
        }
    }
}

/// The maximum of the options that are numbers of rounds.
pub const MAX_ROUNDS: u8 = 60;

impl Options {
    pub fn validate(&self) -> Result<(), Malformed> {
        setting::check(SETTINGS, self)
    }
}

const ROUNDS: (u32, u32) = (1, MAX_ROUNDS as u32);
const FIRST: (u32, u32) = (1, MAX_ROUNDS as u32 + 1);

pub(crate) const SETTINGS: &[Setting<Options>] = &[
    Setting::shares(
        "mix",
        "Numbers of markers on the board, besides the Death Star (R1).",
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
        "Live planets needed to win (9).",
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
    .unless_said("24, or `rounds` if that is more"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_errors_name_their_field() {
        assert_eq!(Options::default().validate(), Ok(()));
        let fault = |change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            options.validate().unwrap_err().field.into_owned()
        };
        assert_eq!(fault(|o| o.rounds = 0), "rounds");
        assert_eq!(fault(|o| o.live_planets_to_win = 38), "live_planets_to_win");
        assert_eq!(fault(|o| o.first_round_of_exile = 0), "first_round_of_exile");
        assert_eq!(
            fault(|o| o.first_round_of_unprovoked_attacks = 99),
            "first_round_of_unprovoked_attacks"
        );
        assert_eq!(fault(|o| o.last_round_with_death_star = 11), "last_round_with_death_star");
        assert_eq!(fault(|o| o.bases_in_solitaire = 3), "bases_in_solitaire");
        assert_eq!(fault(|o| o.mix.friendly = 2), "mix.friendly");
        assert_eq!(fault(|o| o.mix.empty = 10), "mix");
    }
}
