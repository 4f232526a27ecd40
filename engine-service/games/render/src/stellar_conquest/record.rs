//! The record sheet: colonies, planets surveyed, ships, technology, production, victory points.

use heliopause_stellar_conquest::{
    Colony, Hold, Place, PlanetId, PlanetType, Power, ShipKind, Stage, StarId, TURNS, Tech, Watch,
    is_production_turn,
};

use super::atlas::Atlas;
use super::{campaign, palette, politics, words};
use crate::document::{Block, Document, Section, Tone, Words};
use crate::text::count;

/// The record sheet of the viewer's seat; none for those who play no seat.
pub(super) fn document(atlas: &Atlas) -> Option<Document> {
    let (seat, power) = atlas.own()?;
    let sections = [
        campaign::section(atlas, power),
        Section::new("Politics", situation(atlas)),
        Section::new("Colonies", colonies(atlas, power)),
        Section::new("Ships", ships(power)),
        Section::new("Technology", technology(power)),
        Section::new("Production", production(atlas, power)),
        Section::new("Planets surveyed", surveyed(atlas, power)),
        Section::new("Others", others(atlas)),
        Section::new("Standing orders", standing(power)),
        victory(atlas, power),
    ];
    Some(Document {
        title: format!("Record sheet of {}", atlas.name(seat)),
        lead: vec![Words::plain(atlas.news.join(" "))],
        sections: sections.into_iter().flatten().collect(),
    })
}

/// A table, or a sentence if it has no rows.
fn table_or(headings: Vec<&'static str>, rows: Vec<Vec<Words>>, otherwise: &str) -> Vec<Block> {
    if rows.is_empty() {
        vec![Block::Text(Words::plain(otherwise))]
    } else {
        vec![Block::Table(headings, rows)]
    }
}

fn situation(atlas: &Atlas) -> Vec<Block> {
    let sentences: Vec<Words> = politics::sentences(atlas).into_iter().map(Words::plain).collect();
    if sentences.is_empty() { Vec::new() } else { vec![Block::List(sentences)] }
}

fn plain(text: impl Into<String>) -> Words {
    Words::plain(text)
}

fn colonies(atlas: &Atlas, power: &Power) -> Vec<Block> {
    let held = power.prizes.iter().map(|prize| (Some(prize.owner), &prize.colony));
    let all = power.colonies.iter().map(|colony| (None, colony)).chain(held);
    let rows = all.map(|(owner, colony)| {
        let output = if atlas.is_own_output(owner, colony) {
            colony.output(power.research.owned)
        } else {
            0
        };
        let mut people = format!("{}M", colony.population);
        if colony.is_dominion() {
            people = format!("{}M + {}M garrison", colony.subjects, colony.population);
        }
        vec![
            Words::new(words::planet(colony.planet), Tone::Strong),
            plain(world(colony)),
            plain(format!("{people} of {}M", colony.world.capacity)),
            plain(if colony.growth() > 0 { format!("+{}", colony.growth()) } else { "-".into() }),
            plain(output.to_string()),
            plain(colony.factories.to_string()),
            plain(bases(colony)),
            state(atlas, owner.is_some(), colony),
        ]
    });
    let headings =
        vec!["planet", "type", "people", "grows", "i.p.", "factories", "defence", "state"];
    table_or(headings, rows.collect(), "You have none yet: land colony transports on a planet.")
}

fn world(colony: &Colony) -> String {
    let rich = if colony.world.mineral_rich { ", mineral-rich" } else { "" };
    format!("{}{rich}", palette::planet_name(colony.world.kind))
}

fn bases(colony: &Colony) -> String {
    let mut parts = Vec::new();
    for (number, what) in [(colony.bases.missile, "MB"), (colony.bases.advanced, "AMB")] {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    }
    if colony.shield {
        parts.push("shield".into());
    }
    if parts.is_empty() { "-".into() } else { parts.join(", ") }
}

fn state(atlas: &Atlas, is_prize: bool, colony: &Colony) -> Words {
    let mut state = match colony.hold {
        _ if colony.is_dominion() => Words::new("dominion", Tone::Good),
        Hold::Free => Words::new("free", Tone::Good),
        Hold::Besieged => Words::new("besieged", Tone::Bad),
        Hold::Occupied(occupation) if is_prize && occupation.waits => {
            Words::new("held by you; yields from the production turn after the next", Tone::Notice)
        }
        Hold::Occupied(_) if is_prize => Words::new("held by you", Tone::Notice),
        Hold::Occupied(occupation) => {
            Words::new(format!("lost to {}", atlas.name(occupation.by)), Tone::Bad)
        }
    };
    match colony.watch {
        Watch::Never => {}
        Watch::Always => state = state.and(", inspects ships", Tone::Faint),
        Watch::Ask => state = state.and(", asks about ships", Tone::Faint),
    }
    state
}

impl Atlas {
    /// Whether a colony works for the viewer: in The Fate of Empire conquered worlds do not.
    fn is_own_output(&self, owner: Option<heliopause_kernel::Seat>, colony: &Colony) -> bool {
        match owner {
            Some(_) => self.view.table.campaign.fate().is_none(),
            None => colony.is_free(),
        }
    }
}

fn ships(power: &Power) -> Vec<Block> {
    let mut places: Vec<(Option<Place>, Option<StarId>)> = Vec::new();
    for ship in &power.ships {
        if !places.contains(&(ship.at, ship.destination)) {
            places.push((ship.at, ship.destination));
        }
    }
    places.sort_unstable();
    let row = |(at, destination): &(Option<Place>, Option<StarId>)| {
        let here: Vec<_> = power
            .ships
            .iter()
            .filter(|ship| (ship.at, ship.destination) == (*at, *destination))
            .collect();
        let number = |kind: ShipKind| {
            let number = here.iter().filter(|ship| ship.kind() == kind).count();
            plain(if number == 0 { "-".to_owned() } else { number.to_string() })
        };
        let mut markers: Vec<u32> = here
            .iter()
            .filter_map(|ship| ship.marker)
            .map(heliopause_stellar_conquest::Marker::number)
            .collect();
        markers.sort_unstable();
        markers.dedup();
        let markers: Vec<String> = markers.iter().map(|marker| format!("TF {marker}")).collect();
        let numbers: Vec<_> = here.iter().map(|ship| ship.number).collect();
        let mut row = vec![Words::new(
            at.map_or_else(|| "off the board".to_owned(), words::place),
            Tone::Strong,
        )];
        row.extend(ShipKind::ALL.into_iter().map(number));
        row.push(plain(destination.map_or_else(|| "-".to_owned(), |star| star.to_string())));
        row.push(Words::new(
            [vec![words::numbers(&numbers)], markers].concat().join(" "),
            Tone::Faint,
        ));
        row
    };
    let mut rows: Vec<Vec<Words>> = places.iter().map(row).collect();
    if rows.len() > 1 {
        let total = |kind: ShipKind| {
            plain(power.ships.iter().filter(|ship| ship.kind() == kind).count().to_string())
        };
        let mut sum = vec![Words::new("all", Tone::Strong)];
        sum.extend(ShipKind::ALL.into_iter().map(total));
        sum.extend([Words::default(), Words::default()]);
        rows.push(sum);
    }
    table_or(
        vec!["where", "S", "CT", "C", "F", "DS", "bound for", "numbers"],
        rows,
        "You have none.",
    )
}

fn technology(power: &Power) -> Vec<Block> {
    let research = &power.research;
    let owned: Vec<String> = research.owned.iter().map(|tech| tech.to_string()).collect();
    let speed = format!("Ships move {} hexes a turn.", research.owned.speed());
    let owned = if owned.is_empty() {
        "None yet.".to_owned()
    } else {
        format!("Owned: {}.", words::row(&owned))
    };
    let mut blocks = vec![Block::Text(plain(format!("{owned} {speed}")))];
    let open =
        Tech::ALL.into_iter().filter(|tech| !research.has(*tech) && research.owned.opens(*tech));
    let row = |tech: Tech| {
        let paid = research.paid(tech);
        vec![
            plain(tech.to_string()),
            Words::new(tech.title().code, Tone::Faint),
            plain(research.owned.cost(tech).to_string()),
            if paid > 0 { Words::new(paid.to_string(), Tone::Good) } else { plain("-") },
            plain(research.missing(tech).to_string()),
        ]
    };
    let rows: Vec<Vec<Words>> = open.map(row).collect();
    if !rows.is_empty() {
        blocks.push(Block::Table(vec!["open", "in orders", "costs", "paid", "missing"], rows));
    }
    blocks
}

fn production(atlas: &Atlas, power: &Power) -> Vec<Block> {
    let table = &atlas.view.table;
    let next = (table.turn.max(1)..TURNS).find(|turn| is_production_turn(*turn));
    let when = match (table.stage, next) {
        (Stage::Over, _) | (_, None) => "There is no production turn any more.".to_owned(),
        (Stage::Production, _) => "This is a production turn.".to_owned(),
        (_, Some(turn)) => format!("The next production turn comes after turn {turn}."),
    };
    let own: u32 = power
        .colonies
        .iter()
        .filter(|colony| colony.is_free())
        .map(|it| it.output(power.research.owned))
        .sum();
    let mut blocks =
        vec![Block::Text(plain(format!("{when} Your colonies yield {own} i.p. as they are.")))];
    if power.grant > 0 {
        let grant = format!("{} i.p. of the Empire for research wait for it.", power.grant);
        blocks.push(Block::Text(Words::new(grant, Tone::Good)));
    }
    if let Some(lines) = super::notation::stored(&atlas.view) {
        blocks.push(Block::Heading(plain("Handed in")));
        blocks.push(Block::List(lines.into_iter().map(plain).collect()));
    }
    blocks
}

fn surveyed(atlas: &Atlas, power: &Power) -> Vec<Block> {
    let mut rows = Vec::new();
    for star in StarId::ALL {
        let chart = power.chart(star);
        let Some(card) = chart.card else { continue };
        let color = Tone::Colored(
            palette::star_ink(star.colour(), true),
            palette::star_color(star.colour()),
        );
        let name = Words::new(format!("{star} {}", star.at()), color);
        if card.planets().is_empty() {
            rows.push(vec![
                name.clone(),
                plain("no planets"),
                Words::default(),
                Words::default(),
                Words::default(),
            ]);
        }
        for (nth, planet) in card.planets().iter().enumerate() {
            let id = PlanetId { star, nth: u8::try_from(nth).unwrap_or(0) };
            let rich = if planet.mineral_rich { ", mineral-rich" } else { "" };
            rows.push(vec![
                if nth == 0 { name.clone() } else { Words::default() },
                plain(format!("{} {}{rich}", nth + 1, palette::planet_name(planet.kind))),
                plain(format!("{}M", planet.capacity)),
                plain(planet.orbit.to_string()),
                settler(atlas, power, id),
            ]);
        }
    }
    table_or(
        vec!["star", "planet", "room", "orbit", "settled by"],
        rows,
        "None yet: end a move at a star.",
    )
}

/// Who lives on a planet, as far as the viewer knows.
fn settler(atlas: &Atlas, power: &Power, planet: PlanetId) -> Words {
    if let Some(colony) = power.colony(planet) {
        return Words::new(format!("you, {}M", colony.population + colony.subjects), Tone::Good);
    }
    let Some(seen) = power.chart(planet.star).colonies[usize::from(planet.nth)] else {
        return Words::new("nobody known", Tone::Faint);
    };
    let mut text = atlas.name(seen.owner).to_owned();
    if let Some(by) = seen.conqueror {
        text = format!("{text}, held by {}", words::whose(atlas, by));
    }
    text.push_str(&words::found_there(&seen));
    let age = atlas.view.table.turn.saturating_sub(seen.turn);
    Words::new(text, Tone::Notice).and(format!(", {}", words::age(age)), Tone::Faint)
}

fn others(atlas: &Atlas) -> Vec<Block> {
    let mut rows = Vec::new();
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| !atlas.is_own(group.seat)) {
            let what =
                group.fleet.map_or_else(|| plain("unknown"), |fleet| plain(words::fleet(fleet)));
            let age =
                if group.fleet.is_some() { words::age(group.age) } else { "never seen".into() };
            rows.push(vec![
                Words::new(words::place(*at), Tone::Strong),
                plain(atlas.name(group.seat)),
                what,
                Words::new(age, Tone::Faint),
            ]);
        }
    }
    if rows.is_empty() {
        Vec::new()
    } else {
        vec![Block::Table(vec!["ships at", "whose", "what", "seen"], rows)]
    }
}

fn standing(power: &Power) -> Vec<Block> {
    let text = super::standing::sentence(power.standing);
    vec![
        Block::Text(plain(text)),
        Block::Text(Words::new("`standing` at the table changes them.", Tone::Faint)),
    ]
}

/// Base 19.1, as far as the viewer knows; The Fate of Empire has a score of its own.
fn victory(atlas: &Atlas, power: &Power) -> Option<Section> {
    if atlas.view.table.campaign.fate().is_some() {
        return None;
    }
    let points = |kind: PlanetType| match kind {
        PlanetType::Terran => 3,
        PlanetType::SubTerran => 1,
        PlanetType::MinimalTerran | PlanetType::Barren => 0,
    };
    let mut rows = Vec::new();
    let mut sum = 0;
    for star in StarId::ALL {
        let Some(card) = power.chart(star).card else { continue };
        for (nth, planet) in
            card.planets().iter().enumerate().filter(|(_, planet)| points(planet.kind) > 0)
        {
            let id = PlanetId { star, nth: u8::try_from(nth).unwrap_or(0) };
            let Some(why) = control(atlas, power, id) else { continue };
            sum += points(planet.kind);
            rows.push(vec![
                plain(words::planet(id)),
                plain(palette::planet_name(planet.kind)),
                plain(why),
                plain(points(planet.kind).to_string()),
            ]);
        }
    }
    let lead = format!("{} if the game ended now, as far as you know.", count(sum, "point"));
    let mut blocks = vec![Block::Text(Words::new(lead, Tone::Strong))];
    if !rows.is_empty() {
        blocks.push(Block::Table(vec!["planet", "type", "because of", "points"], rows));
    }
    Section::new("Victory points", blocks)
}

/// Why the viewer controls a planet (19.2), as far as they know.
fn control(atlas: &Atlas, power: &Power, planet: PlanetId) -> Option<&'static str> {
    let at = planet.star.at();
    if power.colony(planet).is_some_and(Colony::is_free) {
        return Some("your colony");
    }
    if power.prize(planet).is_some() {
        return Some("your conquest");
    }
    let settled = power.colony(planet).is_some()
        || power.chart(planet.star).colonies[usize::from(planet.nth)].is_some();
    if settled {
        return None;
    }
    let sight = atlas.sights.get(&at);
    if power.ships_at(at).next().is_some() {
        return Some("your ships");
    }
    let enemies =
        sight.is_some_and(|sight| sight.groups.iter().any(|group| !atlas.is_own(group.seat)));
    let neighbour = power.colonies_of(planet.star).next().is_some();
    (neighbour && !enemies).then_some("your colony beside it")
}
