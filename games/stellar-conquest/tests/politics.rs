//! Tests with full games of Alone in Outer Space, in which wars start, end by a rule, and leave
//! valid states.

use std::collections::BTreeMap;

use heliopause_kernel::{Game, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;
use heliopause_samples::quick_play::QuickGame;
use heliopause_stellar_conquest::outer_space::{Happening, Relation};
use heliopause_stellar_conquest::{
    Options, PoliticsEvent, Stage, StarId, StellarConquest, Variant,
};

const GAMES: u8 = 200;

/// Starts a game in which all stars are claimed, so incidents are possible at once.
fn claimed_game(players: usize, seed: u8) -> QuickGame {
    let QuickGame { game, dice, .. } =
        QuickGame::new(Options::of(Variant::OuterSpace), players, seed);
    let mut position = game.write_position();
    let mut claims = Vec::new();
    let secrets = position.secrets.as_mut().unwrap();
    for (nth, star) in StarId::ALL.into_iter().enumerate() {
        let mut cards =
            game.truth().secrets.decks[star.color() as usize].iter().map(|card| card.number());
        let card =
            cards.rfind(|&card| secrets.cards.iter().all(|drawn| drawn.card != card)).unwrap();
        let (star, power) = (star.to_string(), nth % players);
        secrets.cards.push(proto::StarCard { star: star.clone(), card });
        position.powers[power].charts.push(proto::Chart {
            star: star.clone(),
            card,
            ..proto::Chart::default()
        });
        claims.push(proto::Claim { star, seat: power as u32 + 1 });
    }
    secrets.decks.clear();
    let politics = position.table.as_mut().unwrap().politics.as_mut().unwrap();
    let era = [proto::Era::Growth, proto::Era::Tension, proto::Era::Empire][usize::from(seed) % 3];
    (politics.claims, politics.era) = (claims, era.into());
    QuickGame::of(StellarConquest::read_position(&position).unwrap(), dice, seed)
}

#[derive(Default, Debug)]
struct Wars {
    begun: u32,
    treaties: u32,
    conquests: u32,
    open_at_the_end: u32,
    truces: u32,
    falls: u32,
}

impl Wars {
    fn count(&mut self, event: &PoliticsEvent) {
        match event {
            PoliticsEvent::WarBegan(_) => self.begun += 1,
            PoliticsEvent::PeaceMade { .. } => self.treaties += 1,
            PoliticsEvent::WarEnded => self.conquests += 1,
            PoliticsEvent::TruceChanged { truce: true } => self.truces += 1,
            PoliticsEvent::Fell { .. } => self.falls += 1,
            _ => {}
        }
    }
}

fn assert_colonies_on_claimed_stars(game: &StellarConquest) {
    let politics = game.table().campaign.politics().unwrap();
    for power in &game.truth().powers {
        for colony in &power.colonies {
            assert!(politics.claimant(colony.planet.star).is_some(), "{colony:?}");
        }
    }
}

#[test]
fn space_8_5_every_war_ends_by_a_rule() {
    let mut branches: BTreeMap<(Happening, Option<Relation>), u32> = BTreeMap::new();
    let mut wars = Wars::default();
    for seed in 0..GAMES {
        let mut play = claimed_game(if seed % 8 == 0 { 2 } else { 4 }, seed);
        play.politics = Some(Vec::new());
        while play.step() {
            if play.game.table().stage == Stage::Production {
                assert_eq!(
                    play.game.check(),
                    Ok(()),
                    "game {seed}, turn {}",
                    play.game.table().turn
                );
                assert_colonies_on_claimed_stars(&play.game);
            }
        }
        assert!(play.game.outcome().is_some());
        for event in play.politics.iter().flatten() {
            wars.count(event);
            if let PoliticsEvent::Rolled { diplomatic_event: happening, relation, .. } = event {
                *branches.entry((*happening, *relation)).or_default() += 1;
            }
        }
        wars.open_at_the_end +=
            u32::from(play.game.table().campaign.politics().is_some_and(|it| it.war.is_some()));
    }
    println!("{wars:?}");
    for (branch, count) in &branches {
        println!("{branch:?}: {count}");
    }
    assert_eq!(wars.begun, wars.treaties + wars.conquests + wars.open_at_the_end);
    assert!(wars.begun > 0 && wars.treaties > 0, "{wars:?}");
    for happening in
        [Happening::Blunder, Happening::Dispute, Happening::LimitedWar, Happening::TotalWar]
    {
        for relation in [
            Relation::Enemies,
            Relation::Allies,
            Relation::OneAtWar,
            Relation::NeutralToAWar,
            Relation::AtPeace,
        ] {
            assert!(
                branches.contains_key(&(happening, Some(relation))),
                "{happening:?} {relation:?}"
            );
        }
    }
}
