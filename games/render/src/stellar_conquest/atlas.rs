//! A view of Stellar Conquest by hex, prepared for drawing.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;
use heliopause_stellar_conquest::{
    CardId, Command, Fleet, Insight, Place, PlanetId, Power, Ship, Stage, StarId, TURNS, View,
    is_production_turn,
};

use crate::text::harmless;

#[derive(Clone, Debug)]
pub(super) struct Atlas {
    pub(super) title: String,
    /// Sentences about the state of the game.
    pub(super) news: Vec<String>,
    /// The hexes with any contents besides a star.
    pub(super) hex_contents: BTreeMap<Place, HexContent>,
    /// The names of the seats, indexed by [`Seat::index`].
    pub(super) names: Vec<String>,
    /// The hexes that the viewer's ships can enter without loss. `None` for viewers without ships.
    pub(super) command: Option<Command>,
    pub(super) view: View,
}

#[derive(Clone, Debug, Default)]
pub(super) struct HexContent {
    /// The groups of ships. The viewer's own groups are first.
    pub(super) groups: Vec<Group>,
    pub(super) colonies: Vec<KnownColony>,
    pub(super) posts: Vec<Seat>,
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) seat: Seat,
    pub(super) fleet: Option<Fleet>,
    /// The age of the sighting in turns.
    pub(super) age: u8,
    /// The ships of the group. Visible only to the owner.
    pub(super) ships: Vec<Ship>,
    /// The destinations and the ships bound there. Visible only to the owner.
    pub(super) bound: Vec<(StarId, Fleet)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct KnownColony {
    pub(super) seat: Seat,
    pub(super) planet: Option<PlanetId>,
    pub(super) conqueror: Option<Seat>,
    /// The population in millions, if known.
    pub(super) people: Option<u32>,
    pub(super) besieged: bool,
    pub(super) shield: bool,
}

impl KnownColony {
    /// Returns a colony of which only the owner is known.
    fn of(seat: Seat) -> Self {
        let (planet, conqueror, people) = (None, None, None);
        Self { seat, planet, conqueror, people, besieged: false, shield: false }
    }
}

impl Atlas {
    pub(super) fn new(view: View, game: &Game) -> Self {
        let names = super::names(&view, game);
        let command = match &view.insight {
            Insight::Seat(seat, power) => Some(Command::of(&view.table, *seat, power)),
            Insight::Spectator | Insight::GameMaster(_) => None,
        };
        let mut hex_contents = BTreeMap::new();
        add_groups(&mut hex_contents, &view);
        add_colonies(&mut hex_contents, &view);
        let mut atlas = Self {
            title: harmless(&game.name),
            news: Vec::new(),
            hex_contents,
            names,
            command,
            view,
        };
        atlas.news = atlas.sentences();
        atlas
    }

    pub(super) fn own(&self) -> Option<(Seat, &Power)> {
        match &self.view.insight {
            Insight::Seat(seat, power) => Some((*seat, power)),
            Insight::Spectator | Insight::GameMaster(_) => None,
        }
    }

    pub(super) fn is_own(&self, seat: Seat) -> bool {
        self.own().is_some_and(|(own, _)| own == seat)
    }

    pub(super) fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// Returns whether the viewer has explored a star. For the game master, any power counts.
    pub(super) fn has_explored(&self, star: StarId) -> bool {
        powers(&self.view).iter().any(|(_, power)| power.has_explored(star))
    }

    pub(super) fn card(&self, star: StarId) -> Option<CardId> {
        match &self.view.insight {
            Insight::Seat(_, power) => power.chart(star).card,
            Insight::Spectator => None,
            Insight::GameMaster(truth) => Some(truth.secrets.card(star)),
        }
    }

    /// Returns the turn that the next production turn follows.
    pub(super) fn next_production(&self) -> Option<u8> {
        let table = &self.view.table;
        let next = (table.turn.max(1)..TURNS).find(|turn| is_production_turn(*turn));
        next.filter(|_| table.stage != Stage::Over)
    }

    fn sentences(&self) -> Vec<String> {
        let table = &self.view.table;
        let own = self.own().map(|(seat, _)| seat);
        let turn = match table.stage {
            Stage::Setup => "Setup: every player chooses starting forces.".to_owned(),
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
        let next = self.next_production().filter(|_| table.stage != Stage::Production);
        let next = next.map(|turn| format!(" Next production after turn {turn}."));
        let mut news = vec![turn + &next.unwrap_or_default()];
        if table.campaign.fate().is_some_and(|fate| fate.war) {
            news.push("Full-scale war: no help from the Empire.".into());
        }
        news
    }
}

pub(super) fn powers(view: &View) -> Vec<(Seat, &Power)> {
    match &view.insight {
        Insight::Seat(seat, power) => vec![(*seat, power)],
        Insight::Spectator => Vec::new(),
        Insight::GameMaster(truth) => Seat::first(truth.powers.len()).zip(&truth.powers).collect(),
    }
}

fn add_groups(hex_contents: &mut BTreeMap<Place, HexContent>, view: &View) {
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
            hex_contents.entry(at).or_default().groups.push(group);
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
    let ships = power.ships_at(at).copied().collect();
    Group { seat, fleet: Some(power.fleet_at(at)), age: 0, ships, bound }
}

fn seen_group(seat: Seat, view: &View, at: Place) -> Group {
    let sightings = view.power().map_or(&[][..], |power| &power.sightings);
    let seen =
        sightings.iter().find(|seen| seen.at == at && seen.of == seat && !seen.fleet.is_empty());
    let age = seen.map_or(0, |seen| view.table.turn.saturating_sub(seen.turn));
    Group { seat, fleet: seen.map(|seen| seen.fleet), age, ships: Vec::new(), bound: Vec::new() }
}

fn add_colonies(hex_contents: &mut BTreeMap<Place, HexContent>, view: &View) {
    let mut add = |star: StarId, colony: KnownColony| {
        hex_contents.entry(star.at()).or_default().colonies.push(colony);
    };
    for (seat, power) in powers(view) {
        for colony in &power.colonies {
            let known = KnownColony {
                planet: Some(colony.planet),
                conqueror: colony.conqueror(),
                people: Some(u32::from(colony.population) + u32::from(colony.subjects)),
                besieged: colony.is_besieged(),
                shield: colony.shield,
                ..KnownColony::of(seat)
            };
            add(colony.planet.star, known);
        }
    }
    let prizes = view.power().map_or(&[][..], |own| &own.conquered_colonies);
    for prize in prizes {
        let known = KnownColony {
            planet: Some(prize.colony.planet),
            conqueror: prize.colony.conqueror(),
            people: Some(u32::from(prize.colony.population)),
            shield: prize.colony.shield,
            ..KnownColony::of(prize.owner)
        };
        add(prize.colony.planet.star, known);
    }
    for (own, star) in view.power().into_iter().flat_map(|own| StarId::ALL.map(|star| (own, star)))
    {
        for (seen, nth) in own.chart(star).colonies.iter().zip(0..) {
            let planet = PlanetId { star, nth };
            let is_prize = prizes.iter().any(|prize| prize.colony.planet == planet);
            if let Some(seen) = seen.filter(|_| !is_prize) {
                let (conqueror, shield) = (seen.conqueror, seen.shield);
                let planet = Some(planet);
                add(star, KnownColony { planet, conqueror, shield, ..KnownColony::of(seen.owner) });
            }
        }
    }
    for post in &view.table.posts {
        hex_contents.entry(post.star.at()).or_default().posts.push(post.seat);
    }
    for shown in view.table.posts.iter().chain(&view.table.shown) {
        let content = hex_contents.entry(shown.star.at()).or_default();
        if !content.colonies.iter().any(|colony| colony.seat == shown.seat) {
            content.colonies.push(KnownColony::of(shown.seat));
        }
    }
}
