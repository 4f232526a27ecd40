//! Orders.

use heliopause_kernel::Malformed;
use heliopause_proto::starships_at_large::v1 as proto;
use proto::order::Kind;

use super::names::{
    read_agreement, read_base_number, read_means, read_piece, read_place, read_place_if, read_player, read_promise,
    read_ship, read_target, read_u8, write_agreement, write_means, write_piece, write_place, write_promise, write_seat,
    write_ship, write_target,
};
use super::wrong;
use crate::order::Order;

pub(super) fn read(message: &proto::Order) -> Result<Order, Malformed> {
    let Some(kind) = &message.kind else { return wrong("kind", "the order is empty") };
    Ok(match kind {
        Kind::Build(build) => Order::Build {
            count: read_u8(build.count, "build.count")?,
            base: read_base_number(build.base, "build.base")?,
        },
        Kind::MoveStarship(order) => Order::Move {
            ship: read_ship(order.starship.as_ref(), "move_starship.starship")?,
            to: read_place(order.to.as_ref(), "move_starship.to")?,
        },
        Kind::WarpStarship(order) => Order::Warp {
            ship: read_ship(order.starship.as_ref(), "warp_starship.starship")?,
            via: read_place(order.via.as_ref(), "warp_starship.via")?,
            to: read_place(order.to.as_ref(), "warp_starship.to")?,
        },
        Kind::MoveBase(order) => Order::MoveBase {
            base: read_base_number(order.base, "move_base.base")?,
            via: read_place_if(order.via.as_ref(), "move_base.via")?,
            to: read_place(order.to.as_ref(), "move_base.to")?,
        },
        Kind::SettleBase(order) => Order::Settle { base: read_base_number(order.base, "settle_base.base")? },
        Kind::AttemptPlanet(order) => Order::Attempt {
            piece: read_piece(order.piece.as_ref(), "attempt_planet.piece")?,
            means: read_means(order.means, "attempt_planet.means")?,
        },
        Kind::Attack(order) => Order::Attack {
            piece: read_piece(order.piece.as_ref(), "attack.piece")?,
            target: read_target(order.target.as_ref(), "attack.target")?,
        },
        Kind::FightOn(_) => Order::FightOn,
        Kind::Withdraw(_) => Order::Withdraw,
        Kind::Fire(_) => Order::Fire,
        Kind::HoldFire(_) => Order::HoldFire,
        Kind::EndTurn(_) => Order::End,
        Kind::EndPartnership(_) => Order::EndPartnership,
        Kind::StopZones(_) => Order::Stop,
        other => return read_more(other),
    })
}

fn read_more(kind: &Kind) -> Result<Order, Malformed> {
    Ok(match kind {
        Kind::TurnFaceUp(order) => Order::FaceUp { at: read_place(order.at.as_ref(), "turn_face_up.at")? },
        Kind::PutMarker(order) => Order::Mark { at: read_place(order.at.as_ref(), "put_marker.at")? },
        Kind::TakeUpMarker(order) => Order::Unmark { at: read_place(order.at.as_ref(), "take_up_marker.at")? },
        Kind::GivePlanet(order) => Order::Give {
            at: read_place(order.at.as_ref(), "give_planet.at")?,
            to: read_player(order.to, "give_planet.to")?,
        },
        Kind::ExileVote(order) => {
            Order::Vote { against: read_player(order.against, "exile_vote.against")?, withdrawn: order.withdrawn }
        }
        Kind::Offer(order) => Order::Offer {
            to: read_player(order.to_seat, "offer.to_seat")?,
            agreement: read_agreement(order.agreement, "offer.agreement")?,
        },
        Kind::Accept(order) => Order::Accept {
            from: read_player(order.from_seat, "accept.from_seat")?,
            agreement: read_agreement(order.agreement, "accept.agreement")?,
        },
        Kind::Retract(order) => Order::Retract {
            to: read_player(order.to_seat, "retract.to_seat")?,
            agreement: read_agreement(order.agreement, "retract.agreement")?,
        },
        Kind::GiveWord(order) => Order::Pledge {
            to: read_player(order.to_seat, "give_word.to_seat")?,
            promise: read_promise(order.promise.as_ref(), "give_word.promise")?,
            until: read_u8(order.until_round, "give_word.until_round")?,
        },
        Kind::Sacrifice(order) => Order::Sacrifice { ship: read_ship(order.starship.as_ref(), "sacrifice.starship")? },
        Kind::ChooseStarship(order) => {
            Order::ChooseShip { ship: read_ship(order.starship.as_ref(), "choose_starship.starship")? }
        }
        Kind::ChoosePlanet(order) => Order::ChoosePlanet { at: read_place(order.at.as_ref(), "choose_planet.at")? },
        Kind::PutZone(order) => Order::Zone { at: read_place(order.at.as_ref(), "put_zone.at")? },
        Kind::GrowZone(order) => Order::Grow {
            from: read_place(order.source.as_ref(), "grow_zone.source")?,
            to: read_place(order.to.as_ref(), "grow_zone.to")?,
        },
        _ => return wrong("kind", "the order is not known"),
    })
}

pub(super) fn write(order: &Order) -> proto::Order {
    let kind = match *order {
        Order::Build { count, base } => Kind::Build(proto::Build { count: count.into(), base: base.number().into() }),
        Order::Move { ship, to } => {
            Kind::MoveStarship(proto::MoveStarship { starship: Some(write_ship(ship)), to: Some(write_place(to)) })
        }
        Order::Warp { ship, via, to } => Kind::WarpStarship(proto::WarpStarship {
            starship: Some(write_ship(ship)),
            via: Some(write_place(via)),
            to: Some(write_place(to)),
        }),
        Order::MoveBase { base, via, to } => Kind::MoveBase(proto::MoveBase {
            base: base.number().into(),
            via: via.map(write_place),
            to: Some(write_place(to)),
        }),
        Order::Settle { base } => Kind::SettleBase(proto::SettleBase { base: base.number().into() }),
        Order::Attempt { piece, means } => {
            Kind::AttemptPlanet(proto::AttemptPlanet { piece: Some(write_piece(piece)), means: write_means(means) })
        }
        Order::Attack { piece, target } => {
            Kind::Attack(proto::Attack { piece: Some(write_piece(piece)), target: Some(write_target(target)) })
        }
        Order::FightOn => Kind::FightOn(proto::FightOn {}),
        Order::Withdraw => Kind::Withdraw(proto::Withdraw {}),
        Order::Fire => Kind::Fire(proto::Fire {}),
        Order::HoldFire => Kind::HoldFire(proto::HoldFire {}),
        Order::End => Kind::EndTurn(proto::EndTurn {}),
        Order::EndPartnership => Kind::EndPartnership(proto::EndPartnership {}),
        Order::Stop => Kind::StopZones(proto::StopZones {}),
        ref other => write_more(other),
    };
    proto::Order { kind: Some(kind) }
}

/// The orders that are not about moving and fighting.
fn write_more(order: &Order) -> Kind {
    match *order {
        Order::FaceUp { at } => Kind::TurnFaceUp(proto::TurnFaceUp { at: Some(write_place(at)) }),
        Order::Mark { at } => Kind::PutMarker(proto::PutMarker { at: Some(write_place(at)) }),
        Order::Unmark { at } => Kind::TakeUpMarker(proto::TakeUpMarker { at: Some(write_place(at)) }),
        Order::Give { at, to } => Kind::GivePlanet(proto::GivePlanet { at: Some(write_place(at)), to: write_seat(to) }),
        Order::Vote { against, withdrawn } => {
            Kind::ExileVote(proto::ExileVote { against: write_seat(against), withdrawn })
        }
        Order::Offer { to, agreement } => {
            Kind::Offer(proto::Offer { to_seat: write_seat(to), agreement: write_agreement(agreement) })
        }
        Order::Accept { from, agreement } => {
            Kind::Accept(proto::Accept { from_seat: write_seat(from), agreement: write_agreement(agreement) })
        }
        Order::Retract { to, agreement } => {
            Kind::Retract(proto::Retract { to_seat: write_seat(to), agreement: write_agreement(agreement) })
        }
        Order::Pledge { to, promise, until } => Kind::GiveWord(proto::GiveWord {
            to_seat: write_seat(to),
            promise: Some(write_promise(promise)),
            until_round: until.into(),
        }),
        Order::Sacrifice { ship } => Kind::Sacrifice(proto::Sacrifice { starship: Some(write_ship(ship)) }),
        Order::ChooseShip { ship } => Kind::ChooseStarship(proto::ChooseStarship { starship: Some(write_ship(ship)) }),
        Order::ChoosePlanet { at } => Kind::ChoosePlanet(proto::ChoosePlanet { at: Some(write_place(at)) }),
        Order::Zone { at } => Kind::PutZone(proto::PutZone { at: Some(write_place(at)) }),
        Order::Grow { from, to } => {
            Kind::GrowZone(proto::GrowZone { source: Some(write_place(from)), to: Some(write_place(to)) })
        }
        _ => Kind::StopZones(proto::StopZones {}),
    }
}
