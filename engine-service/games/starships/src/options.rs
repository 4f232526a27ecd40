//! Rule 12: the options.

use heliopause_kernel::Malformed;

use crate::markers::Mix;

/// The rules options. `Default` is the game as printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The marker mix (R1).
    pub mix: Mix,
    /// Rounds in a game.
    pub rounds: u8,
    /// Live planets that win (9).
    pub live_planets_to_win: u8,
    /// The first round in which votes for exile may be set (7).
    pub first_round_of_exile: u8,
    /// The first round in which members may attack unprovoked (7).
    pub first_round_of_unprovoked_attacks: u8,
    /// The round that ends the game while the Death Star is active (R40).
    pub last_round_with_death_star: u8,
    /// Whether Earth can be destroyed (R16).
    pub earth_can_be_destroyed: bool,
    /// Whether board edges count as open around a starship (R17).
    pub edges_open: bool,
    /// Bases of a solitaire player.
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

/// The most rounds that any option may name.
pub const MOST_ROUNDS: u8 = 60;

impl Options {
    /// Whether the options can be played; names the field at fault.
    pub fn validate(&self) -> Result<(), Malformed> {
        heliopause_kernel::setting::check(crate::settings::SETTINGS, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_can_be_played_and_each_fault_names_its_field() {
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
