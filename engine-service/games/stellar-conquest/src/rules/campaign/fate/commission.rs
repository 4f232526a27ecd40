//! Fate 2: the Captain-General's commission.

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::sheet::Outfit;
use crate::tables::board::{ENTRY_HEXES, Place};
use crate::tables::technology::Tech;

/// 2.3: transports of the start.
pub const TRANSPORTS: u32 = 30;

/// 2.3: ships of the start, in half ship points.
pub const HALF_POINTS: u32 = 30;

/// 2.4: the technologies of which two are chosen.
pub const TECHNOLOGIES: [Tech; 4] =
    [Tech::Speed3, Tech::MissileBase, Tech::ControlledEnvironment, Tech::IndustrialTechnology];

/// The commission of who chooses none.
pub(crate) fn default() -> Outfit {
    Outfit::Commission {
        corvettes: 10,
        scouts: 10,
        technologies: [Tech::Speed3, Tech::IndustrialTechnology],
    }
}

/// 2.3, 2.4: at most 15 ship points, and two different ones of the four technologies.
pub(crate) fn judge(corvettes: u32, scouts: u32, technologies: [Tech; 2]) -> Verdict {
    if corvettes.saturating_mul(2).saturating_add(scouts) > HALF_POINTS {
        return refuse(
            "too-many-points",
            "fate-2.3",
            "You have 15 ship points: 1 for a corvette, ½ for a scout.",
        );
    }
    let [one, other] = technologies;
    if one == other || !technologies.iter().all(|tech| TECHNOLOGIES.contains(tech)) {
        return refuse(
            "wrong-technology",
            "fate-2.4",
            "Choose two different ones of the four that are offered.",
        );
    }
    Ok(())
}

/// 2.2: a die, 5 and 6 rolled again.
pub(crate) fn roll_fate_entry_hex(referee: &mut Referee<'_>) -> Place {
    let mut nth = 0;
    loop {
        let die = referee.roll("entry-hex", 0, nth);
        if let Some(&entry) = ENTRY_HEXES.get(usize::from(die) - 1) {
            return entry;
        }
        nth += 1;
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::{Actor, Dice, Game, Setup, Why};

    use super::*;
    use crate::rules::campaign::fate::scenes::{begin_turn, captain};
    use crate::state::options::{Options, Variant};
    use crate::state::order::Order;
    use crate::state::position::StellarConquest;
    use crate::state::ship::Ship;
    use crate::state::table::Stage;
    use crate::tables::ships::Fleet;
    use crate::testing::Scene;

    /// A campaign whose setup is over, with these dice for the entry hex.
    fn set_out(dice: &[u32], outfit: Option<Outfit>) -> Scene {
        let options = Options { variant: Variant::FateOfEmpire, ..Options::default() };
        let mut dice = Dice::new([7; 32]).scripted(dice.iter().copied());
        let (mut game, _) =
            StellarConquest::new(&Setup { options, players: 1 }, &mut dice).unwrap();
        if let Some(outfit) = outfit {
            game.submit(Actor::Seat(captain()), Order::Outfit(outfit), &mut dice).unwrap();
        }
        game.close(Why::AllReady, &mut dice);
        assert_eq!(game.check(), Ok(()));
        Scene { game, dice }
    }

    #[test]
    fn fate_2_2_the_entry_hex_is_rolled_for_and_5_and_6_again() {
        let scene = set_out(&[5, 6, 3], None);
        assert_eq!(scene.game.table().entries, [ENTRY_HEXES[2]]);
        assert_eq!(scene.game.table().stage, Stage::Movement);
    }

    #[test]
    fn fate_2_3_who_chooses_nothing_has_a_commission_too() {
        let scene = set_out(&[1], None);
        let fleet: Fleet = scene.power(captain()).ships.iter().map(Ship::kind).collect();
        assert_eq!(fleet, Fleet::new([10, 30, 10, 0, 0]));
        assert_eq!(scene.power(captain()).research.owned.iter().count(), 2);
        assert!(scene.power(captain()).ships.iter().all(|ship| ship.at.is_none()));
    }

    #[test]
    fn ft_30_with_cet_the_transports_are_equipped_for_barren_planets() {
        let technologies = [Tech::ControlledEnvironment, Tech::MissileBase];
        let scene =
            set_out(&[1], Some(Outfit::Commission { corvettes: 15, scouts: 0, technologies }));
        let equipped = |scene: &Scene| {
            let loads: Vec<bool> = scene
                .power(captain())
                .ships
                .iter()
                .filter_map(Ship::load)
                .map(|load| load.cet)
                .collect();
            (loads.len(), loads.iter().all(|&cet| cet))
        };
        assert_eq!(equipped(&scene), (30, true));
        let (scene, _) = begin_turn(scene, 3, &[2, 6]);
        assert_eq!(equipped(&scene), (35, true));
        let technologies = [Tech::Speed3, Tech::MissileBase];
        let scene =
            set_out(&[1], Some(Outfit::Commission { corvettes: 0, scouts: 30, technologies }));
        assert_eq!(equipped(&scene), (30, false));
    }

    #[test]
    fn fate_2_3_fifteen_ship_points() {
        let techs = [Tech::Speed3, Tech::MissileBase];
        assert!(
            judge(10, 10, techs).is_ok()
                && judge(15, 0, techs).is_ok()
                && judge(14, 1, techs).is_ok()
        );
        assert!(judge(15, 1, techs).is_err() && judge(u32::MAX, 2, techs).is_err());
    }

    #[test]
    fn fate_2_4_two_of_four_technologies() {
        assert!(judge(0, 0, [Tech::ControlledEnvironment, Tech::IndustrialTechnology]).is_ok());
        assert!(judge(0, 0, [Tech::Speed3, Tech::Speed3]).is_err());
        assert!(judge(0, 0, [Tech::Speed3, Tech::Fighter]).is_err());
    }
}
