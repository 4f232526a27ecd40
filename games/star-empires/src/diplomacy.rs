//! 5.0, notes 13: which empires can exchange messages, and the contacts created by messages.

use heliopause_kernel::{Audience, Emitted, Press, Refusal, Seat};

use crate::event::Event;
use crate::finish::only;
use crate::position::StarEmpires;
use crate::view::{EmpireSeen, KnownChange};

/// Allows messages, including anonymous ones, only to contacts. Unknown and nonexistent empires
/// give the same error.
pub(crate) fn press(game: &StarEmpires, from: Seat, to: Seat) -> Result<Press, Refusal> {
    let sender = game.galaxy.empires.get(from.index());
    if sender.is_some_and(|empire| empire.contacts.contains(to)) {
        return Ok(Press::AtOnce);
    }
    Err(Refusal::new(
        "no-contact",
        "5.0",
        "You can send messages only to your contacts; that empire is not one of them.",
    )
    .field("to"))
}

/// Makes the sender a contact of the receiver, unless the message is anonymous. The receiver can
/// then reply.
pub(crate) fn message_delivered(
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
    if !game.galaxy.empire(to).contacts.contains(from) {
        let before = game.galaxy.clone();
        game.galaxy.empire_mut(to).meet(from);
        let sender = game.galaxy.empire(from);
        let met = EmpireSeen { seat: from, name: sender.name, code: sender.code, contact: true };
        let change = KnownChange { empires: vec![met], ..KnownChange::default() };
        told.publish(only(to), Event::Learned { change: change.into() });
        let change = before.change_to(&game.galaxy);
        told.publish(Audience::game_master(), Event::GalaxyChanged(Box::new(change)));
    }
    told
}
