//! Rule 7: command posts, and how far ships may go from them.

use heliopause_kernel::Seat;

use crate::state::power::{Eyes, Power};
use crate::state::table::Table;
use crate::tables::board::Place;
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// How far from a command post ships may be (7.1).
pub const RANGE: u8 = 8;

/// Where a seat's ships get their orders from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Hexes with a post, or with a colony that is one (7.7), and whether it gives range: besieged
    /// ones do not (7.4).
    posts: Vec<(Place, bool)>,
    /// The entry hex, while the post off the board beside it counts.
    entry: Option<Place>,
    /// Whether range is unlimited (7.6).
    unlimited: bool,
}

impl Command {
    /// Where a seat's ships get their orders from. Both the seat itself and the game ask this, of
    /// the same knowledge.
    pub fn of(table: &Table, seat: Seat, power: &Power) -> Self {
        let stars: Vec<StarId> = if table.options.hidden_posts {
            power
                .colonies
                .iter()
                .filter(|colony| colony.is_free())
                .map(|colony| colony.planet.star)
                .collect()
        } else {
            table.posts_of(seat).collect()
        };
        let posts: Vec<(Place, bool)> =
            stars.into_iter().map(|star| (star.at(), gives_range(power, star))).collect();
        // BR-51: besieged posts are posts.
        let off_board = posts.is_empty() || table.campaign.off_board_post_always_counts();
        let entry = table.entry(seat).filter(|_| off_board);
        Self { posts, entry, unlimited: power.research.has(Tech::UnlimitedShipRange) }
    }

    /// How far a hex is from the nearest post that gives range; the post off the board is one hex
    /// beyond the entry hex (7.3).
    pub fn distance(&self, at: Place) -> u8 {
        self.nearest(at, |gives_range| gives_range)
    }

    /// How far a hex is from the nearest of such posts.
    fn nearest(&self, at: Place, counts: impl Fn(bool) -> bool) -> u8 {
        let posts = self
            .posts
            .iter()
            .filter(|(_, gives_range)| counts(*gives_range))
            .map(|(post, _)| post.distance(at));
        let entry = self.entry.iter().map(|entry| entry.distance(at) + 1);
        posts.chain(entry).min().unwrap_or(u8::MAX)
    }

    /// 7.1, 7.6: whether ships may be in a hex.
    pub fn reaches(&self, at: Place) -> bool {
        self.unlimited || self.distance(at) <= RANGE
    }

    /// 7.5: whether ships survive a step: into range, or nearer to a post, besieged or not, if they
    /// are stranded.
    pub fn allows(&self, from: Option<Place>, to: Place) -> bool {
        let near = |at| self.nearest(at, |_| true);
        let nearer = |from: Place| !self.reaches(from) && near(to) < near(from);
        self.reaches(to) || from.is_some_and(nearer)
    }
}

/// 7.2, 7.4: whether a post gives range: in its hex is a free colony that is not besieged. Siege is
/// of a whole hex (14).
fn gives_range(power: &Power, star: StarId) -> bool {
    power.colonies_of(star).any(|colony| colony.is_free() && !colony.is_besieged())
}

impl Eyes<'_> {
    /// Where this seat's ships get their orders from.
    pub(crate) fn command(&self) -> Command {
        Command::of(self.table, self.seat, self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::colony::{Colony, Hold};
    use crate::state::options::{Options, Variant};
    use crate::state::table::Post;
    use crate::tables::cards::{CardId, PlanetId};
    use crate::tables::technology::TechSet;

    fn place(name: &str) -> Place {
        name.parse().unwrap()
    }

    fn at_corner(corner: &str, options: Options) -> (Table, Power) {
        let mut table = Table::new(options, 1);
        table.entries = vec![place(corner)];
        (table, Power::new())
    }

    fn settle(table: &mut Table, power: &mut Power, star: &str, hold: Hold) {
        let star = StarId::named(star);
        let planet = PlanetId { star, nth: 0 };
        let world = *planet.on(CardId::numbered(57).unwrap()).unwrap();
        power.colonies.push(Colony { hold, ..Colony::new(planet, world, 5, 0) });
        table.posts.push(Post { seat: Seat::at(0), star });
    }

    #[test]
    fn bt_04_the_post_off_the_board() {
        let (table, power) = at_corner("A1", Options::default());
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(command.reaches(place("G5")));
        assert!(!command.reaches(place("E7")));
        assert!(!command.allows(None, place("E7")));
    }

    #[test]
    fn bt_05_a_post_on_the_board_replaces_it() {
        let (mut table, mut power) = at_corner("A21", Options::default());
        settle(&mut table, &mut power, "Lalande", Hold::Free);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(Place::all().all(|at| command.reaches(at) == (at.distance(place("B18")) <= 8)));
        assert!(Place::all().any(|at| command.reaches(at) && at.distance(place("A21")) > 7));
    }

    #[test]
    fn rule_7_4_a_besieged_post_stays_and_gives_no_range() {
        let (mut table, mut power) = at_corner("A21", Options::default());
        settle(&mut table, &mut power, "Lalande", Hold::Besieged);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(!Place::all().any(|at| command.reaches(at)));
    }

    #[test]
    fn rule_7_5_a_fleet_goes_to_the_relief_of_a_besieged_post() {
        let (mut table, mut power) = at_corner("A21", Options::default());
        settle(&mut table, &mut power, "Lalande", Hold::Besieged);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(
            command.allows(Some(place("B14")), place("B15"))
                && command.allows(Some(place("B17")), place("B18"))
        );
        assert!(!command.allows(Some(place("B15")), place("B14")));
    }

    #[test]
    fn br_51_with_hidden_posts_a_besieged_colony_is_a_post_that_gives_no_range() {
        let (mut table, mut power) =
            at_corner("A21", Options { hidden_posts: true, ..Options::default() });
        settle(&mut table, &mut power, "Lalande", Hold::Besieged);
        table.posts.clear();
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(!Place::all().any(|at| command.reaches(at)));
        assert!(command.allows(Some(place("B15")), place("B16")));
    }

    #[test]
    fn rule_7_5_stranded_ships_may_come_nearer() {
        let (table, power) = at_corner("A1", Options::default());
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(command.allows(Some(place("A12")), place("A11")));
        assert!(!command.allows(Some(place("A11")), place("A12")));
        assert!(
            !command.allows(Some(place("A11")), place("B10"))
                || command.distance(place("B10")) < 11
        );
    }

    #[test]
    fn rule_7_6_unlimited_range() {
        let (table, mut power) = at_corner("A1", Options::default());
        power.research.owned = TechSet::NONE.with(Tech::UnlimitedShipRange);
        assert!(Command::of(&table, Seat::at(0), &power).reaches(place("FF20")));
    }

    #[test]
    fn rule_7_7_hidden_posts_are_colonies() {
        let (mut table, mut power) =
            at_corner("A21", Options { hidden_posts: true, ..Options::default() });
        settle(&mut table, &mut power, "Lalande", Hold::Free);
        table.posts.clear();
        assert!(Command::of(&table, Seat::at(0), &power).reaches(place("B11")));
    }

    #[test]
    fn fr_27_in_the_fate_of_empire_the_post_off_the_board_always_counts() {
        let options = Options { variant: Variant::FateOfEmpire, ..Options::default() };
        let (mut table, mut power) = at_corner("A1", options);
        settle(&mut table, &mut power, "Lalande", Hold::Free);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(command.reaches(place("A1")) && command.reaches(place("B18")));
    }
}
