//! The situations of the article's page, and the rules between them, played out.

mod decrees;
mod incidents;
mod passages;
mod treaties;
mod wars;

use heliopause_kernel::{Emitted, Seat};

use super::tables::Happening;
use crate::rules::campaign::outer_space::diplomacy::happen;
use crate::rules::referee::Referee;
use crate::state::battle::{Shot, UnitId};
use crate::state::campaign::politics::{Era, Politics};
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::campaign::war::{War, WarKind};
use crate::state::event::{Event, OwnEvent, TableEvent};
use crate::state::options::{Options, Variant};
use crate::state::order::{Order, Voyage};
use crate::state::ship::ShipNumber;
use crate::state::table::{Post, Stage};
use crate::tables::cards::PlanetId;
use crate::tables::ships::ShipKind;
use crate::tables::stars::StarId;
use crate::testing::{Scene, place, seat, star};

fn planet(name: &str, nth: u8) -> PlanetId {
    PlanetId { star: star(name), nth }
}

fn happens(scene: &mut Scene, event: PoliticsEvent) {
    scene.happen(&Event::Politics(event));
}

fn aim(shots: &[(u16, u16)]) -> Order {
    Order::Aim {
        shots: shots.iter().map(|&(by, at)| Shot { by: UnitId(by), at: UnitId(at) }).collect(),
    }
}

/// A movement along these hexes, bound for a star.
fn sail(ships: &[ShipNumber], path: &[&str], bound: &str) -> Order {
    Order::Move(Voyage {
        ships: ships.to_vec(),
        path: path.iter().map(|name| place(name)).collect(),
        destination: Some(star(bound)),
        avoiding: Vec::new(),
        round_clouds: false,
        accept_loss: false,
    })
}

impl Scene {
    /// Alone in Outer Space: turn 1, seat 1 moves, nothing is claimed.
    fn space(players: usize) -> Self {
        Self::new(Options::of(Variant::OuterSpace), players)
    }

    /// A seat has explored and claimed a star with this card.
    fn claims(&mut self, by: Seat, name: &str, card: u32) {
        self.explored(by, name, card);
        happens(self, PoliticsEvent::Claimed { seat: by, star: star(name) });
    }

    /// Whatever is not claimed yet is one seat's; growth begins.
    fn rest_is_claimed(&mut self, by: Seat) {
        let open: Vec<StarId> = StarId::ALL
            .into_iter()
            .filter(|&star| self.politics().claimant(star).is_none())
            .collect();
        for star in open {
            let card = self.game.truth.secrets.card(star);
            self.happen(&Event::Own(OwnEvent::Explored { seat: by, star, card }));
            happens(self, PoliticsEvent::Claimed { seat: by, star });
        }
        happens(self, PoliticsEvent::EraBegan { era: Era::Growth });
    }

    fn politics(&self) -> &Politics {
        self.game.table().campaign.politics().expect("it is Alone in Outer Space")
    }

    fn war(&mut self, one: Seat, other: Seat, kind: WarKind) {
        let powers = self.game.table().players;
        happens(self, PoliticsEvent::WarBegan(War::between(one, other, kind, powers)));
    }

    /// Lets an event of diplomacy happen to two powers.
    fn befalls(&mut self, happening: Happening, one: Seat, other: Seat) -> Emitted<Event> {
        let mut referee = Referee::new(&mut self.game, &mut self.dice);
        happen(&mut referee, happening, one, other);
        referee.told
    }

    fn referee(&mut self) -> Referee<'_> {
        Referee::new(&mut self.game, &mut self.dice)
    }

    fn has_post(&mut self, of: Seat, name: &str) {
        self.happen(&Event::Table(TableEvent::PostChanged {
            post: Post { seat: of, star: star(name) },
            up: true,
        }));
    }
}
