//! Views in wire format.

use heliopause_kernel::wire::{Read, Result, Write, field, inside, wrong, wrong_field};
use heliopause_kernel::{Game, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::position::read_truth;
use super::power;
use crate::state::{Fate, Insight, Power, StellarConquest, Table, View};
use crate::tables::STAR_COUNT;

impl Write<proto::View> for View {
    fn write(&self) -> proto::View {
        let table = self.table.write();
        let score = |captain: &Power| {
            self.table.campaign.fate().and_then(|fate| fate.score(captain).write())
        };
        let mut message = proto::View { table, ..proto::View::default() };
        match &self.insight {
            Insight::Seat(seat, own) => {
                (message.seat, message.power) = (seat.number(), own.write());
                message.score = if *seat == Fate::captain() { score(own) } else { None };
            }
            Insight::Spectator => {}
            Insight::GameMaster(truth) => {
                message.master = Some(proto::MasterView {
                    powers: truth.powers.write(),
                    secrets: truth.secrets.write(),
                });
                message.score = score(&truth.powers[Fate::captain().index()]);
            }
        }
        message
    }
}

impl Read<proto::View> for View {
    fn read(message: &proto::View) -> Result<Self> {
        let table: Table = field("table", &message.table)?;
        let insight = match (&message.master, &message.power, message.seat) {
            (Some(master), None, 0) => {
                let truth = inside("master", read_truth(&master.powers, &master.secrets))?;
                Insight::GameMaster(Box::new(truth))
            }
            (None, Some(own), number) if number > 0 => {
                let seat: Seat = field("seat", &number)?;
                if seat.index() >= table.seats() {
                    return wrong_field(
                        "seat",
                        format!("expected 1 to {}, found {number}", table.seats()),
                    );
                }
                Insight::Seat(
                    seat,
                    Box::new(inside("power", power::read(own, &[None; STAR_COUNT]))?),
                )
            }
            (None, None, 0) => Insight::Spectator,
            _ => {
                return wrong(
                    "expected the view of a seat with its power, of the game master, or of a \
                     spectator",
                );
            }
        };
        let view = Self { table, insight };
        view.check_seats()?;
        // A view is valid if it is the view of some valid state.
        match &view.insight {
            Insight::GameMaster(truth) => {
                StellarConquest::of(view.table.clone(), (**truth).clone()).integrity()?;
            }
            Insight::Seat(..) | Insight::Spectator => {
                StellarConquest::sample(&view, &mut || 0).integrity()?;
            }
        }
        Ok(view)
    }
}
