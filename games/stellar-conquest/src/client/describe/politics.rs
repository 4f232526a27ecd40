//! Descriptions of events of Alone in Outer Space.

use heliopause_kernel::{Seat, SeatSet};

use crate::client::describe::words::{Description, Names, halves, row};
use crate::state::{Era, Incident, PoliticsEvent, Quarrel, War, WarKind};
use crate::tables::outer_space::{Area, Happening, Talks, Terms, Verdict, priorities};

#[expect(clippy::too_many_lines, reason = "one arm for each event")]
pub(super) fn describe(event: &PoliticsEvent, names: Names<'_>) -> Description {
    use PoliticsEvent::{
        Ceded, ChangedSides, Claimed, Departed, Encountered, EraBegan, Escalated, Fell,
        IncidentBegan, IncidentEnded, IncidentRolled, Joined, LeftWar, PeaceMade, PriorityRolled,
        ProductionEnded, RaidEnded, RaidFought, RaidLaunched, Rolled, Scored, Talked, TensionRose,
        TruceChanged, Vacated, WarBegan, WarEnded,
    };

    match event {
        Claimed { seat, star } => (format!("{} claims {star}.", names(*seat)), "space-2"),
        EraBegan { era: begun } => (era(*begun).to_owned(), "space-5"),
        Ceded { star, to, enslaved: false } => {
            (format!("{star} is ceded to {} and its people leave.", names(*to)), "space-10.4")
        }
        Ceded { star, to, enslaved: true } => {
            (format!("{star} falls to {} and its people become slaves.", names(*to)), "space-10.5")
        }
        Vacated { planet: at } => {
            (format!("The terran colony on {at} is evacuated for its new owner."), "space-6.1")
        }
        Fell { seat } => (format!("{} is conquered and eliminated.", names(*seat)), "space-11"),
        ProductionEnded => ("The production turn is over.".to_owned(), "space-6"),
        IncidentBegan(incident) => match incident.quarrel {
            Quarrel::Clash { .. } => {
                (format!("{} clash.", both(incident.pair, names)), "space-9.1")
            }
            Quarrel::Dispute { star } => {
                let [claimant, owner] = incident.pair.map(names);
                (format!("{claimant} claims {star} from {owner}."), "space-9.2")
            }
        },
        IncidentRolled { incident, dice: [one, two], modifier, verdict } => {
            let (becomes, rule) = match (verdict, incident.quarrel) {
                (Verdict::Ends, Quarrel::Clash { .. }) => ("ends", "space-9.1"),
                (Verdict::Ends, Quarrel::Dispute { .. }) => ("goes to arbitration", "space-9.2"),
                (Verdict::GoesOn, _) => ("continues", "space-9"),
                (Verdict::War, _) => ("leads to war", "space-9"),
            };
            let sum = one + two + modifier;
            (format!("The dice total {sum}: {} {becomes}.", quarrel(incident, names)), rule)
        }
        IncidentEnded { pair } => {
            (format!("The incident between {} is over.", both(*pair, names)), "space-9")
        }
        TensionRose { pair, by } => {
            (format!("The tension between {} rises by {by}.", both(*pair, names)), "space-9.1")
        }
        RaidLaunched(raid) => {
            (format!("{} raids {} from {}.", names(raid.seat), raid.at, raid.from), "space-9.1")
        }
        RaidFought { at } => (format!("The raiders strike at {at}."), "space-9.1"),
        RaidEnded { at } => (format!("The raid on {at} is over."), "space-9.1"),
        WarBegan(war) => (began(war, names), "space-8.2"),
        Escalated => ("The limited war becomes total.".to_owned(), "space-8.2"),
        Joined { seat, against } => {
            (format!("{} joins the war against {}.", names(*seat), names(*against)), "space-8.2")
        }
        ChangedSides { seat } => {
            (format!("{} turns against its allies and changes sides.", names(*seat)), "space-8.2")
        }
        Departed { seat } => {
            (format!("{} has left the stars of its old enemies.", names(*seat)), "space-8.2")
        }
        LeftWar { seat } => (format!("{} is no longer in the war.", names(*seat)), "space-8.2"),
        TruceChanged { truce: true } => ("A truce is in force.".to_owned(), "space-8.4"),
        TruceChanged { truce: false } => {
            ("The truce is over: the war continues.".to_owned(), "space-8.4")
        }
        Scored { seat, half_points } => (
            format!("{} scores success points: {}.", names(*seat), halves(*half_points)),
            "space-10.2",
        ),
        PeaceMade { sides, half_points, terms, winner } => {
            (peace(*sides, *half_points, *terms, *winner, names), "space-10.3")
        }
        WarEnded => ("The war is over: one side is eliminated.".to_owned(), "space-11"),
        Encountered { seat, star, dice: [one, two] } => {
            let ends =
                if one + two >= 11 { "shots are exchanged" } else { "greetings are exchanged" };
            (format!("At {star} {} meets others: {ends}.", names(*seat)), "space-7.1")
        }
        Rolled { dice: [one, two], modifier, diplomatic_event: event, pair, .. } => {
            let between =
                pair.map_or_else(String::new, |pair| format!(" between {}", both(pair, names)));
            let sum = one + two + modifier;
            (
                format!("The diplomacy dice total {sum}: {}{between}.", happening(*event)),
                "space-8.1",
            )
        }
        Talked { dice: [one, two], modifier, talks } => {
            let result = match talks {
                Talks::Failure => "they fail",
                Talks::Truce => "they bring a truce",
                Talks::Treaty => "they bring peace",
            };
            (
                format!("The dice for the talks total {}: {result}.", one + two + modifier),
                "space-8.3",
            )
        }
        PriorityRolled { seat, die, modifier } => {
            let total = die + modifier;
            let [first, second, third] = priorities(total).map(area);
            let order = format!("{first} come first, then {second}, then {third}");
            (
                format!("The economic priority die of {} shows {total}: {order}.", names(*seat)),
                "space-6.2",
            )
        }
    }
}

fn all(seats: SeatSet, names: Names<'_>) -> String {
    row(&seats.iter().map(names).collect::<Vec<String>>())
}

fn both([one, other]: [Seat; 2], names: Names<'_>) -> String {
    format!("{} and {}", names(one), names(other))
}

fn era(era: Era) -> &'static str {
    match era {
        Era::Expansion => "The age of expansion starts.",
        Era::Growth => "All stars are claimed: the age of growth starts.",
        Era::Tension => "The age of tension starts.",
        Era::Empire => "The last age starts: the age of empire.",
    }
}

fn quarrel(incident: &Incident, names: Names<'_>) -> String {
    let [one, other] = incident.pair;
    match incident.quarrel {
        Quarrel::Clash { .. } => format!("the clash between {}", both(incident.pair, names)),
        Quarrel::Dispute { star } => {
            format!("the dispute between {} and {} over {star}", names(one), names(other))
        }
    }
}

fn began(war: &War, names: Names<'_>) -> String {
    let kind = match war.kind {
        WarKind::Limited => "Limited",
        WarKind::Total => "Total",
    };
    format!(
        "{kind} war breaks out between {} and {}.",
        all(war.sides[0], names),
        all(war.sides[1], names)
    )
}

fn peace(
    sides: [SeatSet; 2],
    half_points: [u32; 2],
    terms: Terms,
    winner: Option<u8>,
    names: Names<'_>,
) -> String {
    let order = if winner == Some(1) { [1, 0] } else { [0, 1] };
    let [first, second] = order.map(|side| all(sides[side], names));
    let points = order.map(|side| halves(half_points[side])).join(" to ");
    let victory = match terms {
        Terms::Stalemate => {
            return format!(
                "Peace between {first} and {second}: a stalemate at {points} success points."
            );
        }
        Terms::Marginal => "marginal",
        Terms::Substantial => "substantial",
        Terms::Decisive => "decisive",
    };
    format!("Peace: a {victory} victory of {first} over {second}, by {points} success points.")
}

fn happening(happening: Happening) -> &'static str {
    match happening {
        Happening::Talks => "talks, if there is a war",
        Happening::Blunder => "a political blunder",
        Happening::Dispute => "a border dispute",
        Happening::LimitedWar => "limited war",
        Happening::TotalWar => "total war",
    }
}

fn area(area: Area) -> &'static str {
    match area {
        Area::Factories => "factories",
        Area::Research => "titles of research",
        Area::Weapons => "weapons",
    }
}
