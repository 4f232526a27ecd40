//! Views: positions with holes.

use heliopause_kernel::{Game, Malformed};
use heliopause_proto::starships_at_large::v1 as proto;

use super::names::{
    read_marker_if, read_player, read_player_if, read_seat, write_marker, write_place, write_seat, write_seat_if,
};
use super::position::{read_state, write_state};
use super::state::{read_hex_place, read_own, read_table, write_own, write_table};
use super::wrong;
use crate::board::Place;
use crate::game::Starships;
use crate::knowledge::Own;
use crate::table::{Note, Table};
use crate::view::{Insight, View};

pub(super) fn write(view: &View) -> proto::View {
    use proto::viewer_kind::Kind;
    let (kind, known) = match &view.insight {
        Insight::Seat(seat, own) => {
            let mut known = write_visible(view);
            write_own(&mut known, *seat, own);
            (Kind::Seat(write_seat(*seat)), known)
        }
        Insight::Spectator => (Kind::Spectator(proto::SpectatorViewer {}), write_visible(view)),
        Insight::GameMaster(secrets) => {
            (Kind::GameMaster(proto::GameMasterViewer {}), write_state(&view.table, secrets))
        }
    };
    proto::View { viewer: Some(proto::ViewerKind { kind: Some(kind) }), known: Some(known) }
}

/// The table and the hexes as the viewer knows them.
fn write_visible(view: &View) -> proto::Position {
    let mut known = write_table(&view.table);
    known.hexes = Place::all().filter_map(|at| write_hex(view, at)).collect();
    known
}

fn write_hex(view: &View, at: Place) -> Option<proto::Hexagon> {
    let note = view.note(at);
    let hexagon = proto::Hexagon {
        hex: Some(write_place(at)),
        marker: note.map_or(0, |note| write_marker(note.marker)),
        face_up: view.table.shown[at.index()].is_some(),
        death_zone: view.table.zones.contains(at),
        owner: write_seat_if(note.and_then(|note| note.owner)),
        ownership_markers: view.table.tokens[at.index()].iter().map(write_seat).collect(),
        seen_by: Vec::new(),
        owner_known_to: Vec::new(),
    };
    let unknown = proto::Hexagon { hex: hexagon.hex, ..proto::Hexagon::default() };
    (hexagon != unknown).then_some(hexagon)
}

pub(super) fn read(message: &proto::View) -> Result<View, Malformed> {
    use proto::viewer_kind::Kind;
    let viewer = Malformed::need(message.viewer.as_ref(), "viewer")?;
    let known = Malformed::need(message.known.as_ref(), "known")?;
    let view = match Malformed::need(viewer.kind.as_ref(), "viewer")? {
        Kind::GameMaster(_) => {
            let game = read_state(known)?;
            return Ok(View { table: game.table, insight: Insight::GameMaster(Box::new(game.secrets)) });
        }
        Kind::Spectator(_) => {
            let mut table = read_table(known)?;
            read_hexes(known, &mut table, None)?;
            View { table, insight: Insight::Spectator }
        }
        Kind::Seat(number) => {
            let mut table = read_table(known)?;
            let seat = read_seat(*number, "viewer.seat")?;
            if seat.index() > table.players() {
                return wrong("viewer.seat", "there is no such seat");
            }
            let mut own = read_own(known, &table, seat)?;
            read_hexes(known, &mut table, Some(&mut own))?;
            for at in Place::all() {
                let note = table.shown[at.index()].or(own.notes[at.index()]);
                if note.is_some_and(|note| note.owner == Some(seat)) {
                    own.planets.insert(at);
                }
            }
            View { table, insight: Insight::Seat(seat, Box::new(own)) }
        }
    };
    // A view is sound if there is a state that it can be the view of.
    Starships::sample(&view, &mut || 0).integrity()?;
    Ok(view)
}

fn read_hexes(known: &proto::Position, table: &mut Table, mut own: Option<&mut Own>) -> Result<(), Malformed> {
    for hexagon in &known.hexes {
        let at = read_hex_place(hexagon)?;
        let field = |name: &str| format!("known.hexes{at}.{name}");
        let owner = read_player_if(hexagon.owner, &field("owner"))?;
        let note = read_marker_if(hexagon.marker, &field("marker"))?.map(|marker| Note { marker, owner });
        if hexagon.face_up {
            if note.is_none() {
                return wrong(&field("marker"), "it lies face up: say what it is");
            }
            table.shown[at.index()] = note;
        } else if let Some(own) = &mut own {
            own.notes[at.index()] = note;
        }
        if hexagon.death_zone {
            table.zones.insert(at);
        }
        for &number in &hexagon.ownership_markers {
            table.tokens[at.index()].put(read_player(number, &field("ownership_markers"))?);
        }
    }
    Ok(())
}
