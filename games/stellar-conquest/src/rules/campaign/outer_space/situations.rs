//! Tests of politics that no scenario file can express (chapters 8 to 10).

use heliopause_kernel::{Seat, SeatSet};

use super::tables::Happening;
use crate::rules::campaign::outer_space::diplomacy::{happen, space_diplomacy};
use crate::rules::campaign::outer_space::peace::conqueror_of;
use crate::rules::referee::Referee;
use crate::state::{
    Colony, Era, Event, Hold, Incident, Occupation, Options, Order, OwnEvent, Politics,
    PoliticsEvent, Quarrel, Relation, Stage, Variant, War, WarKind,
};
use crate::tables::ShipKind;
use crate::testing::{Scene, place, seat, star};

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

    fn politics(&self) -> &Politics {
        self.game.table().campaign.politics().expect("it is Alone in Outer Space")
    }

    fn war(&mut self, one: Seat, other: Seat, kind: WarKind) {
        let powers = self.game.table().players;
        happens(self, PoliticsEvent::WarBegan(War::between(one, other, kind, powers)));
    }

    fn apply_happening(&mut self, happening: Happening, one: Seat, other: Seat) {
        happen(&mut self.referee(), happening, one, other);
    }

    fn referee(&mut self) -> Referee<'_> {
        Referee::new(&mut self.game, &mut self.dice)
    }
}

fn war(dice: &[u32]) -> Scene {
    let mut scene = Scene::space(4).script(dice.iter().copied());
    scene.war(seat(1), seat(2), WarKind::Limited);
    scene
}

#[test]
fn space_8_1_8_5_9_1_9_2_politics_decide_who_can_be_attacked() {
    let mut scene = Scene::space(4);
    for (nth, name) in [(1, "Alcor"), (2, "Sadir"), (3, "Lupi"), (4, "Mira")] {
        scene.claims(seat(nth), name, [25, 12, 51, 58][nth as usize - 1]);
        scene.ships(seat(nth), "L18", &[(ShipKind::Corvette, 1)]);
    }
    scene.turn(2, seat(1));
    scene.game.table.stage = Stage::Combat;
    let fights = |scene: &mut Scene| scene.refused(seat(1), Order::Fight { at: place("L18") });
    assert_eq!(fights(&mut scene), "neutral-power");
    let quarrel =
        |quarrel| PoliticsEvent::IncidentBegan(Incident { pair: [seat(1), seat(2)], quarrel });
    let over = PoliticsEvent::IncidentEnded { pair: [seat(1), seat(2)] };
    happens(&mut scene, quarrel(Quarrel::Clash { tension: 0 }));
    assert_eq!(fights(&mut scene), "raids-only");
    happens(&mut scene, over.clone());
    happens(&mut scene, quarrel(Quarrel::Dispute { star: star("Sadir") }));
    assert_eq!(fights(&mut scene), "not-disputed");
    happens(&mut scene, over);
    // Alcor borders Sadir, but borders no star of seat 3.
    scene.war(seat(1), seat(3), WarKind::Limited);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(2), against: seat(3) });
    assert_eq!(fights(&mut scene), "ally");
}

#[test]
fn space_8_4_failure_resumes_a_war_in_truce() {
    let mut scene = war(&[1, 1, 1, 1, 1, 2]);
    happens(&mut scene, PoliticsEvent::Escalated);
    happens(&mut scene, PoliticsEvent::TruceChanged { truce: true });
    happens(&mut scene, PoliticsEvent::EraBegan { era: Era::Growth });
    // In a truce, talks replace the event. A roll of 2 + 2 fails.
    space_diplomacy(&mut scene.referee());
    assert!(scene.politics().war.as_ref().is_some_and(|war| !war.truce));
}

#[test]
fn space_8_2_a_blunder_of_allies_makes_one_of_them_neutral() {
    let mut scene = war(&[2]);
    happens(&mut scene, PoliticsEvent::Joined { seat: seat(3), against: seat(2) });
    scene.apply_happening(Happening::Blunder, seat(1), seat(3));
    let sides = scene.politics().war.as_ref().unwrap().sides;
    assert_eq!(sides, [1, 2].map(|number| SeatSet::one(seat(number))));
}

#[test]
fn space_8_2_neutrals_clash_dispute_or_go_to_war() {
    for happening in
        [Happening::Blunder, Happening::Dispute, Happening::LimitedWar, Happening::TotalWar]
    {
        let mut scene = Scene::space(4).script([1]);
        scene.claims(seat(1), "Alcor", 25);
        scene.claims(seat(2), "Sadir", 12);
        assert_eq!(scene.politics().relation(seat(1), seat(2)), Relation::AtPeace);
        scene.apply_happening(happening, seat(1), seat(2));
        let politics = scene.politics();
        let incident = politics.incidents.first().copied();
        let of = |quarrel| Some(Incident { pair: [seat(1), seat(2)], quarrel });
        match happening {
            Happening::Blunder => assert_eq!(incident, of(Quarrel::Clash { tension: 0 })),
            Happening::Dispute => {
                assert_eq!(incident, of(Quarrel::Dispute { star: star("Sadir") }));
            }
            _ => assert!(incident.is_none() && politics.war.is_some()),
        }
        scene.apply_happening(Happening::Blunder, seat(2), seat(1));
        assert!(scene.politics().incidents.len() <= 1);
    }
    // Without a common border, a dispute becomes a clash.
    let mut scene = Scene::space(4);
    scene.apply_happening(Happening::Dispute, seat(1), seat(2));
    assert!(matches!(scene.politics().incidents[0].quarrel, Quarrel::Clash { .. }));
}

#[test]
fn space_9_an_incident_ends_with_a_war_of_the_two() {
    let mut scene = Scene::space(4);
    scene.apply_happening(Happening::Blunder, seat(1), seat(2));
    scene.apply_happening(Happening::LimitedWar, seat(1), seat(2));
    assert!(scene.politics().incidents.is_empty());
}

#[test]
fn space_10_1_a_star_with_an_unconquered_colony_or_ships_is_not_conquered() {
    let mut scene = Scene::space(2);
    scene.claims(seat(1), "Alcor", 25);
    scene.claims(seat(2), "Sadir", 15);
    scene.ships(seat(1), "O16", &[(ShipKind::Corvette, 1)]);
    let card = scene.game.truth.secrets.card(star("Sadir"));
    scene.happen(&Event::Own(OwnEvent::Explored { seat: seat(1), star: star("Sadir"), card }));
    scene.war(seat(1), seat(2), WarKind::Total);
    let held = |colony: Colony| Colony {
        control: Hold::Occupied(Occupation { by: seat(1), waits: false }),
        ..colony
    };
    let by = |scene: &mut Scene| {
        let [one, other] = [1, 2].map(|number| SeatSet::one(seat(number)));
        conqueror_of(&scene.referee(), star("Sadir"), one, other)
    };
    assert_eq!(by(&mut scene), Some(seat(1)));
    scene.colony(seat(2), "Sadir", 1, |colony| colony);
    assert_eq!(by(&mut scene), None);
    scene.colony(seat(2), "Sadir", 1, held);
    assert_eq!(by(&mut scene), Some(seat(1)));
    scene.ships(seat(2), "O16", &[(ShipKind::Transport, 1)]);
    assert_eq!(by(&mut scene), None);
}
