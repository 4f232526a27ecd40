//! Views.

use heliopause_kernel::{Game, Malformed};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::read_seat;
use super::position::{read_truth, whole, write_secrets};
use super::{fate, field, power, table, wrong};
use crate::campaign::Fate;
use crate::position::StellarConquest;
use crate::view::{Insight, View};

pub(super) fn write(view: &View) -> proto::View {
    let mut message = proto::View { table: Some(table::write(&view.table)), ..proto::View::default() };
    match &view.insight {
        Insight::Seat(seat, own) => {
            message.seat = seat.number();
            message.power = Some(power::write(own));
            if *seat == Fate::captain() {
                message.score = view.table.campaign.fate().map(|fate| fate::write_score(&fate.score(own)));
            }
        }
        Insight::Spectator => {}
        Insight::GameMaster(truth) => {
            message.master = Some(proto::MasterView {
                powers: truth.powers.iter().map(power::write).collect(),
                secrets: Some(write_secrets(&truth.secrets)),
            });
            let captain = &truth.powers[Fate::captain().index()];
            message.score = view.table.campaign.fate().map(|fate| fate::write_score(&fate.score(captain)));
        }
    }
    message
}

pub(super) fn read(message: &proto::View) -> Result<View, Malformed> {
    let table = field("table", table::read(message.table.as_ref()))?;
    let insight = match (&message.master, &message.power, message.seat) {
        (Some(master), None, 0) => {
            Insight::GameMaster(Box::new(field("master", read_truth(&master.powers, master.secrets.as_ref()))?))
        }
        (None, Some(own), number) if number > 0 => {
            let seat = field("seat", read_seat(number))?;
            if seat.index() >= table.seats() {
                return field("seat", wrong("there is no such seat"));
            }
            Insight::Seat(seat, Box::new(field("power", power::read(own, &|_| None))?))
        }
        (None, None, 0) => Insight::Spectator,
        _ => return wrong("a view is a seat's with its power, the game master's, or a spectator's"),
    };
    let view = View { table, insight };
    // A view is sound if there is a state that it can be the view of.
    match &view.insight {
        Insight::GameMaster(truth) => whole(view.table.clone(), (**truth).clone()).integrity()?,
        _ => StellarConquest::sample(&view, &mut || 0).integrity()?,
    }
    Ok(view)
}
