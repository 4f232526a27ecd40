//! Tests of the article's situations and of interactions between its rules.

mod decrees;
mod incidents;
mod passages;
mod treaties;
mod wars;

use heliopause_kernel::{Emitted, Seat};

use super::tables::Happening;
use crate::rules::campaign::outer_space::diplomacy::happen;
use crate::rules::referee::Referee;
use crate::state::{
    Era, Event, Options, Order, OwnEvent, Politics, PoliticsEvent, Post, ShipNumber, Stage,
    TableEvent, UnitId, Variant, War, WarKind,
};
use crate::tables::{ShipKind, StarId};
use crate::testing::{Scene, aim, place, planet, sail, seat, star};

fn happens(scene: &mut Scene, event: PoliticsEvent) {
    scene.happen(&Event::Politics(event));
}

impl Scene {
    fn space(players: usize) -> Self {
        Self::new(Options::of(Variant::OuterSpace), players)
    }

    fn claims(&mut self, by: Seat, name: &str, card: u32) {
        self.explored(by, name, card);
        happens(self, PoliticsEvent::Claimed { seat: by, star: star(name) });
    }

    fn claim_rest(&mut self, by: Seat) {
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

    fn apply_happening(&mut self, happening: Happening, one: Seat, other: Seat) -> Emitted<Event> {
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
