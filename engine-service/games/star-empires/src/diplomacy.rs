//! 5.0, notes 13: who can write to whom, and what a message makes of them.

use heliopause_kernel::{Emitted, Press, Refusal, Seat};

use crate::event::Event;
use crate::finish::only;
use crate::position::StarEmpires;
use crate::view::{EmpireSeen, KnownChange};

/// Messages go to contacts only, anonymous ones too. An empire that one has not met and an empire
/// that is not in the game get the same answer.
pub(crate) fn press(game: &StarEmpires, from: Seat, to: Seat) -> Result<Press, Refusal> {
    let sender = game.galaxy.empires.get(from.index());
    if sender.is_some_and(|empire| empire.contacts.contains(to)) {
        return Ok(Press::AtOnce);
    }
    Err(Refusal::new(
        "no-contact",
        "5.0",
        "Messages go to your contacts, and that empire is none of them.",
    )
    .field("to"))
}

/// A signed message was delivered: its receiver can answer from now on. An anonymous one makes no
/// contact.
pub(crate) fn messaged(
    game: &mut StarEmpires,
    from: Seat,
    to: Seat,
    anonymous: bool,
) -> Emitted<Event> {
    let mut told = Emitted::new();
    let empires = game.galaxy.empires.len();
    if anonymous || from == to || from.index() >= empires || to.index() >= empires {
        return told;
    }
    if game.galaxy.empire_mut(to).meet(from) {
        let sender = game.galaxy.empire(from);
        let met = EmpireSeen { seat: from, name: sender.name, code: sender.code, contact: true };
        let change = KnownChange { empires: vec![met], ..KnownChange::default() };
        told.tell(only(to), Event::Learned { change: change.into() });
    }
    told
}
