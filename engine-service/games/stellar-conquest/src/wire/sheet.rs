//! Sheets of setup and production, and standing orders.

use heliopause_kernel::Malformed;
use heliopause_proto::stellar_conquest::v1 as proto;

use super::names::{
    TECHNOLOGIES, narrow, read_planet, read_stars, read_techs, read_word, read_word_or_first, write_names,
    write_planet, write_techs, write_word,
};
use super::politics::{read_decree, write_decree};
use super::{field, list, need, wrong};
use crate::prices::Item;
use crate::sheet::{ColonyPlan, LINES_MAX, Outfit, Payment, ProductionSheet, Sheet, Spending};
use crate::standing::{FirePolicy, RefugePolicy, ScuttlePolicy, StandingOrders, StayPolicy};

/// What can be built; transports are built by emigration alone.
pub(super) const ITEMS: [(Item, proto::Item); 8] = [
    (Item::Scout, proto::Item::Scout),
    (Item::Corvette, proto::Item::Corvette),
    (Item::Fighter, proto::Item::Fighter),
    (Item::DeathStar, proto::Item::DeathStar),
    (Item::Factory, proto::Item::Factory),
    (Item::MissileBase, proto::Item::MissileBase),
    (Item::AdvancedMissileBase, proto::Item::AdvancedMissileBase),
    (Item::PlanetShield, proto::Item::PlanetShield),
];

const FIRE: [(FirePolicy, proto::FirePolicy); 4] = [
    (FirePolicy::Ask, proto::FirePolicy::Ask),
    (FirePolicy::Spread, proto::FirePolicy::Spread),
    (FirePolicy::Focus, proto::FirePolicy::Focus),
    (FirePolicy::Hold, proto::FirePolicy::Hold),
];

const STAY: [(StayPolicy, proto::StayPolicy); 5] = [
    (StayPolicy::Ask, proto::StayPolicy::Ask),
    (StayPolicy::Always, proto::StayPolicy::Always),
    (StayPolicy::WhileMoreWarships, proto::StayPolicy::WhileMoreWarships),
    (StayPolicy::WhileNoFewerWarships, proto::StayPolicy::WhileNoFewerWarships),
    (StayPolicy::Never, proto::StayPolicy::Never),
];

const REFUGE: [(RefugePolicy, proto::RefugePolicy); 2] =
    [(RefugePolicy::Ask, proto::RefugePolicy::Ask), (RefugePolicy::Away, proto::RefugePolicy::Away)];

const SCUTTLE: [(ScuttlePolicy, proto::ScuttlePolicy); 3] = [
    (ScuttlePolicy::Ask, proto::ScuttlePolicy::Ask),
    (ScuttlePolicy::Never, proto::ScuttlePolicy::Never),
    (ScuttlePolicy::WhenLost, proto::ScuttlePolicy::WhenLost),
];

pub(super) fn read_standing(message: Option<&proto::StandingOrders>) -> Result<StandingOrders, Malformed> {
    let Some(message) = message else { return Ok(StandingOrders::default()) };
    Ok(StandingOrders {
        fire: field("fire", read_word_or_first(&FIRE, message.fire))?,
        stay: field("stay", read_word_or_first(&STAY, message.stay))?,
        scouts_leave: message.scouts_leave,
        transports_leave: message.transports_leave,
        refuge: field("refuge", read_word_or_first(&REFUGE, message.refuge))?,
        scuttle: field("scuttle", read_word_or_first(&SCUTTLE, message.scuttle))?,
    })
}

pub(super) fn write_standing(standing: StandingOrders) -> proto::StandingOrders {
    proto::StandingOrders {
        fire: write_word(&FIRE, standing.fire),
        stay: write_word(&STAY, standing.stay),
        scouts_leave: standing.scouts_leave,
        transports_leave: standing.transports_leave,
        refuge: write_word(&REFUGE, standing.refuge),
        scuttle: write_word(&SCUTTLE, standing.scuttle),
    }
}

fn read_payment(message: proto::Payment) -> Result<Payment, Malformed> {
    let tech = field("technology", read_word(&TECHNOLOGIES, message.technology))?;
    Ok(Payment { tech, points: message.points })
}

pub(super) fn write_payment(payment: Payment) -> proto::Payment {
    proto::Payment { technology: write_word(&TECHNOLOGIES, payment.tech), points: payment.points }
}

pub(super) fn read_bonus(message: &proto::SpendBonus) -> Result<Outfit, Malformed> {
    Ok(Outfit::Bonus {
        scouts: message.scouts,
        corvettes: message.corvettes,
        research: list("research", &message.research, LINES_MAX, |payment| read_payment(*payment))?,
    })
}

pub(super) fn read_commission(message: &proto::Commission) -> Result<Outfit, Malformed> {
    let technologies = read_techs("technologies", &message.technologies)?;
    let [one, other] = technologies[..] else { return field("technologies", wrong("choose two")) };
    Ok(Outfit::Commission { corvettes: message.corvettes, scouts: message.scouts, technologies: [one, other] })
}

/// The two ways in which a game begins, which are two messages.
pub(super) enum OutfitMessage {
    Bonus(proto::SpendBonus),
    Commission(proto::Commission),
}

pub(super) fn write_outfit(outfit: &Outfit) -> OutfitMessage {
    match outfit {
        Outfit::Bonus { scouts, corvettes, research } => OutfitMessage::Bonus(proto::SpendBonus {
            scouts: *scouts,
            corvettes: *corvettes,
            research: research.iter().copied().map(write_payment).collect(),
        }),
        Outfit::Commission { corvettes, scouts, technologies } => OutfitMessage::Commission(proto::Commission {
            corvettes: *corvettes,
            scouts: *scouts,
            technologies: write_techs(*technologies),
        }),
    }
}

fn read_spending(message: &proto::Spending) -> Result<Spending, Malformed> {
    use proto::spending::Kind;
    match need(message.kind.as_ref())? {
        Kind::Build(build) => {
            let item = field("build.item", read_word(&ITEMS, build.item))?;
            Ok(Spending::Build { item, count: build.count })
        }
        Kind::Research(payment) => field("research", read_payment(*payment)).map(Spending::Research),
    }
}

/// So many of an item.
pub(super) fn read_build(message: proto::Build) -> Result<(Item, u32), Malformed> {
    Ok((field("item", read_word(&ITEMS, message.item))?, message.count))
}

pub(super) fn write_build((item, count): (Item, u32)) -> proto::Build {
    proto::Build { item: write_word(&ITEMS, item), count }
}

fn write_spending(spending: Spending) -> proto::Spending {
    use proto::spending::Kind;
    let kind = match spending {
        Spending::Build { item, count } => Kind::Build(proto::Build { item: write_word(&ITEMS, item), count }),
        Spending::Research(payment) => Kind::Research(write_payment(payment)),
    };
    proto::Spending { kind: Some(kind) }
}

fn read_plan(message: &proto::ColonyPlan) -> Result<ColonyPlan, Malformed> {
    Ok(ColonyPlan {
        planet: field("planet", read_planet(message.planet.as_ref()))?,
        emigrants: field("emigrants", narrow(message.emigrants))?,
        bonus: field("bonus", narrow(message.bonus))?,
        evacuate: message.evacuate,
        spending: list("spending", &message.spending, LINES_MAX, read_spending)?,
    })
}

fn write_plan(plan: &ColonyPlan) -> proto::ColonyPlan {
    proto::ColonyPlan {
        planet: Some(write_planet(plan.planet)),
        emigrants: u32::from(plan.emigrants),
        bonus: u32::from(plan.bonus),
        evacuate: plan.evacuate,
        spending: plan.spending.iter().copied().map(write_spending).collect(),
    }
}

/// A production sheet. All its lines together have one limit, so that judging it is bounded.
pub(super) fn read_production(message: &proto::Produce) -> Result<ProductionSheet, Malformed> {
    let lines: usize = message.colonies.iter().map(|colony| colony.spending.len() + 1).sum();
    if lines > LINES_MAX {
        return field("colonies", wrong(format!("a sheet has at most {LINES_MAX} lines")));
    }
    let read_posts = |posts: &proto::PostPlan| read_stars("posts.stars", &posts.stars);
    Ok(ProductionSheet {
        colonies: list("colonies", &message.colonies, LINES_MAX, read_plan)?,
        posts: message.posts.as_ref().map(read_posts).transpose()?,
        grant: list("grant", &message.grant, LINES_MAX, |payment| read_payment(*payment))?,
    })
}

pub(super) fn write_production(sheet: &ProductionSheet) -> proto::Produce {
    proto::Produce {
        colonies: sheet.colonies.iter().map(write_plan).collect(),
        posts: sheet.posts.as_ref().map(|stars| proto::PostPlan { stars: write_names(stars) }),
        grant: sheet.grant.iter().copied().map(write_payment).collect(),
    }
}

/// What was handed in; nothing if the message is absent or empty.
pub(super) fn read_sheet(message: Option<&proto::Sheet>) -> Result<Sheet, Malformed> {
    use proto::sheet::Kind;
    match message.and_then(|message| message.kind.as_ref()) {
        None => Ok(Sheet::None),
        Some(Kind::SpendBonus(bonus)) => field("spend_bonus", read_bonus(bonus)).map(Sheet::Outfit),
        Some(Kind::Commission(commission)) => field("commission", read_commission(commission)).map(Sheet::Outfit),
        Some(Kind::Produce(sheet)) => field("produce", read_production(sheet)).map(Sheet::Production),
        Some(Kind::Decree(sheet)) => field("decree", read_decree(sheet)).map(Sheet::Decree),
    }
}

pub(super) fn write_sheet(sheet: &Sheet) -> Option<proto::Sheet> {
    use proto::sheet::Kind;
    let kind = match sheet {
        Sheet::None => return None,
        Sheet::Outfit(outfit) => match write_outfit(outfit) {
            OutfitMessage::Bonus(bonus) => Kind::SpendBonus(bonus),
            OutfitMessage::Commission(commission) => Kind::Commission(commission),
        },
        Sheet::Production(sheet) => Kind::Produce(write_production(sheet)),
        Sheet::Decree(sheet) => Kind::Decree(write_decree(sheet)),
    };
    Some(proto::Sheet { kind: Some(kind) })
}
