//! Rule 7: command posts and range.

use heliopause_kernel::Seat;

use crate::state::{Power, SeatView, Table};
use crate::tables::{Place, StarId, Tech};

/// Maximum distance from a command post (rule 7.1).
pub const RANGE: u8 = 8;

/// The command range of a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Hexes of posts or colonies acting as posts (rule 7.7), and whether each gives range (7.4).
    posts: Vec<(Place, bool)>,
    /// The entry hex, if the off-board post beside it counts.
    entry: Option<Place>,
    unlimited: bool,
}

impl Command {
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
        // Besieged posts still count here, although they give no range (BR-51).
        let off_board = posts.is_empty() || table.campaign.off_board_post_always_counts();
        let entry = table.entry(seat).filter(|_| off_board);
        Self { posts, entry, unlimited: power.research.has(Tech::UnlimitedShipRange) }
    }

    /// Returns the distance to the nearest post that gives range, or `u8::MAX` without such a post.
    /// The off-board post is one hex from the entry hex (rule 7.3).
    pub fn distance(&self, at: Place) -> u8 {
        self.nearest(at, |gives_range| gives_range)
    }

    fn nearest(&self, at: Place, counts: impl Fn(bool) -> bool) -> u8 {
        let posts = self
            .posts
            .iter()
            .filter(|(_, gives_range)| counts(*gives_range))
            .map(|(post, _)| post.distance(at));
        let entry = self.entry.iter().map(|entry| entry.distance(at) + 1);
        posts.chain(entry).min().unwrap_or(u8::MAX)
    }

    pub fn reaches(&self, at: Place) -> bool {
        self.unlimited || self.distance(at) <= RANGE
    }

    /// Returns whether range-bound ships survive a step. The step must end within range, or lead
    /// ships that are out of range nearer to a post (rule 7.5).
    pub fn allows(&self, from: Option<Place>, to: Place) -> bool {
        let near = |at| self.nearest(at, |_| true);
        let nearer = |from: Place| !self.reaches(from) && near(to) < near(from);
        self.reaches(to) || from.is_some_and(nearer)
    }
}

fn gives_range(power: &Power, star: StarId) -> bool {
    power.colonies_of(star).any(|colony| colony.is_free() && !colony.is_besieged())
}

impl SeatView<'_> {
    pub(crate) fn command(&self) -> Command {
        Command::of(self.table, self.seat, self.power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Colony, Hold, Options, Post, Variant};
    use crate::tables::{CardId, PlanetId, TechSet};

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
        power.colonies.push(Colony { control: hold, ..Colony::new(planet, world, 5, 0) });
        table.posts.push(Post { seat: Seat::at(0), star });
    }

    #[test]
    fn rule_7_4_a_besieged_post_stays_without_range() {
        let (mut table, mut power) = at_corner("A21", Options::default());
        settle(&mut table, &mut power, "Lalande", Hold::Besieged);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(!Place::all().any(|at| command.reaches(at)));
    }

    #[test]
    fn rule_7_6_unlimited_range() {
        let (table, mut power) = at_corner("A1", Options::default());
        power.research.owned = TechSet::NONE.with(Tech::UnlimitedShipRange);
        assert!(Command::of(&table, Seat::at(0), &power).reaches(place("FF20")));
    }

    #[test]
    fn fr_27_the_off_board_post_always_counts_in_the_fate_of_empire() {
        let options = Options { variant: Variant::FateOfEmpire, ..Options::default() };
        let (mut table, mut power) = at_corner("A1", options);
        settle(&mut table, &mut power, "Lalande", Hold::Free);
        let command = Command::of(&table, Seat::at(0), &power);
        assert!(command.reaches(place("A1")) && command.reaches(place("B18")));
    }
}
