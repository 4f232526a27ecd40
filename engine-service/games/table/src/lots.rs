//! Choosing seats, and the lots that decide the others at the start.
//!
//! Until the lots are drawn, seats are *places* in the order of joining. A [`Subscriber`] reads
//! the entries of that time for the seat that their place became.

use heliopause_kernel::{Dice, Draw, Seat, Viewer};
use heliopause_proto::store::v1::{Created, DrawnLots, Entry, Joined, Person, SeatState};
use heliopause_proto::v1::{Cursor, ErrorReason, Event, Message, SeatChange, event};

use crate::requests::Requests;
use crate::table::audience_of;
use crate::telling::Telling;
use crate::{Fault, Table};

/// A viewer who reads a game's entries, also those from before the lots were drawn.
#[derive(Clone, Debug)]
pub struct Subscriber {
    viewer: Viewer,
    drawn: Option<DrawnLots>,
}

impl Subscriber {
    /// A viewer of entries that are newer than the lots.
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, drawn: None }
    }

    /// The viewer.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The number of the entry that drew the lots, if the viewer's seat is known from it.
    pub fn drawn(&self) -> Option<u64> {
        self.drawn.as_ref().map(|drawn| drawn.entry)
    }

    /// The number of the seat that a place became.
    pub fn seat_of(&self, place: u32) -> u32 {
        self.drawn.as_ref().map_or(place, |drawn| seat_of(drawn, place))
    }

    /// A cursor of the viewer's place as a cursor of their seat.
    pub fn renewed(&self, cursor: &Cursor) -> Cursor {
        let own = Some(audience_of(self.viewer));
        let is_former = |drawn| cursor.audience == Some(audience_of(before(drawn, self.viewer)));
        let audience =
            if self.drawn.as_ref().is_some_and(is_former) { own } else { cursor.audience };
        Cursor { audience, ..*cursor }
    }

    /// The lots, if an entry is older than they are.
    fn later_lots(&self, entry: &Entry) -> Option<&DrawnLots> {
        self.drawn.as_ref().filter(|drawn| entry.number < drawn.entry)
    }

    /// Who the viewer was when an entry was made.
    pub(crate) fn at(&self, entry: &Entry) -> Viewer {
        self.later_lots(entry).map_or(self.viewer, |drawn| before(drawn, self.viewer))
    }

    /// How many events the viewer had been told before an entry.
    pub fn told_before(&self, entry: &Entry) -> u64 {
        Table::told_before(entry, self.at(entry))
    }

    /// The events of an entry as the viewer is told, with their numbers. Messages between places
    /// name the seats that these became.
    pub fn events_of(&self, entry: &Entry) -> impl Iterator<Item = Event> {
        let drawn = self.later_lots(entry);
        Table::events_for(entry, self.at(entry)).map(move |mut event| {
            if let (Some(drawn), Some(event::Body::Message(message))) = (drawn, &mut event.body) {
                rename(message, drawn);
            }
            event
        })
    }
}

/// The place that became a player's seat.
fn place_of(drawn: &DrawnLots, seat: Seat) -> Seat {
    drawn.places.get(seat.index()).and_then(|&place| Seat::numbered(place)).unwrap_or(seat)
}

fn seat_of(drawn: &DrawnLots, place: u32) -> u32 {
    let seat = drawn.places.iter().position(|&one| one == place);
    seat.map_or(place, |index| Seat::at(index).number())
}

/// The audience of a viewer before the lots were drawn.
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

/// Refuses chosen seats that do not exist or are chosen twice.
pub(crate) fn check_chosen(created: &Created) -> Result<(), Fault> {
    let Some(lots) = &created.lots else { return Ok(()) };
    let players = created.seats.len();
    for (index, &chosen) in lots.chosen.iter().enumerate().filter(|(_, chosen)| **chosen != 0) {
        let field = format!("seats[{index}].seat");
        if chosen as usize > players {
            let text = format!("There is no seat {chosen}; players have seats 1 to {players}.");
            return Err(Fault::field(field, text));
        }
        if lots.chosen[..index].contains(&chosen) {
            return Err(Fault::field(field, format!("Another plan is for seat {chosen}.")));
        }
    }
    Ok(())
}

impl Table {
    /// A viewer as a reader of all entries.
    pub fn subscriber(&self, viewer: Viewer) -> Subscriber {
        Subscriber { viewer, drawn: self.state.drawn.clone() }
    }

    /// Whether lots are still to be drawn: until then seats are places.
    pub(crate) fn lots_pending(&self) -> bool {
        let created = self.state.created.as_ref();
        created.is_some_and(|created| created.lots.is_some()) && self.state.drawn.is_none()
    }

    /// The seat that the table's creator planned for a place, from 1; 0 draws lots.
    pub(crate) fn planned_seat(&self, place: Seat) -> u32 {
        let lots = self.created().lots.as_ref();
        lots.and_then(|lots| lots.chosen.get(place.index()).copied()).unwrap_or_default()
    }

    /// The place for a joiner: with the seat that they choose, or first one without a chosen seat.
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
            return Err(Fault::field("seat", format!("Only automation plays {seat}.")));
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
                refuse(format!("You cannot choose {name}: {kept} is kept for you."))
            }
            None => refuse(format!("You cannot choose {name}: it is not open to you.")),
        }
    }

    /// Gives every place its seat: the chosen one, or one by lot.
    pub(crate) fn draw_lots(&mut self, dice: &mut Dice, telling: &mut Telling) {
        if !self.lots_pending() {
            return;
        }
        let players = self.players();
        let chosen: Vec<u32> =
            self.state.seats[..players].iter().map(|place| place.chosen_seat).collect();
        let mut free: Vec<u32> =
            Seat::first(players).map(Seat::number).filter(|seat| !chosen.contains(seat)).collect();
        dice.shuffle(Draw::new("lots"), &mut free);
        let mut free = free.into_iter();
        let mut places = vec![0; players];
        for (place, &chosen) in chosen.iter().enumerate() {
            let seat = if chosen == 0 { free.next().unwrap_or_default() } else { chosen };
            places[seat as usize - 1] = Seat::at(place).number();
        }
        let drawn = DrawnLots { entry: self.state.entry + 1, places };
        self.seat_by(&drawn);
        self.state.drawn = Some(drawn);
        for seat in Seat::first(players) {
            self.tell_seat(seat, SeatChange::Drawn, telling);
        }
    }

    /// Moves everything of the places to their seats. Entropy stays: it makes the seed of the dice
    /// in the order of the places.
    fn seat_by(&mut self, drawn: &DrawnLots) {
        let (before, told) = (self.state.seats.clone(), self.state.told.clone());
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
            if let Some(&count) = told.get(audience(place)) {
                self.state.told[audience(seat)] = count;
            }
        }
        let mut requests = self.requests.to_stored();
        for record in &mut requests {
            record.seat = seat_of(drawn, record.seat);
        }
        self.requests = Requests::from_stored(requests);
    }
}
