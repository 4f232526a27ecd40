//! What is public.

use heliopause_kernel::{Malformed, Seat};
use heliopause_proto::stellar_conquest::v1 as proto;

use super::fate::LEVELS;
use super::names::{
    narrow, read_place, read_places, read_seat, read_seat_set, read_seats, read_star, read_word, write_names,
    write_seat_set, write_word,
};
use super::{ROWS_MAX, battle, fate, field, list, need, options, politics, wrong};
use crate::board::Place;
use crate::campaign::fate::RecallStep;
use crate::campaign::{CampaignStage, Grade};
use crate::options::Options;
use crate::table::{Ending, Groups, Post, Stage, Table};

pub(super) fn read_stage(message: Option<&proto::Stage>) -> Result<Stage, Malformed> {
    use proto::stage::Kind;
    Ok(match field("kind", need(need(message)?.kind.as_ref()))? {
        Kind::Setup(_) => Stage::Setup,
        Kind::Recall(recall) => Stage::Campaign(CampaignStage::Recall {
            half_points: recall.half_points,
            when: if recall.debt { RecallStep::Debt } else { RecallStep::Event },
        }),
        Kind::Place(place) => Stage::Campaign(CampaignStage::Place { at: field("place.at", read_place(&place.at))? }),
        Kind::Movement(_) => Stage::Movement,
        Kind::Combat(_) => Stage::Combat,
        Kind::Fighting(_) => Stage::Battle,
        Kind::Planets(_) => Stage::Planets,
        Kind::Production(_) => Stage::Production,
        Kind::Over(_) => Stage::Over,
    })
}

pub(super) fn write_stage(stage: Stage) -> proto::Stage {
    use proto::stage::Kind;
    let kind = match stage {
        Stage::Setup => Kind::Setup(proto::SetupStage {}),
        Stage::Campaign(CampaignStage::Recall { half_points, when }) => {
            Kind::Recall(proto::RecallStage { half_points, debt: when == RecallStep::Debt })
        }
        Stage::Campaign(CampaignStage::Place { at }) => Kind::Place(proto::PlaceStage { at: at.to_string() }),
        Stage::Movement => Kind::Movement(proto::MovementStage {}),
        Stage::Combat => Kind::Combat(proto::CombatStage {}),
        Stage::Battle => Kind::Fighting(proto::FightingStage {}),
        Stage::Planets => Kind::Planets(proto::PlanetsStage {}),
        Stage::Production => Kind::Production(proto::ProductionStage {}),
        Stage::Over => Kind::Over(proto::OverStage {}),
    };
    proto::Stage { kind: Some(kind) }
}

pub(super) fn read_ending(message: Option<&proto::Ending>) -> Result<Ending, Malformed> {
    let message = need(message)?;
    let level = message.level;
    let grade = if level == 0 { None } else { Some(Grade::Fate(field("level", read_word(&LEVELS, level))?)) };
    Ok(Ending {
        winners: read_seat_set("winners", &message.winners)?,
        points: list("points", &message.points, super::names::SEATS_MAX, |&points| Ok(points))?,
        grade,
    })
}

pub(super) fn write_ending(ending: &Ending) -> proto::Ending {
    proto::Ending {
        winners: write_seat_set(ending.winners),
        points: ending.points.clone(),
        level: ending.grade.map_or(0, |Grade::Fate(level)| write_word(&LEVELS, level)),
    }
}

/// A hex, a seat, and how many groups of its ships stand there.
pub(super) fn read_groups(message: &proto::Groups) -> Result<(Seat, Place, u8), Malformed> {
    if message.groups > u32::from(Groups::MAX) {
        return field("groups", wrong("there are 15 task forces, and loose ships"));
    }
    let seat = field("seat", read_seat(message.seat))?;
    Ok((seat, field("at", read_place(&message.at))?, field("groups", narrow(message.groups))?))
}

pub(super) fn write_groups(seat: Seat, at: Place, groups: u8) -> proto::Groups {
    proto::Groups { seat: seat.number(), at: at.to_string(), groups: u32::from(groups) }
}

pub(super) fn read_post(message: &proto::SeatPlace) -> Result<Post, Malformed> {
    Ok(Post { seat: field("seat", read_seat(message.seat))?, star: field("star", read_star(&message.star))? })
}

pub(super) fn write_post(post: Post) -> proto::SeatPlace {
    proto::SeatPlace { seat: post.seat.number(), star: post.star.to_string() }
}

/// The seats' places, sorted.
fn read_posts(name: &str, messages: &[proto::SeatPlace]) -> Result<Vec<Post>, Malformed> {
    let mut posts = list(name, messages, ROWS_MAX, read_post)?;
    posts.sort_unstable();
    Ok(posts)
}

pub(super) fn read(message: Option<&proto::Table>) -> Result<Table, Malformed> {
    let message = need(message)?;
    let options = message.options.map_or_else(|| Ok(Options::default()), options::read);
    let options = field("options", options)?;
    let players = message.players as usize;
    if !options.players().contains(&players) {
        return field("players", wrong("the game is not for so many"));
    }
    let mut table = Table::new(options, players);
    table.turn = field("turn", narrow(message.turn))?;
    table.order = read_seats("order", &message.order)?;
    table.active = field("active", read_seat(message.active))?;
    table.stage = field("stage", read_stage(message.stage.as_ref()))?;
    table.entries = read_places("entries", &message.entries)?;
    table.posts = read_posts("posts", &message.posts)?;
    table.shown = read_posts("shown", &message.shown)?;
    for (seat, at, groups) in list("groups", &message.groups, ROWS_MAX, read_groups)? {
        match table.groups.get_mut(seat.index()) {
            Some(shown) => shown.set(at, groups),
            None => return field("groups", wrong("there is no such seat")),
        }
    }
    let battle = message.battle.as_ref().map(|battle| field("battle", battle::read(Some(battle))));
    table.battle = battle.transpose()?.map(Box::new);
    match (table.campaign.fate_mut(), &message.fate) {
        (Some(fate), given) => *fate = field("fate", fate::read(given.as_ref()))?,
        (None, Some(_)) => return field("fate", wrong("it belongs to The Fate of Empire")),
        (None, None) => {}
    }
    match (table.campaign.politics_mut(), &message.politics) {
        (Some(politics), given) => *politics = field("politics", politics::read(given.as_ref()))?,
        (None, Some(_)) => return field("politics", wrong("it belongs to Alone in Outer Space")),
        (None, None) => {}
    }
    let ending = message.ending.as_ref().map(|ending| field("ending", read_ending(Some(ending))));
    table.ending = ending.transpose()?;
    Ok(table)
}

pub(super) fn write(table: &Table) -> proto::Table {
    let groups = |(index, groups): (usize, &Groups)| -> Vec<proto::Groups> {
        groups.iter().map(|(at, count)| write_groups(Seat::at(index), at, count)).collect()
    };
    proto::Table {
        options: Some(options::write_of_table(table.options)),
        players: table.players as u32,
        turn: u32::from(table.turn),
        order: table.order.iter().map(|seat| seat.number()).collect(),
        active: table.active.number(),
        stage: Some(write_stage(table.stage)),
        entries: write_names(&table.entries),
        groups: table.groups.iter().enumerate().flat_map(groups).collect(),
        posts: table.posts.iter().copied().map(write_post).collect(),
        shown: table.shown.iter().copied().map(write_post).collect(),
        battle: table.battle.as_deref().map(battle::write),
        politics: table.campaign.politics().map(|politics| politics::write(politics, table.players)),
        fate: table.campaign.fate().map(fate::write),
        ending: table.ending.as_ref().map(write_ending),
    }
}
