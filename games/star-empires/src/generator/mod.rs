//! 2.0, notes 11.2: generates a galaxy for a number of empires from the options and the dice.
//!
//! The dice are rolled once for all objects, and for the frame and serial number key of each
//! empire. A few rolls are therefore enough to verify a galaxy of any size.

mod chance;
mod names;
mod portals_and_clouds;
mod worlds;

use heliopause_kernel::{Dice, Seat};

pub(crate) use self::names::Names;

use self::chance::Rng;
use crate::class::{STARBASE, stock};
use crate::empire::{Empire, Serials};
use crate::galaxy::Galaxy;
use crate::geometry::{Frame, Sector};
use crate::ids::{Id, WorldId};
use crate::name::Name;
use crate::options::{EmpireNames, Generator, Options};
use crate::ship::Ship;

struct GalaxyBuilder {
    options: Generator,
    radius: u16,
    chance: Rng,
    galaxy: Galaxy,
    homes: Vec<Sector>,
    names: Names,
}

/// Generates a galaxy. The options must be valid for this number of empires.
pub(crate) fn generate(options: &Options, empires: usize, dice: &mut Dice) -> Galaxy {
    let generator = options.generator;
    let radius = generator.radius_for(empires);
    let mut chance = Rng::draw(dice);
    let taken = options.names.iter().flat_map(|own| [own.empire, own.homeworld]);
    let names = Names::shuffled(&mut chance, taken);
    let galaxy = Galaxy { classes: stock().to_vec(), ..Galaxy::default() };
    let homes = homes(radius, empires);
    let mut site = GalaxyBuilder { options: generator, radius, chance, galaxy, homes, names };
    for seat in Seat::first(empires) {
        let names = options.names.get(seat.index()).copied().unwrap_or_default();
        site.add_empire(seat, names, options.local_frames, dice);
    }
    site.add_nearby_worlds();
    site.add_other_worlds();
    site.add_wormnets();
    site.add_clouds();
    let mut galaxy = site.galaxy;
    galaxy.compact_ships();
    galaxy
}

/// Step 1: places the homeworlds evenly on the rim.
fn homes(radius: u16, empires: usize) -> Vec<Sector> {
    let step = usize::from(radius) * 6 / empires;
    let home = |empire: usize| Sector::CENTER.on_ring(radius, (empire * step) as u32);
    (0..empires).filter_map(home).collect()
}

impl GalaxyBuilder {
    /// Step 2: adds an empire, its homeworld with a stockpile, and its starbase (notes 11.3).
    fn add_empire(&mut self, seat: Seat, chosen: EmpireNames, local_frames: bool, dice: &mut Dice) {
        let home = self.homes[seat.index()];
        let or = |name: Name, other: &mut dyn FnMut() -> Name| {
            if name.is_none() { other() } else { name }
        };
        let name = or(chosen.empire, &mut || self.names.empire());
        let world = or(chosen.homeworld, &mut || self.names.world());
        let number = u64::from(seat.number());
        let frame = if local_frames { Frame::draw(home, number, dice) } else { Frame::GALACTIC };
        let empire = Empire::new(name, &self.galaxy.empires, Serials::draw(seat, dice));
        let (homeworld, last_homeworld) = (WorldId::at(self.galaxy.worlds.len()), Some(home));
        let empire = Empire { frame, homeworld: Some(homeworld), last_homeworld, ..empire };
        self.galaxy.empires.push(empire);
        let production = self.options.homeworld_production;
        self.add_world(world, home, production, Some(seat));
        let serial = self.galaxy.deal_serial(seat, |_| false);
        let dp = self.galaxy.class(STARBASE).ratings.dp;
        self.galaxy.ships.push(Ship::new(seat, serial, chosen.starbase, STARBASE, dp, home));
    }

    fn distance_to_home(&self, at: Sector) -> u32 {
        self.homes.iter().map(|home| home.distance(at)).min().unwrap_or(u32::MAX)
    }

    fn disc(&self) -> impl Iterator<Item = Sector> + use<> {
        Sector::CENTER.within(self.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::STOCK;
    use crate::objects::Pattern;

    fn galaxy(empires: usize, seed: u8, change: impl Fn(&mut Options)) -> Galaxy {
        let mut options = Options::default();
        change(&mut options);
        generate(&options, empires, &mut Dice::new([seed; 32]))
    }

    #[test]
    fn homeworlds_lie_on_the_rim_in_registration_order() {
        let at = |o, y| Sector::new(o, y);
        assert_eq!(homes(10, 2), [at(0, 10), at(0, -10)]);
        assert_eq!(homes(10, 3), [at(0, 10), at(10, 0), at(-10, -10)]);
        assert_eq!(homes(10, 4), [at(0, 10), at(10, 5), at(0, -10), at(-10, -5)]);
        assert_eq!(
            homes(10, 6),
            [at(0, 10), at(10, 10), at(10, 0), at(0, -10), at(-10, -10), at(-10, 0)]
        );
    }

    #[test]
    fn empires_start_with_equal_resources() {
        for empires in [2, 3, 12, 60] {
            let galaxy = galaxy(empires, 1, |_| ());
            assert_eq!(galaxy.empires.len(), empires);
            for seat in galaxy.seats() {
                let empire = galaxy.empire(seat);
                let home = galaxy.world(empire.homeworld.unwrap());
                assert_eq!((home.production, home.stockpile, home.owner), (12, 12, Some(seat)));
                let [starbase] = galaxy.ships_of(seat) else { panic!("{seat} has one ship") };
                assert_eq!(
                    (starbase.at, starbase.class, starbase.dp, starbase.public),
                    (home.at, STARBASE, 200, false)
                );
                assert_eq!(
                    empire.frame.local(home.at).distance(crate::geometry::Coord::new(0, 0)),
                    0
                );
                assert_eq!(empire.classes.len(), STOCK);
            }
        }
    }

    /// Prints the distribution for tuning the options: `cargo test spread -- --nocapture`.
    #[test]
    fn nearby_production_has_a_fair_spread() {
        for empires in [2, 6, 12, 30, 60] {
            let galaxy = galaxy(empires, 9, |_| ());
            let around = |radius: u32| {
                let sum = |seat: Seat| {
                    let home = galaxy.world(galaxy.empire(seat).homeworld.unwrap()).at;
                    let near =
                        galaxy.worlds.iter().filter(|world| world.at.distance(home) <= radius);
                    near.map(|world| world.production).sum::<u32>()
                };
                let sums: Vec<u32> = galaxy.seats().map(sum).collect();
                (*sums.iter().min().unwrap(), *sums.iter().max().unwrap())
            };
            let spread: Vec<_> =
                [2, 4, 6, 8].into_iter().map(|radius| (radius, around(radius))).collect();
            println!("{empires} empires, production within a radius, least and most: {spread:?}");
            assert_eq!(around(2), (22, 22), "what is nearby is alike for all");
        }
    }

    #[test]
    fn the_same_dice_give_the_same_galaxy() {
        assert_eq!(galaxy(6, 3, |_| ()), galaxy(6, 3, |_| ()));
        assert_ne!(galaxy(6, 3, |_| ()), galaxy(6, 4, |_| ()));
    }

    #[test]
    fn worlds_portals_and_clouds_respect_their_limits() {
        for seed in 0..20 {
            let galaxy = galaxy(6, seed, |options| options.generator.wormnets = 8);
            let homes: Vec<Sector> = galaxy.worlds[..6].iter().map(|world| world.at).collect();
            let near = |at: Sector| homes.iter().map(|home| home.distance(at)).min().unwrap();
            let others = galaxy.worlds.iter().filter(|world| near(world.at) > 2);
            assert!(
                others
                    .clone()
                    .all(|world| (1..=9).contains(&world.production) && world.owner.is_none())
            );
            assert!((8..80).contains(&others.count()));
            for portal in &galaxy.portals {
                assert!(near(portal.at) >= 3 && galaxy.world_at(portal.at).is_none());
                let ends = portal.exits.iter().map(|&exit| galaxy.portal(exit));
                assert!(ends.clone().all(|other| other.at.distance(portal.at) >= 8));
            }
            for storm in &galaxy.storms {
                assert!(near(storm.at) >= 2 && storm.rating <= 10);
                assert!(
                    storm.rating > 0 || storm.pattern == Pattern::Constant,
                    "a nebula does not fluctuate"
                );
            }
            let mut sectors: Vec<Sector> = galaxy.worlds.iter().map(|world| world.at).collect();
            sectors.sort_unstable();
            assert!(sectors.windows(2).all(|pair| pair[0] != pair[1]), "one world a sector");
        }
    }

    #[test]
    fn r46_one_way_portals_occur_in_wormnets_of_three_or_more() {
        let all = |options: &mut Options| {
            options.generator.one_way_percent = 100;
            options.generator.wormnet_portals_max = 6;
        };
        let (mut entrances, mut exits) = (0, 0);
        for seed in 0..30 {
            let galaxy = galaxy(3, seed, all);
            for (index, portal) in galaxy.portals.iter().enumerate() {
                let id = crate::ids::PortalId::at(index);
                let reached = galaxy.portals.iter().any(|other| other.exits.contains(&id));
                entrances += u32::from(!reached);
                exits += u32::from(portal.exits.is_empty());
                assert!(reached || !portal.exits.is_empty(), "every portal is connected");
            }
        }
        assert!(entrances > 5 && exits > 5, "{entrances} entrances, {exits} exits");
    }

    #[test]
    fn names_are_unique_and_chosen_names_are_kept() {
        let kratos = Name::new("Kratos").unwrap();
        let galaxy = galaxy(12, 2, |options| {
            options.generator.radius = Some(40);
            options.names =
                vec![EmpireNames { empire: kratos, homeworld: kratos, starbase: kratos }];
        });
        assert_eq!((galaxy.empires[0].name, galaxy.worlds[0].name), (kratos, kratos));
        assert_eq!(galaxy.ships_of(Seat::at(0))[0].name, kratos);
        let mut names: Vec<Name> = galaxy.objects().map(|(name, _)| name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
