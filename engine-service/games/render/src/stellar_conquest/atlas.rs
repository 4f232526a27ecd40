//! What a view shows, sorted by hex.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::{
    CardId, Command, Fleet, Insight, Place, PlanetId, Power, Ship, ShipNumber, Stage, StarId,
    TURNS, View, is_production_turn,
};

use crate::text::harmless;

/// What a view shows.
#[derive(Clone, Debug)]
pub(super) struct Atlas {
    /// The game's name.
    pub(super) title: String,
    /// Where it stands, and what everybody should know now, as sentences.
    pub(super) news: Vec<String>,
    /// What there is in each hex that holds anything but a star.
    pub(super) sights: BTreeMap<Place, Sight>,
    /// What the seats are called, by [`Seat::index`].
    pub(super) names: Vec<String>,
    /// Where the viewer's ships may go without loss; none for those without ships.
    pub(super) command: Option<Command>,
    /// The view itself.
    pub(super) view: View,
}

/// What there is in a hex.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Ships, the viewer's own first.
    pub(super) groups: Vec<Group>,
    pub(super) colonies: Vec<Settled>,
    /// Command posts.
    pub(super) posts: Vec<Seat>,
}

/// Ships of one seat in a hex.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) seat: Seat,
    /// What they are, as far as the viewer knows.
    pub(super) fleet: Option<Fleet>,
    /// How many turns ago that was seen.
    pub(super) age: u8,
    /// Their numbers; only the owner knows.
    pub(super) numbers: Vec<ShipNumber>,
    /// Where they are bound for, with how many of them; only the owner knows.
    pub(super) bound: Vec<(StarId, Fleet)>,
}

/// A colony in a hex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) seat: Seat,
    /// On which planet, if the viewer knows.
    pub(super) planet: Option<PlanetId>,
    /// Who holds it by conquest.
    pub(super) conqueror: Option<Seat>,
    /// How many millions live there, if the viewer knows.
    pub(super) people: Option<u32>,
    /// Whether it is under siege.
    pub(super) besieged: bool,
    /// Whether it is known to be shielded.
    pub(super) shield: bool,
}

impl Atlas {
    pub(super) fn new(view: View, game: &Game) -> Self {
        let names = super::names(&view, game);
        let command = match &view.insight {
            Insight::Seat(seat, power) => Some(Command::of(&view.table, *seat, power)),
            Insight::Spectator | Insight::GameMaster(_) => None,
        };
        let mut sights = BTreeMap::new();
        add_groups(&mut sights, &view);
        add_colonies(&mut sights, &view);
        let mut atlas =
            Self { title: harmless(&game.name), news: Vec::new(), sights, names, command, view };
        atlas.news = atlas.sentences();
        atlas
    }

    /// The viewer's seat and what it has.
    pub(super) fn own(&self) -> Option<(Seat, &Power)> {
        match &self.view.insight {
            Insight::Seat(seat, power) => Some((*seat, power)),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    /// Whether a seat is the viewer's.
    pub(super) fn is_own(&self, seat: Seat) -> bool {
        self.own().is_some_and(|(own, _)| own == seat)
    }

    /// What a seat is called.
    pub(super) fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// Whether the viewer has explored a star; who has no seat knows of none, or of all that
    /// anybody explored.
    pub(super) fn has_explored(&self, star: StarId) -> bool {
        powers(&self.view).iter().any(|(_, power)| power.has_explored(star))
    }

    /// The card of a star, if the viewer knows it: the game master knows all.
    pub(super) fn card(&self, star: StarId) -> Option<CardId> {
        match &self.view.insight {
            Insight::Seat(_, power) => power.chart(star).card,
            Insight::Spectator => None,
            Insight::GameMaster(truth) => Some(truth.secrets.card(star)),
        }
    }

    /// The viewer's ships that wait off the board.
    pub(super) fn waiting(&self) -> Fleet {
        self.own().map_or(Fleet::NONE, |(_, power)| {
            power.ships.iter().filter(|ship| ship.at.is_none()).map(Ship::kind).collect()
        })
    }

    /// Their numbers.
    pub(super) fn numbers_waiting(&self) -> impl Iterator<Item = ShipNumber> {
        let ships = self.own().into_iter().flat_map(|(_, power)| &power.ships);
        ships.filter(|ship| ship.at.is_none()).map(|ship| ship.number)
    }

    fn sentences(&self) -> Vec<String> {
        let table = &self.view.table;
        let own = self.own().map(|(seat, _)| seat);
        let turn = match table.stage {
            Stage::Setup => "Setup: everybody chooses what to begin with.".to_owned(),
            Stage::Production => format!("Production turn after turn {} of {TURNS}.", table.turn),
            Stage::Over => format!("The game is over after turn {}.", table.turn),
            _ if own == Some(table.active) => format!("Turn {} of {TURNS}, your turn.", table.turn),
            Stage::Campaign(_)
            | Stage::Movement
            | Stage::Combat
            | Stage::Battle
            | Stage::Planets => {
                format!("Turn {} of {TURNS}, turn of {}.", table.turn, self.name(table.active))
            }
        };
        let mut news = vec![turn];
        if !matches!(table.stage, Stage::Production | Stage::Over) {
            let next = (table.turn.max(1)..TURNS).find(|turn| is_production_turn(*turn));
            news.extend(next.map(|turn| format!("Next production after turn {turn}.")));
        }
        if let Some(fate) = table.campaign.fate() {
            if fate.war {
                news.push("Full-scale war: no help from the Empire.".into());
            }
            if fate.debt > 0 {
                news.push(format!(
                    "The Empire still demands {} ship points.",
                    super::words::halves(fate.debt)
                ));
            }
            if let Some((_, power)) = self.own().filter(|(seat, _)| seat.index() == 0) {
                news.push(format!("{} victory points so far.", fate.score(power).total()));
            }
        }
        news
    }
}

/// Everybody of whom the viewer knows all.
pub(super) fn powers(view: &View) -> Vec<(Seat, &Power)> {
    match &view.insight {
        Insight::Seat(seat, power) => vec![(*seat, power)],
        Insight::Spectator => Vec::new(),
        Insight::GameMaster(truth) => Seat::first(truth.powers.len()).zip(&truth.powers).collect(),
    }
}

fn add_groups(sights: &mut BTreeMap<Place, Sight>, view: &View) {
    let known = powers(view);
    let first = known.first().map(|(seat, _)| *seat).filter(|_| known.len() == 1);
    let seats = Seat::first(view.table.seats());
    let mut in_order: Vec<Seat> = seats.collect();
    in_order.sort_by_key(|seat| Some(*seat) != first);
    for seat in in_order {
        let own = known.iter().find(|(other, _)| *other == seat).map(|(_, power)| *power);
        for (at, _) in view.table.groups[seat.index()].iter() {
            let group = match own {
                Some(power) => own_group(seat, power, at),
                None => seen_group(seat, view, at),
            };
            sights.entry(at).or_default().groups.push(group);
        }
    }
}

fn own_group(seat: Seat, power: &Power, at: Place) -> Group {
    let mut bound: Vec<(StarId, Fleet)> = Vec::new();
    for ship in power.ships_at(at) {
        let Some(star) = ship.destination else { continue };
        match bound.iter_mut().find(|(other, _)| *other == star) {
            Some((_, fleet)) => fleet.add(ship.kind(), 1),
            None => bound.push((star, [ship.kind()].into_iter().collect())),
        }
    }
    let numbers = power.ships_at(at).map(|ship| ship.number).collect();
    Group { seat, fleet: Some(power.fleet_at(at)), age: 0, numbers, bound }
}

fn seen_group(seat: Seat, view: &View, at: Place) -> Group {
    let sightings = view.power().map_or(&[][..], |power| &power.sightings);
    let seen =
        sightings.iter().find(|seen| seen.at == at && seen.of == seat && !seen.fleet.is_empty());
    let age = seen.map_or(0, |seen| view.table.turn.saturating_sub(seen.turn));
    Group { seat, fleet: seen.map(|seen| seen.fleet), age, numbers: Vec::new(), bound: Vec::new() }
}

fn add_colonies(sights: &mut BTreeMap<Place, Sight>, view: &View) {
    for (seat, power) in powers(view) {
        for colony in &power.colonies {
            sights.entry(colony.planet.star.at()).or_default().colonies.push(Settled {
                seat,
                planet: Some(colony.planet),
                conqueror: colony.conqueror(),
                people: Some(u32::from(colony.population) + u32::from(colony.subjects)),
                besieged: colony.is_besieged(),
                shield: colony.shield,
            });
        }
    }
    let Some(own) = view.power() else { return add_public(sights, view) };
    for prize in &own.prizes {
        sights.entry(prize.colony.planet.star.at()).or_default().colonies.push(Settled {
            seat: prize.owner,
            planet: Some(prize.colony.planet),
            conqueror: prize.colony.conqueror(),
            people: Some(u32::from(prize.colony.population)),
            besieged: false,
            shield: prize.colony.shield,
        });
    }
    for star in StarId::ALL {
        for (nth, seen) in own.chart(star).colonies.iter().enumerate() {
            let is_prize = own.prizes.iter().any(|prize| {
                prize.colony.planet.star == star && usize::from(prize.colony.planet.nth) == nth
            });
            let Some(seen) = seen.filter(|_| !is_prize) else { continue };
            sights.entry(star.at()).or_default().colonies.push(Settled {
                seat: seen.owner,
                planet: Some(PlanetId { star, nth: nth as u8 }),
                conqueror: seen.conqueror,
                people: None,
                besieged: false,
                shield: seen.shield,
            });
        }
    }
    add_public(sights, view);
}

/// Posts, and colonies that everybody knows of.
fn add_public(sights: &mut BTreeMap<Place, Sight>, view: &View) {
    for post in &view.table.posts {
        sights.entry(post.star.at()).or_default().posts.push(post.seat);
    }
    for shown in view.table.posts.iter().chain(&view.table.shown) {
        let sight = sights.entry(shown.star.at()).or_default();
        if !sight.colonies.iter().any(|colony| colony.seat == shown.seat) {
            sight.colonies.push(Settled {
                seat: shown.seat,
                planet: None,
                conqueror: None,
                people: None,
                besieged: false,
                shield: false,
            });
        }
    }
}
