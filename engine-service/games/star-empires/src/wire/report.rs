//! Turn reports, and what became of lines.

use heliopause_kernel::Malformed;
use heliopause_proto::star_empires::v1 as proto;
use proto::news::Kind;

use super::chart::{need_chart, read_permille, write as write_chart};
use super::galaxy::{read_class, write_class};
use super::names::{
    LIST_MAX, read_coord, read_deed, read_fate, read_list, read_name, read_name_if, read_reason, read_seat,
    read_section, read_serial, read_siege, read_some_name, read_some_seat, read_verdict, write_coord, write_deed,
    write_fate, write_name, write_reason, write_serial, write_siege, write_some_name, write_some_seat, write_sum,
    write_verdict,
};
use super::order::{read_fault, read_line, write_fault, write_line};
use super::wrong;
use crate::order::LINES_MAX;
use crate::reason::{Check, Remark};
use crate::report::{Item, LineResult, News, Picture, Report, ShipNamed, Source};

pub(super) fn read(message: Option<&proto::Report>, field: &str) -> Result<Report, Malformed> {
    let Some(message) = message else { return Ok(Report::default()) };
    let part = |name: &str| format!("{field}.{name}");
    Ok(Report {
        turn: message.turn,
        results: read_list(&message.results, LINES_MAX, &part("results"), read_result)?,
        news: read_list(&message.news, LIST_MAX, &part("news"), read_news)?,
        pictures: read_list(&message.pictures, LIST_MAX, &part("pictures"), read_picture)?,
    })
}

pub(super) fn write(report: &Report) -> proto::Report {
    proto::Report {
        turn: report.turn,
        results: report.results.iter().map(write_result).collect(),
        news: report.news.iter().map(write_news).collect(),
        pictures: report.pictures.iter().map(write_picture).collect(),
    }
}

fn read_result(message: &proto::LineResult, field: &str) -> Result<LineResult, Malformed> {
    Ok(LineResult {
        line: read_line(Malformed::need(message.line.as_ref(), field)?, &format!("{field}.line"))?,
        fate: read_fate(message.status, field)?,
        remarks: read_remarks(&message.remarks, field)?,
    })
}

fn write_result(result: &LineResult) -> proto::LineResult {
    proto::LineResult {
        line: Some(write_line(&result.line)),
        status: write_fate(result.fate),
        remarks: write_remarks(&result.remarks),
    }
}

pub(super) fn read_remarks(list: &[proto::Remark], field: &str) -> Result<Vec<Remark>, Malformed> {
    let remark = |remark: &proto::Remark, field: &str| {
        Ok(Remark { item: read_name_if(&remark.item, field)?, reason: read_reason(remark.reason, field)? })
    };
    read_list(list, LIST_MAX, &format!("{field}.remarks"), remark)
}

pub(super) fn write_remarks(remarks: &[Remark]) -> Vec<proto::Remark> {
    let remark = |remark: &Remark| proto::Remark { item: write_name(remark.item), reason: write_reason(remark.reason) };
    remarks.iter().map(remark).collect()
}

pub(super) fn read_checks(list: &[proto::Check], field: &str) -> Result<Vec<Check>, Malformed> {
    read_list(list, LINES_MAX, field, |check, field| match check.line.checked_sub(1) {
        None => wrong(field, "lines are counted from 1"),
        Some(line) => {
            let verdict = read_verdict(check.status, field)?;
            let design = check.design.as_ref().map(|class| read_class(class, field)).transpose()?;
            let fault = check.fault.as_ref().map(|fault| read_fault(fault, field)).transpose()?;
            Ok(Check { line, verdict, remarks: read_remarks(&check.remarks, field)?, design, fault })
        }
    })
}

pub(super) fn write_checks(checks: &[Check]) -> Vec<proto::Check> {
    let check = |check: &Check| proto::Check {
        line: check.line.saturating_add(1),
        status: write_verdict(check.verdict),
        remarks: write_remarks(&check.remarks),
        design: check.design.as_ref().map(write_class),
        fault: check.fault.as_ref().map(write_fault),
    };
    checks.iter().map(check).collect()
}

fn read_picture(message: &proto::Picture, field: &str) -> Result<Picture, Malformed> {
    let section = read_section(&message.phase, field)?;
    Ok(Picture { section, seen: need_chart(message.seen.as_ref(), &format!("{field}.seen"))? })
}

fn write_picture(picture: &Picture) -> proto::Picture {
    proto::Picture { phase: picture.section.number().to_owned(), seen: Some(write_chart(&picture.seen)) }
}

fn read_news(message: &proto::News, field: &str) -> Result<News, Malformed> {
    let at = message.at.as_ref().map(|at| read_coord(Some(at), field)).transpose()?;
    let item = read_item(Malformed::need(message.kind.as_ref(), field)?, field)?;
    Ok(News { section: read_section(&message.phase, field)?, at, item })
}

fn write_news(news: &News) -> proto::News {
    proto::News {
        phase: news.section.number().to_owned(),
        at: news.at.map(write_coord),
        kind: Some(write_item(&news.item)),
    }
}

fn read_item(kind: &Kind, field: &str) -> Result<Item, Malformed> {
    Ok(match kind {
        Kind::Ship(news) => Item::Ship {
            ship: read_ship(Malformed::need(news.ship.as_ref(), field)?, field)?,
            deed: read_deed(news.deed, field)?,
            amount: news.amount,
            permille: read_permille(news.rating_permille, field)?,
        },
        Kind::Owner(news) => Item::Owner {
            world: read_name(&news.world, field)?,
            from: read_some_seat(news.former_owner, field)?,
            to: read_some_seat(news.new_owner, field)?,
        },
        Kind::Siege(news) => {
            Item::Siege { world: read_name(&news.world, field)?, siege: read_siege(news.siege, field)? }
        }
        Kind::Portal(news) => Item::Portal { portal: read_name(&news.portal, field)?, collapsed: news.collapsed },
        Kind::Homeworld(news) => Item::Homeworld(read_some_name(&news.world, field)?),
        Kind::Navigation(news) => {
            Item::Navigation { portal: read_name(&news.portal, field)?, from: read_some_seat(news.from_empire, field)? }
        }
        Kind::ShipClass(news) => {
            Item::Class { class: read_name(&news.ship_class, field)?, source: read_source(news, field)? }
        }
        Kind::Delivery(news) => Item::Delivery {
            from: read_seat(news.from_empire, field)?,
            world: read_name(&news.world, field)?,
            amount: news.amount,
        },
        Kind::Production(news) => Item::Production(news.amount.into()),
        Kind::Contact(news) => Item::Contact(read_seat(news.empire, field)?),
    })
}

fn write_item(item: &Item) -> Kind {
    match *item {
        Item::Ship { ship, deed, amount, permille } => Kind::Ship(proto::ShipNews {
            ship: Some(write_ship(ship)),
            deed: write_deed(deed),
            amount,
            rating_permille: permille.into(),
        }),
        Item::Owner { world, from, to } => {
            let (from, to) = (write_some_seat(from), write_some_seat(to));
            Kind::Owner(proto::OwnerNews { world: write_name(world), former_owner: from, new_owner: to })
        }
        Item::Siege { world, siege } => {
            Kind::Siege(proto::SiegeNews { world: write_name(world), siege: write_siege(siege) })
        }
        Item::Portal { portal, collapsed } => Kind::Portal(proto::PortalNews { portal: write_name(portal), collapsed }),
        Item::Homeworld(world) => Kind::Homeworld(proto::HomeworldNews { world: write_some_name(world) }),
        Item::Navigation { portal, from } => {
            Kind::Navigation(proto::NavigationNews { portal: write_name(portal), from_empire: write_some_seat(from) })
        }
        Item::Class { class, source } => {
            let (source, from) = write_source(source);
            Kind::ShipClass(proto::ClassNews { ship_class: write_name(class), source, from_empire: from })
        }
        Item::Delivery { from, world, amount } => {
            Kind::Delivery(proto::DeliveryNews { from_empire: from.number(), world: write_name(world), amount })
        }
        Item::Production(amount) => Kind::Production(proto::ProductionNews { amount: write_sum(amount) }),
        Item::Contact(seat) => Kind::Contact(proto::ContactNews { empire: seat.number() }),
    }
}

fn read_ship(ship: &proto::ShipNamed, field: &str) -> Result<ShipNamed, Malformed> {
    Ok(ShipNamed {
        owner: read_seat(ship.owner, field)?,
        serial: read_serial(&ship.serial, field)?,
        name: read_name_if(&ship.name, field)?,
        class: read_name(&ship.ship_class, field)?,
    })
}

fn write_ship(ship: ShipNamed) -> proto::ShipNamed {
    proto::ShipNamed {
        owner: ship.owner.number(),
        serial: write_serial(ship.serial),
        name: write_name(ship.name),
        ship_class: write_name(ship.class),
    }
}

fn read_source(news: &proto::ClassNews, field: &str) -> Result<Source, Malformed> {
    match proto::Source::try_from(news.source) {
        Ok(proto::Source::Salvaged) => Ok(Source::Salvaged),
        Ok(proto::Source::Designed) => Ok(Source::Designed),
        Ok(proto::Source::Given) => read_seat(news.from_empire, field).map(Source::Given),
        Ok(proto::Source::Master) => Ok(Source::Master),
        _ => wrong(field, "say how the class became known"),
    }
}

fn write_source(source: Source) -> (i32, u32) {
    match source {
        Source::Salvaged => (proto::Source::Salvaged.into(), 0),
        Source::Designed => (proto::Source::Designed.into(), 0),
        Source::Given(seat) => (proto::Source::Given.into(), seat.number()),
        Source::Master => (proto::Source::Master.into(), 0),
    }
}
