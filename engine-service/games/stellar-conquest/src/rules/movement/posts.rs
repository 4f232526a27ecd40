//! Rule 7.2, 7.4: setting command posts up, and losing them.

use heliopause_kernel::Seat;

use crate::rules::judge::{Verdict, refuse};
use crate::rules::referee::Referee;
use crate::state::event::{Event, TableEvent};
use crate::state::power::{Eyes, Power};
use crate::state::table::Post;
use crate::tables::stars::StarId;

impl Power {
    /// 7.2: whether a post may stand at a star: in its hex is a free colony of the seat, besieged
    /// or not.
    pub(crate) fn may_post(&self, star: StarId) -> bool {
        self.colonies_of(star).any(crate::state::colony::Colony::is_free)
    }
}

impl Eyes<'_> {
    /// 7.2: at any moment of the own player-turn; in a production turn by the sheet.
    pub(crate) fn judge_post(&self, star: StarId, up: bool) -> Verdict {
        self.is_on_turn("7.2")?;
        if self.table.options.hidden_posts {
            return refuse(
                "no-posts",
                "7.7",
                "With hidden posts there are none to set up: your colonies give range.",
            );
        }
        let stands = self.table.posts_of(self.seat).any(|post| post == star);
        if up && stands {
            return refuse("stands-already", "7.2", "A post stands there already.");
        }
        if up && !self.power.may_post(star) {
            return refuse(
                "no-free-colony",
                "7.2",
                "A post needs a free colony of yours in its hex.",
            );
        }
        if !up && !stands {
            return refuse("no-post", "7.2", "You have no post there.");
        }
        Ok(())
    }
}

/// 7.2: sets a post up, or takes it away.
pub(crate) fn set_post(referee: &mut Referee<'_>, seat: Seat, star: StarId, up: bool) {
    referee.announce(Event::Table(TableEvent::PostChanged { post: Post { seat, star }, up }));
}

/// 7.4: removes the posts of a seat that stand where it has no free colony any more.
pub(crate) fn drop_posts(referee: &mut Referee<'_>, seat: Seat) {
    let posts: Vec<StarId> = referee.table().posts_of(seat).collect();
    for star in posts {
        if !referee.power(seat).may_post(star) {
            set_post(referee, seat, star, false);
        }
    }
}
