//! Orders.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;
use proto::order::Kind;

use super::battle::{read_shots, write_shots};
use super::board::{WATCHES, read_marker, write_marker};
use super::names::{
    narrow, read_place, read_places, read_planet, read_ship_numbers, read_star, read_star_if, read_stars,
    read_unit_ids, read_word, write_if, write_names, write_planet, write_ship_numbers, write_unit_ids, write_word,
};
use super::politics::{read_decree, write_decree};
use super::sheet::{
    OutfitMessage, read_bonus, read_commission, read_production, read_standing, write_outfit, write_production,
    write_standing,
};
use super::{ROWS_MAX, field, list, need};
use crate::cards::PlanetId;
use crate::order::{Order, Sortie, Voyage, Withdrawal};

pub(super) fn read(message: &proto::Order) -> Result<Order, Malformed> {
    let kind = field("kind", need(message.kind.as_ref()))?;
    read_sheets(kind)
        .or_else(|| read_politics(kind))
        .or_else(|| read_movement(kind))
        .or_else(|| read_battle(kind))
        .unwrap_or_else(|| read_planets(kind))
}

/// Nothing if it is another kind of order.
type Read = Option<Result<Order, Malformed>>;

fn read_sheets(kind: &Kind) -> Read {
    Some(match kind {
        Kind::SpendBonus(order) => field("spend_bonus", read_bonus(order)).map(Order::Outfit),
        Kind::Commission(order) => field("commission", read_commission(order)).map(Order::Outfit),
        Kind::StandingOrders(order) => field("standing_orders", read_standing(Some(order))).map(Order::Standing),
        Kind::Produce(order) => field("produce", read_production(order)).map(Order::Produce),
        _ => return None,
    })
}

fn read_politics(kind: &Kind) -> Read {
    Some(match kind {
        Kind::LaunchRaid(order) => field("launch_raid", read_raid_order(order)),
        Kind::PlaceShips(order) => field("place_ships", read_place_order(order)),
        Kind::Decree(order) => field("decree", read_decree(order)).map(Order::Decree),
        _ => return None,
    })
}

fn read_raid_order(order: &proto::LaunchRaid) -> Result<Order, Malformed> {
    Ok(Order::Raid(Sortie {
        ships: read_ship_numbers("ships", &order.ships)?,
        target: field("target", read_star(&order.target))?,
        rounds: field("rounds", narrow(order.rounds))?,
        path: read_places("path", &order.path)?,
    }))
}

fn read_place_order(order: &proto::PlaceShips) -> Result<Order, Malformed> {
    let destination = field("destination", read_star_if(&order.destination))?;
    Ok(Order::Place { at: field("at", read_place(&order.at))?, destination })
}

fn read_movement(kind: &Kind) -> Read {
    Some(match kind {
        Kind::Recall(order) => {
            field("recall", read_ship_numbers("ships", &order.ships)).map(|ships| Order::Recall { ships })
        }
        Kind::MoveShips(order) => field("move_ships", read_voyage(order)).map(Order::Move),
        Kind::FormTaskForce(order) => field("form_task_force", read_form(order)),
        Kind::SetPost(order) => {
            let star = field("set_post.star", read_star(&order.star));
            star.map(|star| Order::Post { star, up: order.up })
        }
        Kind::EndMovement(_) => Ok(Order::EndMovement),
        Kind::EndTurn(_) => Ok(Order::EndTurn),
        _ => return None,
    })
}

fn read_voyage(order: &proto::MoveShips) -> Result<Voyage, Malformed> {
    Ok(Voyage {
        ships: read_ship_numbers("ships", &order.ships)?,
        path: read_places("path", &order.path)?,
        destination: field("destination", read_star_if(&order.destination))?,
        avoiding: read_stars("avoiding", &order.avoiding)?,
        round_clouds: order.round_clouds,
        accept_loss: order.accept_loss,
    })
}

fn read_form(order: &proto::FormTaskForce) -> Result<Order, Malformed> {
    let marker = field("task_force", read_marker(order.task_force))?;
    Ok(Order::Form { ships: read_ship_numbers("ships", &order.ships)?, marker })
}

fn read_battle(kind: &Kind) -> Read {
    Some(match kind {
        Kind::Fight(order) => field("fight.at", read_place(&order.at)).map(|at| Order::Fight { at }),
        Kind::Aim(order) => field("aim", read_shots("shots", &order.shots)).map(|shots| Order::Aim { shots }),
        Kind::Withdraw(order) => field("withdraw", read_withdraw(order)),
        Kind::SendTo(order) => field("send_to.at", read_place(&order.at)).map(|at| Order::SendTo { at }),
        Kind::AttackColonies(order) => {
            let planets = list("planets", &order.planets, ROWS_MAX, |planet| read_planet(Some(planet)));
            field("attack_colonies", planets).map(|planets| Order::Attack { planets })
        }
        Kind::BreakOff(_) => Ok(Order::BreakOff),
        Kind::Scuttle(order) => {
            let factories = list("colonies", &order.colonies, ROWS_MAX, |row| read_factories(Some(row)));
            field("scuttle", factories).map(|factories| Order::Scuttle { factories })
        }
        _ => return None,
    })
}

fn read_withdraw(order: &proto::Withdraw) -> Result<Order, Malformed> {
    Ok(Order::Withdraw { groups: list("groups", &order.groups, ROWS_MAX, read_withdrawal)? })
}

fn read_withdrawal(group: &proto::WithdrawGroup) -> Result<Withdrawal, Malformed> {
    let destination = field("destination", read_star_if(&group.destination))?;
    Ok(Withdrawal { units: read_unit_ids("units", &group.units)?, destination })
}

fn read_factories(message: Option<&proto::Factories>) -> Result<(PlanetId, u32), Malformed> {
    let message = need(message)?;
    Ok((field("planet", read_planet(message.planet.as_ref()))?, message.factories))
}

fn read_planets(kind: &Kind) -> Result<Order, Malformed> {
    match kind {
        Kind::SetWatch(order) => {
            let planet = field("set_watch.planet", read_planet(order.planet.as_ref()))?;
            Ok(Order::Watch { planet, watch: field("set_watch.watch", read_word(&WATCHES, order.watch))? })
        }
        Kind::Inspect(order) => Ok(Order::Inspect { glimpse: order.glimpse, look: order.look }),
        Kind::Raze(order) => {
            let (planet, factories) = field("raze.factories", read_factories(order.factories.as_ref()))?;
            Ok(Order::Raze { planet, factories })
        }
        Kind::KillPeople(order) => {
            let planet = field("kill_people.planet", read_planet(order.planet.as_ref()))?;
            Ok(Order::Kill { planet, millions: field("kill_people.millions", narrow(order.millions))? })
        }
        Kind::Land(order) => {
            let planet = field("land.planet", read_planet(order.planet.as_ref()))?;
            Ok(Order::Land { ships: field("land", read_ship_numbers("ships", &order.ships))?, planet })
        }
        _ => field("kind", super::wrong("the order is not known")),
    }
}

pub(super) fn write(order: &Order) -> proto::Order {
    let kind = match order {
        Order::Outfit(outfit) => match write_outfit(outfit) {
            OutfitMessage::Bonus(bonus) => Kind::SpendBonus(bonus),
            OutfitMessage::Commission(commission) => Kind::Commission(commission),
        },
        Order::Standing(standing) => Kind::StandingOrders(write_standing(*standing)),
        Order::Watch { planet, watch } => {
            Kind::SetWatch(proto::SetWatch { planet: Some(write_planet(*planet)), watch: write_word(&WATCHES, *watch) })
        }
        Order::Inspect { glimpse, look } => Kind::Inspect(proto::Inspect { glimpse: *glimpse, look: *look }),
        Order::Recall { ships } => Kind::Recall(proto::Recall { ships: write_ship_numbers(ships) }),
        Order::Move(voyage) => Kind::MoveShips(write_voyage(voyage)),
        Order::Form { ships, marker } => Kind::FormTaskForce(proto::FormTaskForce {
            ships: write_ship_numbers(ships),
            task_force: write_marker(*marker),
        }),
        Order::Post { star, up } => Kind::SetPost(proto::SetPost { star: star.to_string(), up: *up }),
        Order::EndMovement => Kind::EndMovement(proto::EndMovement {}),
        Order::EndTurn => Kind::EndTurn(proto::EndTurn {}),
        Order::Produce(sheet) => Kind::Produce(write_production(sheet)),
        Order::Decree(sheet) => Kind::Decree(write_decree(sheet)),
        Order::Raid(sortie) => Kind::LaunchRaid(proto::LaunchRaid {
            ships: write_ship_numbers(&sortie.ships),
            target: sortie.target.to_string(),
            rounds: u32::from(sortie.rounds),
            path: write_names(&sortie.path),
        }),
        Order::Place { at, destination } => {
            Kind::PlaceShips(proto::PlaceShips { at: at.to_string(), destination: write_if(*destination) })
        }
        other => write_fight(other),
    };
    proto::Order { kind: Some(kind) }
}

fn write_voyage(voyage: &Voyage) -> proto::MoveShips {
    proto::MoveShips {
        ships: write_ship_numbers(&voyage.ships),
        path: write_names(&voyage.path),
        destination: write_if(voyage.destination),
        avoiding: write_names(&voyage.avoiding),
        round_clouds: voyage.round_clouds,
        accept_loss: voyage.accept_loss,
    }
}

/// Orders of steps 3 to 5. Whatever else there is was written before.
fn write_fight(order: &Order) -> Kind {
    match order {
        Order::Fight { at } => Kind::Fight(proto::Fight { at: at.to_string() }),
        Order::Aim { shots } => Kind::Aim(proto::Aim { shots: write_shots(shots) }),
        Order::Withdraw { groups } => {
            Kind::Withdraw(proto::Withdraw { groups: groups.iter().map(write_withdrawal).collect() })
        }
        Order::SendTo { at } => Kind::SendTo(proto::SendTo { at: at.to_string() }),
        Order::Attack { planets } => {
            let planets = planets.iter().copied().map(write_planet).collect();
            Kind::AttackColonies(proto::AttackColonies { planets })
        }
        Order::Scuttle { factories } => {
            Kind::Scuttle(proto::Scuttle { colonies: factories.iter().copied().map(write_factories).collect() })
        }
        Order::Raze { planet, factories } => {
            Kind::Raze(proto::Raze { factories: Some(write_factories((*planet, *factories))) })
        }
        Order::Kill { planet, millions } => {
            Kind::KillPeople(proto::KillPeople { planet: Some(write_planet(*planet)), millions: u32::from(*millions) })
        }
        Order::Land { ships, planet } => {
            Kind::Land(proto::Land { ships: write_ship_numbers(ships), planet: Some(write_planet(*planet)) })
        }
        _ => Kind::BreakOff(proto::BreakOff {}),
    }
}

fn write_withdrawal(group: &Withdrawal) -> proto::WithdrawGroup {
    proto::WithdrawGroup { units: write_unit_ids(&group.units), destination: write_if(group.destination) }
}

pub(super) fn write_factories((planet, factories): (PlanetId, u32)) -> proto::Factories {
    proto::Factories { planet: Some(write_planet(planet)), factories }
}
