//! Notes 11: the start of a session, with a generated galaxy or the galaxy of a scenario.

use std::sync::Arc;

use heliopause_kernel::{Dice, Refusal, Seat, Setup};

use crate::empire::{Serials, code_for};
use crate::galaxy::Galaxy;
use crate::generator::generate;
use crate::geometry::{Frame, Sector};
use crate::options::{EmpireNames, Options, Scenario};
use crate::phases::first_map;
use crate::position::StarEmpires;

pub(crate) fn set_up(setup: &Setup<Options>, dice: &mut Dice) -> Result<StarEmpires, Refusal> {
    let options = &setup.options;
    if let Err(fault) = options.validate() {
        return Err(Refusal::new("bad-options", "2.0", fault.to_string())
            .field(format!("options.{}", fault.field)));
    }
    if !options.empires().contains(&setup.players) {
        let (least, most) = options.empires().into_inner();
        let text = format!(
            "With these options the game takes {least} to {most} empires, not {}.",
            setup.players
        );
        return Err(Refusal::new("bad-players", "2.0", text).field("players"));
    }
    let galaxy = match &options.scenario {
        Some(scenario) => from_scenario(scenario, options, dice),
        None => generate(options, setup.players, dice),
    };
    let mut game = StarEmpires::unseen(Arc::new(options.clone()), galaxy);
    first_map(&mut game);
    Ok(game)
}

/// Returns the galaxy of a scenario, with the names that players chose, and with new frames where
/// the scenario defines none. Serial numbers get a new key, because the scenario is public.
fn from_scenario(scenario: &Scenario, options: &Options, dice: &mut Dice) -> Galaxy {
    let mut galaxy = scenario.galaxy.clone();
    for seat in Seat::first(galaxy.empires.len()) {
        let frame = if scenario.framed.contains(seat) {
            galaxy.empire(seat).frame
        } else {
            draw_frame(&galaxy, seat, options, dice)
        };
        let empire = galaxy.empire_mut(seat);
        empire.frame = frame;
        empire.serials = Serials::draw(seat, dice);
        rename(&mut galaxy, seat, options.names.get(seat.index()).copied().unwrap_or_default());
    }
    galaxy.compact_ships();
    galaxy
}

fn draw_frame(galaxy: &Galaxy, seat: Seat, options: &Options, dice: &mut Dice) -> Frame {
    if !options.local_frames {
        return Frame::GALACTIC;
    }
    let empire = galaxy.empire(seat);
    let home = empire.homeworld.map(|world| galaxy.world(world).at);
    let origin = home.or(empire.last_homeworld).unwrap_or(Sector::CENTER);
    Frame::draw(origin, u64::from(seat.number()), dice)
}

/// Gives an empire and its homeworld the names that the player chose, unless they are taken.
fn rename(galaxy: &mut Galaxy, seat: Seat, chosen: EmpireNames) {
    if !chosen.empire.is_none() && galaxy.empire_named(chosen.empire).is_none() {
        let own = galaxy.empire(seat).code;
        let others = galaxy.empires.iter().map(|empire| empire.code).filter(|&code| code != own);
        let code = code_for(chosen.empire, &others.collect::<Vec<_>>());
        let empire = galaxy.empire_mut(seat);
        (empire.name, empire.code) = (chosen.empire, code);
        recode(galaxy, seat);
    }
    if let Some(world) = galaxy.empire(seat).homeworld
        && !chosen.homeworld.is_none()
        && galaxy.is_free(chosen.homeworld)
    {
        galaxy.world_mut(world).name = chosen.homeworld;
    }
}

fn recode(galaxy: &mut Galaxy, seat: Seat) {
    let code = galaxy.empire(seat).code;
    for ship in galaxy.ships.iter_mut().filter(|ship| ship.owner == seat) {
        ship.serial = ship.serial.with_code(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::Name;
    use heliopause_kernel::SeatSet;

    fn setup(options: Options, players: usize) -> Result<StarEmpires, Refusal> {
        set_up(&Setup { options, players }, &mut Dice::new([5; 32]))
    }

    fn scenario(framed: SeatSet) -> Options {
        let galaxy = setup(Options::default(), 3).unwrap().galaxy;
        Options { scenario: Some(Arc::new(Scenario { galaxy, framed })), ..Options::default() }
    }

    #[test]
    fn sessions_of_2_to_60_empires_are_valid() {
        for players in [2, 3, 6, 12, 31, 60] {
            assert_eq!(setup(Options::default(), players).unwrap().integrity(), Ok(()));
        }
        assert_eq!(setup(Options::default(), 1).unwrap_err().reason, "bad-players");
        assert_eq!(setup(Options::default(), 61).unwrap_err().reason, "bad-players");
    }

    #[test]
    fn invalid_options_are_refused_with_their_field() {
        let mut options = Options::default();
        options.generator.world_percent = 200;
        assert_eq!(setup(options, 2).unwrap_err().field, "options.world_percent");
        let mut options = Options::default();
        options.generator.radius = Some(10);
        assert_eq!(setup(options, 13).unwrap_err().field, "players");
    }

    #[test]
    fn a_scenario_starts_unchanged() {
        let options = scenario(SeatSet::first(3));
        let given = options.scenario.clone().unwrap();
        let game = setup(options, 3).unwrap();
        assert_eq!(game.integrity(), Ok(()));
        assert_eq!(game.galaxy.worlds, given.galaxy.worlds);
        assert_eq!(game.galaxy.ships, given.galaxy.ships);
        let mut both = game.galaxy.empires.iter().zip(&given.galaxy.empires);
        assert!(both.all(|(own, other)| own.frame == other.frame));
        assert_eq!(setup(scenario(SeatSet::first(3)), 4).unwrap_err().reason, "bad-players");
    }

    #[test]
    fn missing_frames_of_a_scenario_are_drawn_or_galactic() {
        let game = setup(scenario(SeatSet::EMPTY), 3).unwrap();
        for seat in game.galaxy.seats() {
            let empire = game.galaxy.empire(seat);
            assert_eq!(empire.frame.origin, game.galaxy.world(empire.homeworld.unwrap()).at);
        }
        let options = Options { local_frames: false, ..scenario(SeatSet::EMPTY) };
        let game = setup(options, 3).unwrap();
        assert!(game.galaxy.empires.iter().all(|empire| empire.frame == Frame::GALACTIC));
    }

    #[test]
    fn chosen_names_replace_those_of_a_scenario() {
        let name = |text| Name::new(text).unwrap();
        let chosen =
            EmpireNames { empire: name("Kratos"), homeworld: name("Sparta"), starbase: Name::NONE };
        let options = Options { names: vec![chosen], ..scenario(SeatSet::first(3)) };
        let game = setup(options, 3).unwrap();
        let empire = &game.galaxy.empires[0];
        assert_eq!((empire.name, empire.code.as_str()), (name("kratos"), "KR"));
        assert_eq!(game.galaxy.world(empire.homeworld.unwrap()).name, name("Sparta"));
        assert!(game.galaxy.ships_of(Seat::at(0))[0].serial.as_str().starts_with("KR"));
        assert_eq!(game.integrity(), Ok(()));
    }

    #[test]
    fn notes_11_2_map_0_shows_what_the_ships_of_an_empire_see() {
        let game = setup(Options::default(), 6).unwrap();
        for seat in game.galaxy.seats() {
            let empire = game.galaxy.empire(seat);
            let home = game.galaxy.world(empire.homeworld.unwrap());
            let chart = &game.knowledge[seat.index()].chart;
            let at = empire.frame.local(home.at);
            assert!(chart.worlds.iter().any(|row| row.at == at && row.name == home.name));
            assert!(chart.sectors.len() > 1, "a starbase sees around it");
        }
    }
}
