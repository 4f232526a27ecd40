//! What a view of Starships at Large shows, sorted by hex and by player.

use std::collections::BTreeMap;

use heliopause_proto::starships_at_large::v1::{
    DeathStarState, Hex, HiddenRoll, Marker, Player, Position, RollPurpose, Status, View, piece, stage, viewer_kind,
};
use heliopause_proto::v1::Game;

use super::letter;
use crate::text::{count, harmless};
use crate::wording;

/// How far the board reaches from Earth.
pub(super) const RADIUS: i32 = 3;

/// A hex by its axial coordinates.
pub(super) type Place = (i32, i32);

/// What a view shows.
#[derive(Debug)]
pub(super) struct Board {
    /// The game's name.
    pub(super) title: String,
    /// Where it stands, and what everybody should know now, as sentences.
    pub(super) news: Vec<String>,
    /// Every hex of the board.
    pub(super) cells: BTreeMap<Place, Cell>,
    /// The players, in seat order.
    pub(super) standings: Vec<Standing>,
    /// The rolls that were hidden while the game went on, as sentences.
    pub(super) rolls: Vec<String>,
}

/// A hex.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// What it holds, as far as the viewer knows.
    pub(super) marker: Marker,
    /// Whether everybody sees that.
    pub(super) face_up: bool,
    /// Whether a Death Zone is there.
    pub(super) death_zone: bool,
    /// Who owns the planet, as far as the viewer knows; 0 is nobody.
    pub(super) owner: u32,
    /// Whose ownership markers lie there, without the owner's.
    pub(super) signs: Vec<u32>,
    /// The bases there.
    pub(super) bases: Vec<BaseHere>,
    /// The starships there.
    pub(super) ships: Vec<ShipHere>,
}

/// A base in a hex.
#[derive(Clone, Debug)]
pub(super) struct BaseHere {
    /// Whose.
    pub(super) owner: u32,
    /// Whether it is on no planet.
    pub(super) out: bool,
}

/// A starship in a hex.
#[derive(Clone, Debug)]
pub(super) struct ShipHere {
    /// Whose.
    pub(super) owner: u32,
    /// Its serial.
    pub(super) serial: u32,
    /// Whether it is Disrupted.
    pub(super) disrupted: bool,
}

impl ShipHere {
    /// "A1".
    pub(super) fn name(&self) -> String {
        format!("{}{}", letter(self.owner), self.serial)
    }
}

/// How a player stands.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    /// The seat.
    pub(super) seat: u32,
    /// The name.
    pub(super) name: String,
    /// The standing in the rules' words.
    pub(super) status: &'static str,
    /// Planets known to the viewer: live and dead.
    pub(super) planets: String,
    /// Bases and starships, and where they are.
    pub(super) pieces: String,
    /// "at war with B", "exile voted by C".
    pub(super) notes: String,
    /// Whether it is the player's turn.
    pub(super) on_turn: bool,
    /// Whether the player is out.
    pub(super) out: bool,
}

impl Board {
    pub(super) fn new(view: &View, game: &Game) -> Self {
        let known = view.known.clone().unwrap_or_default();
        let viewer = match view.viewer.as_ref().and_then(|viewer| viewer.kind.as_ref()) {
            Some(viewer_kind::Kind::Seat(seat)) => *seat,
            _ => 0,
        };
        let cells = cells(&known);
        Self {
            title: harmless(&game.name),
            news: news(&known, game, viewer),
            standings: (1..)
                .zip(&known.players)
                .map(|(seat, player)| standing(&known, &cells, game, seat, player, viewer))
                .collect(),
            rolls: known.revealed_rolls.iter().map(roll).collect(),
            cells,
        }
    }

    /// Whether the viewer does not know what lies in some hex.
    pub(super) fn has_secrets(&self) -> bool {
        self.cells.values().any(|cell| cell.marker == Marker::Unspecified)
    }
}

/// "round 3: A1 tried force in 1,0 (2, 5)"
fn roll(roll: &HiddenRoll) -> String {
    let owner = roll.piece.as_ref().map_or(0, |piece| piece.owner);
    let piece = match roll.piece.as_ref().and_then(|piece| piece.kind.as_ref()) {
        Some(piece::Kind::Starship(serial)) => format!("{}{serial}", letter(owner)),
        Some(piece::Kind::Base(_)) | None => format!("the base of {}", letter(owner)),
    };
    let what = match roll.purpose() {
        RollPurpose::Asteroids => "entered Asteroids",
        RollPurpose::Ambush => "was shot at by the Death Star",
        RollPurpose::Fire => "fired at the Death Star",
        RollPurpose::Diplomacy => "tried diplomacy",
        RollPurpose::Force => "tried force",
        RollPurpose::Unspecified => "rolled",
    };
    let (q, r) = place(roll.at.as_ref());
    let dice: Vec<String> = roll.dice.iter().map(u32::to_string).collect();
    format!("round {}: {piece} {what} in {q},{r} ({})", roll.round, dice.join(", "))
}

/// Every place of the board.
fn places() -> impl Iterator<Item = Place> {
    let range = -RADIUS..=RADIUS;
    range.clone().flat_map(move |q| range.clone().map(move |r| (q, r))).filter(|(q, r)| (q + r).abs() <= RADIUS)
}

fn place(hex: Option<&Hex>) -> Place {
    hex.map_or((0, 0), |hex| (hex.q, hex.r))
}

fn cells(known: &Position) -> BTreeMap<Place, Cell> {
    let mut cells: BTreeMap<Place, Cell> = places().map(|place| (place, Cell::default())).collect();
    for hexagon in &known.hexes {
        let Some(cell) = cells.get_mut(&place(hexagon.hex.as_ref())) else { continue };
        cell.marker = hexagon.marker();
        cell.face_up = hexagon.face_up;
        cell.death_zone = hexagon.death_zone;
        cell.owner = hexagon.owner;
        cell.signs = hexagon.ownership_markers.iter().copied().filter(|seat| *seat != hexagon.owner).collect();
    }
    if let Some(earth) = cells.get_mut(&(0, 0)).filter(|earth| earth.marker == Marker::Unspecified) {
        (earth.marker, earth.face_up) = (Marker::Earth, true);
    }
    for (seat, player) in (1..).zip(&known.players) {
        for base in &player.bases {
            if let Some(cell) = cells.get_mut(&place(base.at.as_ref())) {
                cell.bases.push(BaseHere { owner: seat, out: base.out });
            }
        }
        for ship in &player.starships {
            if let Some(cell) = cells.get_mut(&place(ship.at.as_ref())) {
                cell.ships.push(ShipHere { owner: seat, serial: ship.serial, disrupted: ship.disrupted });
            }
        }
    }
    cells
}

fn is_over(known: &Position) -> bool {
    matches!(known.stage.as_ref().and_then(|stage| stage.kind.as_ref()), Some(stage::Kind::Over(_)))
}

fn news(known: &Position, game: &Game, viewer: u32) -> Vec<String> {
    let mut news = Vec::new();
    let rounds = known.options.as_ref().and_then(|options| options.rounds).unwrap_or(12);
    let turn = match known.on_turn {
        _ if is_over(known) => ", the game is over".into(),
        0 => String::new(),
        seat if seat == viewer => ", your turn".into(),
        seat => format!(", turn of {}", wording::seat_name(game, seat)),
    };
    news.push(format!("Round {} of {rounds}{turn}.", known.round.max(1)));
    if known.aggressor_axis {
        news.push("The Alliance is known as the Aggressor Axis.".into());
    }
    let death_star = known.death_star.unwrap_or_default();
    if death_star.state() == DeathStarState::Active {
        news.push(format!(
            "The Death Star is active; {} provoked it. Nobody wins while it is.",
            letter(death_star.provoker)
        ));
    }
    news
}

fn standing(
    known: &Position,
    cells: &BTreeMap<Place, Cell>,
    game: &Game,
    seat: u32,
    player: &Player,
    viewer: u32,
) -> Standing {
    let out = player.status() == Status::Eliminated;
    let mut notes = Vec::new();
    let others = |pairs: &[heliopause_proto::starships_at_large::v1::Pair]| -> String {
        let other =
            |pair: &heliopause_proto::starships_at_large::v1::Pair| match (pair.first == seat, pair.second == seat) {
                (true, false) => Some(letter(pair.second).to_string()),
                (false, true) => Some(letter(pair.first).to_string()),
                _ => None,
            };
        pairs.iter().filter_map(other).collect::<Vec<_>>().join(", ")
    };
    for (pairs, what) in [(&known.wars, "at war with"), (&known.partnerships, "partner of")] {
        let with = others(pairs);
        if !with.is_empty() {
            notes.push(format!("{what} {with}"));
        }
    }
    let against: Vec<String> = known
        .exile_votes
        .iter()
        .filter(|vote| vote.second == seat)
        .map(|vote| letter(vote.first).to_string())
        .collect();
    if !against.is_empty() {
        notes.push(format!("exile voted by {}", against.join(", ")));
    }
    Standing {
        seat,
        name: format!("{}{}", wording::seat_name(game, seat), if seat == viewer { " (you)" } else { "" }),
        status: status(player.status(), known.aggressor_axis),
        planets: planets(cells, seat),
        pieces: pieces(player, seat),
        notes: notes.join("; "),
        on_turn: known.on_turn == seat && !out && !is_over(known),
        out,
    }
}

fn status(status: Status, axis: bool) -> &'static str {
    match status {
        Status::Alliance | Status::Unspecified if axis => "Aggressor Axis",
        Status::Alliance | Status::Unspecified => "Alliance",
        Status::Exiled => "Exiled",
        Status::Independent => "Independent",
        Status::Eliminated => "out",
    }
}

/// How many planets of a seat the viewer knows of: "2 live, 1 dead".
fn planets(cells: &BTreeMap<Place, Cell>, seat: u32) -> String {
    let owned = |marker: &dyn Fn(Marker) -> bool| {
        cells.values().filter(|cell| cell.owner == seat && marker(cell.marker)).count()
    };
    let live = owned(&|marker| matches!(marker, Marker::Earth | Marker::Friendly | Marker::Unfriendly));
    let dead = owned(&|marker| marker == Marker::Dead);
    match (live, dead) {
        (0, 0) => "none known".into(),
        (live, 0) => format!("{live} live"),
        (0, dead) => format!("{dead} dead"),
        (live, dead) => format!("{live} live, {dead} dead"),
    }
}

/// All pieces of a player and where they are, for what a hex has no room for.
fn pieces(player: &Player, seat: u32) -> String {
    let at = |hex: Option<&Hex>| match place(hex) {
        (0, 0) => "Earth".to_owned(),
        (q, r) => format!("{q},{r}"),
    };
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for base in &player.bases {
        places.entry(at(base.at.as_ref())).or_default().push(if base.out { "base (out)" } else { "base" }.into());
    }
    for ship in &player.starships {
        let mark = if ship.disrupted { "~" } else { "" };
        places.entry(at(ship.at.as_ref())).or_default().push(format!("{}{}{mark}", letter(seat), ship.serial));
    }
    let places: Vec<String> =
        places.into_iter().map(|(place, pieces)| format!("{place}: {}", pieces.join(" "))).collect();
    if places.is_empty() { count(0, "piece") } else { places.join("; ") }
}
