//! Rules 7.2, 7.4: setting up and losing command posts.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::{Event, Post, Power, SeatView, TableEvent};
use crate::tables::StarId;

impl Power {
    /// Returns whether the seat has a free colony at a star, besieged or not (rule 7.2).
    pub(crate) fn can_have_post(&self, star: StarId) -> bool {
        self.colonies_of(star).any(crate::state::colony::Colony::is_free)
    }
}

impl SeatView<'_> {
    pub(crate) fn judge_post(&self, star: StarId, up: bool) -> Verdict {
        self.is_on_turn("7.2")?;
        if self.table.options.hidden_posts {
            return refuse!("no-posts");
        }
        let stands = self.table.posts_of(self.seat).any(|post| post == star);
        if up && stands {
            return refuse!("stands-already", star);
        }
        if up && !self.power.can_have_post(star) {
            return refuse!("no-free-colony", star);
        }
        if !up && !stands {
            return refuse!("no-post", star);
        }
        Ok(())
    }
}

pub(crate) fn set_post(referee: &mut Referee<'_>, seat: Seat, star: StarId, up: bool) {
    referee.publish_to_all(Event::Table(TableEvent::PostChanged { post: Post { seat, star }, up }));
}

pub(crate) fn drop_posts(referee: &mut Referee<'_>, seat: Seat) {
    let posts: Vec<StarId> = referee.table().posts_of(seat).collect();
    for star in posts {
        if !referee.power(seat).can_have_post(star) {
            set_post(referee, seat, star, false);
        }
    }
}
