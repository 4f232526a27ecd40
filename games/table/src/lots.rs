//! Chosen and preferred seats, and the lots that assign the other seats at the start.
//!
//! Until the lots are drawn, seats are *places* in the order of joining. A [`Subscriber`] receives
//! the entries from before the draw that were visible to the viewer's former place.
//!
//! The draw uses the players' entropy, so a player cannot choose a seat by leaving and rejoining.

use bytes::{Buf as _, Bytes};
use heliopause_kernel::{Dice, Draw, Seat, Viewer};
use heliopause_proto::store::v1::{
    Created, DrawnLots, Entry, Joined, Person, SeatState, Unhashed, planned_seat,
};
use heliopause_proto::v1::{Cursor, ErrorReason, Event, Message, SeatChange, event};
use prost::Message as _;
use prost::encoding::{self, DecodeContext};

use crate::chain::UNHASHED_FIELD;
use crate::effects::{Effects, is_visible_to};
use crate::requests::Requests;
use crate::table::audience_of;
use crate::{Fault, Table};

/// A viewer who reads a game's entries, including those from before the lots were drawn.
#[derive(Clone, Debug)]
pub struct Subscriber {
    viewer: Viewer,
    drawn: Option<DrawnLots>,
}

impl Subscriber {
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, drawn: None }
    }

    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Returns the number of the entry in which the lots were drawn, or `None` if none were drawn
    /// yet.
    pub fn drawn(&self) -> Option<u64> {
        self.drawn.as_ref().map(|drawn| drawn.entry)
    }

    pub fn seat_of(&self, place: u32) -> u32 {
        self.drawn.as_ref().map_or(place, |drawn| seat_of(drawn, place))
    }

    /// Converts a cursor for the viewer's former place to a cursor for the viewer's seat.
    pub fn cursor_of_seat(&self, cursor: &Cursor) -> Cursor {
        let own = Some(audience_of(self.viewer));
        let is_former = |drawn| cursor.audience == Some(audience_of(before(drawn, self.viewer)));
        let audience =
            if self.drawn.as_ref().is_some_and(is_former) { own } else { cursor.audience };
        Cursor { audience, ..*cursor }
    }

    fn later_lots(&self, entry: &Entry) -> Option<&DrawnLots> {
        self.drawn.as_ref().filter(|drawn| entry.number < drawn.entry)
    }

    pub(crate) fn at(&self, entry: &Entry) -> Viewer {
        self.later_lots(entry).map_or(self.viewer, |drawn| before(drawn, self.viewer))
    }

    pub fn event_count_before(&self, entry: &Entry) -> u64 {
        Table::event_count_before(entry, self.at(entry))
    }

    /// Returns the viewer's events of an entry, with their numbers. In messages between places,
    /// replaces each place with the seat that it became.
    pub fn events_of(&self, entry: &Entry) -> impl Iterator<Item = Event> {
        let drawn = self.later_lots(entry);
        Table::events_for(entry, self.at(entry)).map(move |mut event| {
            if let (Some(drawn), Some(event::Body::Message(message))) = (drawn, &mut event.body) {
                rename(message, drawn);
            }
            event
        })
    }

    /// Returns an entry for an export. Removes the unhashed part, except the texts of messages that
    /// the viewer may read. Keeps all texts if `all` is set.
    pub fn exported(&self, stored: Bytes, all: bool) -> Result<Bytes, prost::DecodeError> {
        let Some(at) = unhashed_at(&stored)? else { return Ok(stored) };
        let entry = Entry::decode(stored.clone())?;
        let visible: Vec<u32> = entry
            .events
            .iter()
            .filter(|event| is_visible_to(event, self.at(&entry)))
            .map(|event| event.message_text)
            .collect();
        let mut texts = entry.unhashed.unwrap_or_default().texts;
        texts.retain(|text| all || visible.contains(&text.number));
        if texts.is_empty() {
            return Ok(stored.slice(..at));
        }
        let mut exported = Vec::from(&stored[..at]);
        encoding::message::encode(
            UNHASHED_FIELD,
            &Unhashed { texts, ..Unhashed::default() },
            &mut exported,
        );
        Ok(exported.into())
    }
}

fn unhashed_at(stored: &Bytes) -> Result<Option<usize>, prost::DecodeError> {
    let mut rest = stored.clone();
    while rest.has_remaining() {
        let at = stored.len() - rest.remaining();
        let (field, wire) = encoding::decode_key(&mut rest)?;
        if field == UNHASHED_FIELD {
            return Ok(Some(at));
        }
        encoding::skip_field(wire, field, &mut rest, DecodeContext::default())?;
    }
    Ok(None)
}

fn place_of(drawn: &DrawnLots, seat: Seat) -> Seat {
    drawn.places.get(seat.index()).and_then(|&place| Seat::numbered(place)).unwrap_or(seat)
}

fn seat_of(drawn: &DrawnLots, place: u32) -> u32 {
    let seat = drawn.places.iter().position(|&one| one == place);
    seat.map_or(place, |index| Seat::at(index).number())
}

fn before(drawn: &DrawnLots, viewer: Viewer) -> Viewer {
    match viewer {
        Viewer::Seat(seat) => Viewer::Seat(place_of(drawn, seat)),
        Viewer::Spectator | Viewer::GameMaster => viewer,
    }
}

fn rename(message: &mut Message, drawn: &DrawnLots) {
    let seats = message.from_seat.iter_mut().chain(&mut message.to_seats);
    seats.for_each(|seat| *seat = seat_of(drawn, *seat));
    message.to_seats.sort_unstable();
}

pub(crate) fn check_chosen(created: &Created) -> Result<(), Fault> {
    let Some(lots) = &created.lots else { return Ok(()) };
    let players = created.seats.len();
    for (index, &chosen) in lots.chosen.iter().enumerate().filter(|(_, chosen)| **chosen != 0) {
        let field = format!("seats[{index}].seat");
        if chosen as usize > players {
            let text = format!("Seat {chosen} does not exist; players have seats 1 to {players}.");
            return Err(Fault::field(field, text));
        }
        if lots.chosen[..index].contains(&chosen) {
            let text = format!("Seat {chosen} is chosen twice; choose another seat.");
            return Err(Fault::field(field, text));
        }
    }
    Ok(())
}

impl Table {
    pub fn subscriber(&self, viewer: Viewer) -> Subscriber {
        Subscriber { viewer, drawn: self.state.drawn.clone() }
    }

    pub(crate) fn lots_pending(&self) -> bool {
        let created = self.state.created.as_ref();
        created.is_some_and(|created| created.lots.is_some()) && self.state.drawn.is_none()
    }

    /// Returns the number of the seat planned for a place, or 0 if lots decide.
    pub(crate) fn planned_seat(&self, place: Seat) -> u32 {
        let lots = self.created().lots.as_ref();
        lots.and_then(|lots| lots.chosen.get(place.index()).copied()).unwrap_or_default()
    }

    /// Returns the place for a player who joins before the draw. If the player names no seat,
    /// prefers a place reserved for the player, then one without a chosen seat.
    pub(crate) fn place_to_take(
        &self,
        joined: &Joined,
        person: &Person,
        may_take: impl Fn(&Seat) -> bool,
    ) -> Result<Seat, Fault> {
        let places = || Seat::first(self.players());
        let chosen = |place: &Seat| self.state.seats[place.index()].chosen_seat;
        let refuse = |text: String| Err(Fault::new(ErrorReason::NoOpenSeat, text));
        let kept = places().find(|&place| self.is_kept_for(place, &person.player_id));
        if joined.seat == 0 {
            let free = places().filter(&may_take).min_by_key(|place| chosen(place) != 0);
            return kept
                .or(free)
                .map_or_else(|| refuse("No seat of this game is open to you.".to_owned()), Ok);
        }
        let seat = self.seat_numbered(joined.seat)?;
        if seat.index() >= self.players() {
            let players = self.players();
            let text = format!("Only automation plays {seat}; players have seats 1 to {players}.");
            return Err(Fault::field("seat", text));
        }
        let name = &self.roles[seat.index()].name;
        let place = match places().find(|place| chosen(place) == seat.number()) {
            Some(place) => Some(place).filter(&may_take),
            None => kept.or_else(|| places().find(|place| chosen(place) == 0 && may_take(place))),
        };
        match place.filter(|place| kept.is_none_or(|kept| kept == *place)) {
            Some(place) if [0, seat.number()].contains(&chosen(&place)) => Ok(place),
            Some(place) => {
                let kept = &self.roles[chosen(&place) as usize - 1].name;
                refuse(format!("You cannot choose {name}: {kept} is reserved for you."))
            }
            None => refuse(format!("You cannot choose {name}: it is not open to you.")),
        }
    }

    pub(crate) fn draw_lots(&mut self, dice: &mut Dice, effects: &mut Effects) {
        if !self.lots_pending() {
            return;
        }
        let players = self.players();
        let chosen: Vec<u32> =
            self.state.seats[..players].iter().map(|place| place.chosen_seat).collect();
        let mut free: Vec<u32> =
            Seat::first(players).map(Seat::number).filter(|seat| !chosen.contains(seat)).collect();
        dice.shuffle(Draw::new("lots"), &mut free);
        let preferred = self.serve_preferences(dice, &mut free);
        let mut free = free.into_iter();
        let mut places = vec![0; players];
        for (place, &chosen) in chosen.iter().enumerate() {
            let seat = if chosen == 0 { preferred[place] } else { chosen };
            let seat = if seat == 0 { free.next().unwrap_or_default() } else { seat };
            places[seat as usize - 1] = Seat::at(place).number();
        }
        let drawn = DrawnLots { entry: self.state.entry + 1, places };
        self.move_to_seats(&drawn);
        self.state.drawn = Some(drawn);
        for seat in Seat::first(players) {
            self.publish_seat(seat, SeatChange::Drawn, effects);
        }
    }

    /// Takes the seats of players with preferences from the free seats. The players choose in an
    /// order that is drawn by lot. Returns the seat of each place, or 0.
    fn serve_preferences(&self, dice: &mut Dice, free: &mut Vec<u32>) -> Vec<u32> {
        let wishes: Vec<&[u32]> =
            Seat::first(self.players()).map(|place| self.preferences(place)).collect();
        let mut order: Vec<usize> =
            (0..wishes.len()).filter(|&place| !wishes[place].is_empty()).collect();
        dice.shuffle(Draw::new("preferences"), &mut order);
        let mut seats = vec![0; wishes.len()];
        for place in order {
            let left = |wish: &u32| free.iter().position(|seat| seat == wish);
            if let Some(at) = wishes[place].iter().find_map(left) {
                seats[place] = free.remove(at);
            }
        }
        seats
    }

    /// Returns the preferences of the player who took a place when the game was created, unless the
    /// place has a chosen seat or now belongs to another player.
    fn preferences(&self, place: Seat) -> &[u32] {
        let index = place.index();
        let Some(planned_seat::Plan::Taken(taken)) = &self.created().seats[index].plan else {
            return &[];
        };
        let is_there = taken
            .player
            .as_ref()
            .is_some_and(|player| self.seat_of(&player.player_id) == Some(place));
        if is_there && self.state.seats[index].chosen_seat == 0 { &taken.preferences } else { &[] }
    }

    /// Moves the players from their places to the drawn seats. Entropy stays in place, because the
    /// seed of the dice uses the order of the places.
    fn move_to_seats(&mut self, drawn: &DrawnLots) {
        let (before, counts) = (self.state.seats.clone(), self.state.published.clone());
        for seat in Seat::first(self.players()) {
            let place = place_of(drawn, seat);
            let own = &mut self.state.seats[seat.index()];
            *own = SeatState {
                entropy_commitment: own.entropy_commitment.clone(),
                entropy: own.entropy.clone(),
                chosen_seat: 0,
                ..before[place.index()].clone()
            };
            let audience = |seat: Seat| Self::audience_index(Viewer::Seat(seat));
            if let Some(&count) = counts.get(audience(place)) {
                self.state.published[audience(seat)] = count;
            }
        }
        let mut requests = self.requests.to_stored();
        for record in &mut requests {
            record.seat = seat_of(drawn, record.seat);
        }
        self.requests = Requests::from_stored(requests);
    }
}
