//! Describes the parts that all games share: status, seats, goals, votes, messages.

use heliopause_proto::v1::seat::Occupant;
use heliopause_proto::v1::{
    AutomatedSeat, Cursor, Decision, Event, Game, GameStatus, Goal, Message, Offers, Outcome, Pace,
    PendingSeat, PhasePace, Score, Seat, SeatChange, Slot, Vote, VoteState, VoteSubject, Warning,
    audience, event,
};

use crate::style::{Ink, Style};
use crate::text::{self, due, harmless, moment};

pub fn status(status: GameStatus) -> &'static str {
    match status {
        GameStatus::Unspecified => "unknown",
        GameStatus::Forming => "forming",
        GameStatus::Revealing => "revealing entropy",
        GameStatus::Running => "running",
        GameStatus::Paused => "paused",
        GameStatus::Ended => "ended",
        GameStatus::Cancelled => "canceled",
    }
}

/// Describes the occupant of a seat: "Ann", "captain (strong)", "open".
pub fn occupant(seat: &Seat) -> String {
    match &seat.occupant {
        Some(Occupant::Player(name)) if name.is_empty() => "a player".into(),
        Some(Occupant::Player(name)) => harmless(name),
        Some(Occupant::ReservedFor(name)) => format!("reserved for {}", harmless(name)),
        Some(Occupant::Automated(by)) => automated(by),
        Some(Occupant::Open(_)) | None => "open".into(),
    }
}

pub fn automated(by: &AutomatedSeat) -> String {
    let level = if by.level.is_empty() { "standard" } else { &by.level };
    if by.profile.is_empty() {
        format!("automated, {level}")
    } else {
        format!("{}, {level}", by.profile)
    }
}

/// Names a seat in a sentence: "Ann" or "Player B (captain, strong)".
pub fn seat_name(game: &Game, number: u32) -> String {
    let Some(seat) = game.seats.iter().find(|seat| seat.number == number) else {
        return format!("seat {number}");
    };
    let sits_once = |name: &String| {
        let has_it =
            |seat: &&Seat| matches!(&seat.occupant, Some(Occupant::Player(there)) if there == name);
        game.seats.iter().filter(has_it).count() == 1
    };
    match &seat.occupant {
        // The name of a player who holds several seats of a sandbox would be ambiguous.
        Some(Occupant::Player(name)) if !name.is_empty() && sits_once(name) => harmless(name),
        Some(Occupant::Automated(by)) => format!("{} ({})", harmless(&seat.role), automated(by)),
        _ => harmless(&seat.role),
    }
}

/// Describes a game in full, for its first screen.
pub fn game(style: &Style, game: &Game) -> String {
    let heading = style.paint(harmless(&game.name), Ink::Heading);
    let kind = style.paint(format!("{} {}", game.kind, game.game_id), Ink::Faint);
    let notice = |text: String| style.paint(text, Ink::Notice);
    let named =
        |what: &str, name: &str| (!name.is_empty()).then(|| format!("{what}: {}", harmless(name)));
    let unplayed = "Waiting for automation: no connected ai-client plays these seats.";
    let parts = [
        Some(format!("{heading}  {kind}")),
        Some(state(game)),
        Some(seats(style, game)),
        paused(game).map(notice),
        suspended(game).map(notice),
        game.due_time.as_ref().map(|deadline| format!("Deadline: {}", due(deadline))),
        planned_deadlines(game),
        waiting(game),
        closing(game).map(str::to_owned),
        next_pace(game),
        named("Host", &game.host),
        named("Game master", &game.game_master),
        invitation(game),
        game.waits_for_automation.then(|| notice(unplayed.to_owned())),
        game.outcome.as_ref().map(|result| outcome(style, game, result)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn state(game: &Game) -> String {
    let status = status(game.status());
    let progress = Some(harmless(&game.progress)).filter(|it| !it.is_empty() && it != status);
    let marks = [
        (game.is_private, "private"),
        (game.anonymous, "anonymous"),
        (game.rated, "rated"),
        (game.no_analysis, "no branches before the end"),
        (game.analysis.is_some(), "branch of another game"),
        (game.sandbox && game.analysis.is_none(), "sandbox"),
        (game.open_messages, "messages become public after the game"),
        (game.anonymous_messages, "anonymous messages are allowed"),
    ];
    let marks = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark.to_owned());
    let parts = std::iter::once(status.to_owned()).chain(progress).chain(marks);
    parts.collect::<Vec<_>>().join(", ")
}

fn paused(game: &Game) -> Option<String> {
    let why = harmless(game.operator_pause.trim_end_matches('.'));
    (!game.operator_pause.is_empty()).then(|| {
        format!(
            "The operator of the server has paused the game: {why}. Only the operator can resume it."
        )
    })
}

fn suspended(game: &Game) -> Option<String> {
    let since = moment(game.automation_suspend_time.as_ref()?);
    let is_played =
        |seat: &Seat| matches!(seat.occupant, Some(Occupant::Player(_))) && seat.stand_in.is_none();
    let is_left = game.seats.iter().any(|seat| seat.vacant || seat.stand_in.is_some())
        && !game.seats.iter().any(is_played)
        && game.game_master.is_empty();
    let why = if is_left {
        "all players are absent; it wakes when a player takes a seat or plays on"
    } else {
        "no activity; it wakes when a player or spectator opens it"
    };
    Some(format!("Automation has been suspended since {since}: {why}."))
}

fn invitation(game: &Game) -> Option<String> {
    if game.status() != GameStatus::Forming {
        return None;
    }
    let is_open = game.seats.iter().any(|seat| occupant(seat) == "open");
    let leads = game.you_are_host || game.you_are_game_master;
    let join = format!("Invite others with: cli-client join {}", game.game_id);
    match game.invite_code.as_str() {
        "" => (leads && is_open).then_some(join),
        code => Some(format!("{join} --invite {code}")),
    }
}

/// Lists the seats that the game waits for, except `but`. Returns `None` if there are none or they
/// are secret.
pub fn awaited(game: &Game, but: Option<u32>) -> Option<String> {
    let is_awaited = |one: &&PendingSeat| one.ready != Some(true) && Some(one.seat) != but;
    let awaited = game.pending_seats.iter().filter(is_awaited);
    let names: Vec<String> = awaited.map(|one| seat_name(game, one.seat)).collect();
    (!names.is_empty()).then(|| text::listed(&names))
}

fn waiting(game: &Game) -> Option<String> {
    let one = |one: &PendingSeat| {
        let has_ordered = one.ready == Some(false) && one.ordered == Some(true);
        let mark = if has_ordered { " (orders submitted)" } else { "" };
        format!("{}{mark}", seat_name(game, one.seat))
    };
    let awaited = game.pending_seats.iter().filter(|one| one.ready != Some(true));
    let names: Vec<String> = awaited.map(one).collect();
    (!names.is_empty()).then(|| format!("Waiting for {}.", text::listed(&names)))
}

/// Explains whether phases may close early, in an unfinished game with deadlines.
pub fn closing(game: &Game) -> Option<&'static str> {
    let over = matches!(game.status(), GameStatus::Ended | GameStatus::Cancelled);
    let pace = game.pace.as_ref().filter(|pace| !over && has_deadlines(pace))?;
    Some(if pace.closes_early() {
        "A phase closes as soon as all players are ready."
    } else {
        "A phase lasts until its deadline, even if all players are ready."
    })
}

fn has_deadlines(pace: &Pace) -> bool {
    pace.standard.iter().chain(pace.by_kind.values()).any(|phase| phase.interval.is_some())
}

/// Returns the deadlines of a game that has not started.
fn planned_deadlines(game: &Game) -> Option<String> {
    let pace = game.pace.as_ref().filter(|_| game.status() == GameStatus::Forming)?;
    let interval = |phase: &PhasePace| {
        phase.interval.as_ref().map(|time| text::duration(text::from_proto(time)))
    };
    let standard = pace.standard.as_ref().and_then(interval);
    let standard = standard.map(|time| format!("{time} for each phase"));
    let named =
        |(kind, phase): (&String, &PhasePace)| Some(format!("{kind}: {}", interval(phase)?));
    let mut by_kind: Vec<String> = pace.by_kind.iter().filter_map(named).collect();
    by_kind.sort_unstable();
    let all: Vec<String> = standard.into_iter().chain(by_kind).collect();
    (!all.is_empty()).then(|| format!("Deadline: {}", all.join("; ")))
}

fn next_pace(game: &Game) -> Option<String> {
    let from = moment(game.next_pace_time.as_ref()?);
    let interval =
        game.next_pace.as_ref()?.standard.as_ref().and_then(|phase| phase.interval.as_ref());
    let length = interval
        .map_or_else(|| "no deadline".to_owned(), |time| text::duration(text::from_proto(time)));
    Some(format!("The pace changes with the first turn after {from}: {length} for each phase."))
}

fn seats(style: &Style, game: &Game) -> String {
    let row = |seat: &Seat| {
        let notes = [
            (Some(seat.number) == game.your_seat).then(|| style.paint("you", Ink::Good)),
            (Some(seat.number) == game.on_turn).then(|| "to play".into()),
            seat.stand_in.as_ref().map(|by| format!("played by {}", automated(by))),
            seat.on_vacation.then(|| "on vacation".into()),
            (!seat.alive && game.start_time.is_some()).then(|| "out".into()),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        let number = style.paint(format!("seat {}", seat.number), Ink::Seat(seat.number));
        vec![number, harmless(&seat.role), occupant(seat), notes.join(", ")]
    };
    text::table(style, &[""; 4], &game.seats.iter().map(row).collect::<Vec<_>>())
}

pub fn outcome(style: &Style, game: &Game, outcome: &Outcome) -> String {
    let winners: Vec<String> = outcome.winners.iter().map(|seat| seat_name(game, *seat)).collect();
    let head = match winners.as_slice() {
        [] if outcome.draw => "A draw.".to_owned(),
        all if outcome.draw => format!("A draw between {}.", text::listed(all)),
        [] => "No player wins.".to_owned(),
        [one] => format!("{one} wins."),
        all => format!("{} win.", text::listed(all)),
    };
    let level =
        if outcome.level.is_empty() { String::new() } else { format!(" A {}.", outcome.level) };
    let rule =
        if outcome.rule.is_empty() { String::new() } else { format!(" (rule {})", outcome.rule) };
    let head = format!(
        "{}{level} {}{rule}",
        style.paint(head, Ink::Heading),
        text::told(&outcome.summary, CONTINUATION_INDENT)
    );
    let scores = outcome.scores.iter().map(|result| score(style, game, outcome, result));
    std::iter::once(head).chain(scores).collect::<Vec<_>>().join("\n")
}

fn score(style: &Style, game: &Game, outcome: &Outcome, score: &Score) -> String {
    let name = style.paint(seat_name(game, score.seat), Ink::Seat(score.seat));
    let points = score.points.unsigned_abs();
    let Outcome { unit, decimals, .. } = outcome;
    let points = match 10_u64.checked_pow(*decimals) {
        None | Some(1) => text::count(points as usize, unit),
        Some(whole) => {
            let places = *decimals as usize;
            format!("{}.{:0places$} {unit}", points / whole, points % whole)
        }
    };
    let sign = if score.points < 0 { "-" } else { "" };
    let lines: Vec<String> =
        score.lines.iter().map(|line| format!("{} {}", line.label, line.value)).collect();
    let lines = if lines.is_empty() { String::new() } else { format!(": {}", lines.join(", ")) };
    format!("{:>4}. {name}, {sign}{points}{lines}", score.place)
}

/// Describes the goal of each seat, one per line.
pub fn goals(style: &Style, game: &Game, goals: &[Goal]) -> String {
    let goal = |goal: &Goal| match goal.seat {
        Some(seat) => {
            let name = style.paint(seat_name(game, seat), Ink::Seat(seat));
            format!("  {name}: {}", goal.sentence)
        }
        None => format!("  {}", goal.sentence),
    };
    let lines = goals.iter().map(goal);
    let heading = style.paint("Goals", Ink::Heading);
    std::iter::once(heading).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Describes the goal of one seat and the goals without a seat, on one line.
pub fn own_goal(seat: Option<u32>, goals: &[Goal]) -> String {
    let is_own = |goal: &&Goal| goal.seat.is_none() || goal.seat == seat;
    let sentences: Vec<&str> =
        goals.iter().filter(is_own).map(|goal| goal.sentence.as_str()).collect();
    sentences.join(" ")
}

/// Describes the progress of one seat briefly: "supply centers 5/18".
pub fn progress(seat: Option<u32>, goals: &[Goal]) -> String {
    let own = goals.iter().find(|goal| goal.seat.is_some() && goal.seat == seat);
    own.map_or_else(String::new, |Goal { label, value, target, .. }| match target {
        Some(target) => format!("{label} {value}/{target}"),
        None => format!("{label} {value}"),
    })
}

pub fn decision(style: &Style, decision: &Decision) -> String {
    let mut line = style.paint(text::told(&decision.prompt, CONTINUATION_INDENT), Ink::Notice);
    if let Some(deadline) = &decision.due_time {
        line = format!("{line} Due {}.", due(deadline));
    }
    if decision.ready {
        line = format!("{line} You are ready.");
    }
    line
}

/// The indent of continuation lines of untrusted text. No other line is indented this far.
const CONTINUATION_INDENT: usize = 6;

/// Lists warnings as numbered lines, with their rules and possible fixes.
pub fn warnings(style: &Style, warnings: &[Warning]) -> String {
    let line = |(number, warning): (usize, &Warning)| {
        let rule = match warning.rule.as_str() {
            "" => String::new(),
            rule => style.paint(format!(" ({rule})"), Ink::Faint),
        };
        let mend = warning.fix.as_ref().map(unfilled).filter(|offer| !offer.is_empty());
        let mend = mend.map(|offer| {
            let stop = if offer.ends_with("...") { "" } else { "." };
            style.paint(format!(" Instead: {offer}{stop}"), Ink::Faint)
        });
        let number = style.paint(format!("{number:>4}"), Ink::Notice);
        let sentence = harmless(&warning.sentence);
        let told = format!("{number}  {sentence}{rule}{}", mend.unwrap_or_default());
        text::wrap(&told, style.width.max(40), CONTINUATION_INDENT)
    };
    (1..).zip(warnings).map(line).collect::<Vec<_>>().join("\n")
}

fn unfilled(mend: &Offers) -> String {
    let Some(offer) = mend.offers.first() else { return String::new() };
    let slots: Vec<&Slot> =
        offer.slots.iter().filter_map(|slot| mend.slots.get(*slot as usize)).collect();
    // Several blanks need labels: "[ship] moves to [where]".
    let is_one = slots.iter().filter(|slot| !slot.optional).count() == 1;
    let asked = |label: String, slot: &&Slot| {
        let choice = match (slot.optional, is_one) {
            (true, _) => String::new(),
            (false, true) => "...".to_owned(),
            (false, false) => format!("[{}]", slot.label),
        };
        label.replace(&format!("{{{}}}", slot.name), &choice)
    };
    harmless(&slots.iter().fold(offer.label.clone(), asked))
}

/// Formats an event as a line: number, sentence, rule.
pub fn event(style: &Style, event: &Event) -> String {
    let number = style.paint(format!("{:>4}", event.number), Ink::Faint);
    let rule = if event.rule.is_empty() {
        String::new()
    } else {
        style.paint(format!(" ({})", event.rule), Ink::Faint)
    };
    let sentence = text::told(&event.text, CONTINUATION_INDENT);
    let sentence = match &event.body {
        Some(event::Body::GameEnded(_)) => style.paint(sentence, Ink::Heading),
        Some(event::Body::Message(message)) => {
            style.paint(sentence, Ink::Seat(message.from_seat.unwrap_or_default()))
        }
        Some(event::Body::SeatChanged(change)) if change.change() == SeatChange::MissedDeadline => {
            style.paint(sentence, Ink::Bad)
        }
        _ => sentence,
    };
    text::wrap(&format!("{number}  {sentence}{rule}"), style.width.max(40), CONTINUATION_INDENT)
}

pub fn message(style: &Style, game: &Game, message: &Message) -> String {
    let name = |seat: u32| {
        let role =
            game.seats.iter().find(|other| other.number == seat).map(|seat| harmless(&seat.role));
        role.filter(|role| !role.is_empty()).unwrap_or_else(|| format!("seat {seat}"))
    };
    let from = match message.from_seat {
        None if message.from_game_master => "the game master".into(),
        None => "a player".into(),
        Some(seat) => name(seat),
    };
    let mut to: Vec<String> = if is_to_all(game, message) {
        vec!["everyone".into()]
    } else {
        message.to_seats.iter().map(|&seat| name(seat)).collect()
    };
    if message.to_game_master {
        to.push("the game master".into());
    }
    let held = if message.held { " (not delivered yet)" } else { "" };
    let heading = format!("{} {} {}{held}:", from, style.symbol("→", "->"), to.join(", "));
    let text = text::told(&message.text, CONTINUATION_INDENT);
    let heading = style.paint(heading, Ink::Seat(message.from_seat.unwrap_or_default()));
    text::wrap(&format!("{heading} {text}"), style.width.max(40), CONTINUATION_INDENT)
}

fn is_to_all(game: &Game, message: &Message) -> bool {
    let others = game.seats.iter().filter(|seat| Some(seat.number) != message.from_seat).count();
    message.to_seats.len() > 1 && message.to_seats.len() >= others
}

/// Names the other participants of a message, as seen from the reader's seat.
pub fn partners(game: &Game, own: Option<u32>, message: &Message) -> String {
    if is_to_all(game, message) {
        return "everyone".to_owned();
    }
    let mut names: Vec<String> = message
        .from_seat
        .iter()
        .chain(&message.to_seats)
        .filter(|seat| Some(**seat) != own)
        .map(|seat| seat_name(game, *seat))
        .collect();
    names.sort();
    if message.from_game_master || message.to_game_master {
        names.push("the game master".to_owned());
    }
    if names.is_empty() { "a player".to_owned() } else { text::listed(&names) }
}

pub fn dated_message(style: &Style, game: &Game, message: &Message) -> String {
    let sent = message.send_time.as_ref().map(moment).unwrap_or_default();
    format!(
        "{:>4}  {}  {}",
        message.number,
        style.paint(sent, Ink::Faint),
        self::message(style, game, message)
    )
}

pub fn vote(game: &Game, vote: &Vote) -> String {
    let mut subject = match vote.subject() {
        VoteSubject::Unspecified => "something".to_owned(),
        VoteSubject::Draw => "end the game as a draw".into(),
        VoteSubject::Pause => "pause".into(),
        VoteSubject::Resume => "resume".into(),
        VoteSubject::Extend => "move the deadline".into(),
        VoteSubject::Cancel => "cancel the game".into(),
        VoteSubject::Replace => {
            format!("open {} for a replacement", seat_name(game, vote.seat.unwrap_or_default()))
        }
    };
    if let Some(extension) = &vote.extension {
        subject = format!("{subject} by {}", text::duration(text::from_proto(extension)));
    }
    let state = match vote.state() {
        VoteState::Unspecified => "unknown",
        VoteState::Open => "open",
        VoteState::Passed => "passed",
        VoteState::Failed => "failed",
        VoteState::Expired => "lapsed",
    };
    let seats = |seats: &[u32]| {
        let names: Vec<String> = seats.iter().map(|seat| seat_name(game, *seat)).collect();
        if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
    };
    format!(
        "vote {}: {subject}, proposed by {}; {state}; {} needed; yes: {}; no: {}",
        vote.number,
        seat_name(game, vote.proposed_by),
        vote.needed,
        seats(&vote.yes),
        seats(&vote.no)
    )
}

/// Formats a cursor for `--from`: "seat-1:42", "spectators:7", "gm:7".
pub fn cursor(cursor: &Cursor) -> String {
    let audience = match cursor.audience.as_ref().and_then(|audience| audience.kind.as_ref()) {
        Some(audience::Kind::Seat(seat)) => format!("seat-{seat}"),
        Some(audience::Kind::Spectators(_)) => "spectators".into(),
        Some(audience::Kind::GameMaster(_)) => "gm".into(),
        None => String::new(),
    };
    format!("{audience}:{}", cursor.number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played_by(roles: &[&str]) -> Game {
        let seat = |(role, number): (&&str, u32)| {
            let role = (*role).to_owned();
            Seat { number, role, ..Seat::default() }
        };
        Game { seats: roles.iter().zip(1..).map(seat).collect(), ..Game::default() }
    }

    /// Security C2: a message with line breaks could forge whole lines.
    #[test]
    fn messages_cannot_forge_lines() {
        let game = played_by(&["Austria", "Eng\u{202e}land\n"]);
        let text = "Peace?\n   8  Turkey writes: I attack Austria.\r\n\u{1b}[1ATurkey -> Austria: \
             War\u{2028}!\n"
            .to_owned();
        let sent = Message {
            number: 7,
            from_seat: Some(2),
            to_seats: vec![1],
            text: text.clone(),
            ..Message::default()
        };
        assert_eq!(
            dated_message(&Style::PLAIN, &game, &sent),
            "   7    Eng<U+202E>land<U+000A> -> Austria: Peace?\n         \
             8  Turkey writes: I attack Austria.\n      <U+001B>[1ATurkey -> Austria: War<U+2028>!"
        );
        let body = Some(event::Body::Message(sent));
        let told =
            Event { number: 7, text: format!("England writes: {text}"), body, ..Event::default() };
        assert_eq!(
            event(&Style::PLAIN, &told),
            "   7  England writes: Peace?\n         8  Turkey writes: I attack Austria.\n      \
             <U+001B>[1ATurkey -> Austria: War<U+2028>!"
        );
        let padded = Event { text: format!("x{}   8  War!", "\u{a0}".repeat(70)), ..told };
        let lines = event(&Style::PLAIN, &padded);
        assert!(lines.lines().skip(1).all(|line| line.starts_with("      ")), "{lines}");
    }

    #[test]
    fn games_show_planned_deadlines_and_seats_that_are_not_ready() {
        let day = prost_types::Duration { seconds: 86_400, nanos: 0 };
        let standard = PhasePace { interval: Some(day), ..PhasePace::default() };
        let pace = Pace { standard: Some(standard), ..Pace::default() };
        let pending = |seat, ready| PendingSeat { seat, ready, ..PendingSeat::default() };
        let mut played = Game {
            pace: Some(pace),
            pending_seats: vec![pending(1, Some(true)), pending(2, Some(false))],
            ..played_by(&["Austria", "England"])
        };
        played.set_status(GameStatus::Forming);
        let shown = game(&Style::PLAIN, &played);
        assert!(shown.contains("Deadline: 1d for each phase\n"), "{shown}");
        assert!(shown.contains("Waiting for England."), "{shown}");
    }

    #[test]
    fn shares_are_percentages() {
        let game = played_by(&["Austria"]);
        let result = Score { seat: 1, place: 1, points: 244, ..Score::default() };
        let told = |points, decimals| {
            let unit = "% of the production".to_owned();
            let outcome = Outcome { unit, decimals, ..Outcome::default() };
            score(&Style::PLAIN, &game, &outcome, &Score { points, ..result.clone() })
        };
        assert_eq!(told(244, 1), "   1. Austria, 24.4 % of the production");
        assert_eq!(told(-1005, 2), "   1. Austria, -10.05 % of the production");
    }

    #[test]
    fn the_blanks_of_an_alternative_have_labels() {
        let told = |label: &str, slots: &[u32]| {
            let slot = |name: &str, label: &str| Slot {
                name: name.into(),
                label: label.into(),
                ..Slot::default()
            };
            let (label, of) = (label.to_owned(), slots.to_vec());
            let offer = heliopause_proto::v1::Offer { label, slots: of, ..Default::default() };
            let slots = vec![slot("who", "ship"), slot("to", "where")];
            unfilled(&Offers { offers: vec![offer], slots, ..Offers::default() })
        };
        assert_eq!(told("Move A1 to {to}", &[1]), "Move A1 to ...");
        assert_eq!(told("{who} moves to {to}", &[0, 1]), "[ship] moves to [where]");
    }

    #[test]
    fn draws_are_not_described_as_a_victory_of_all() {
        let game = played_by(&["Austria", "England", "France", "Turkey"]);
        let told = |winners: &[u32], draw: bool| {
            let summary = "So it was.".to_owned();
            let result = Outcome { winners: winners.to_vec(), draw, summary, ..Outcome::default() };
            outcome(&Style::PLAIN, &game, &result)
        };
        for (winners, draw, head) in [
            (&[1, 2, 4][..], true, "A draw between Austria, England and Turkey"),
            (&[], true, "A draw"),
            (&[1, 3], false, "Austria and France win"),
            (&[3], false, "France wins"),
            (&[], false, "No player wins"),
        ] {
            assert_eq!(told(winners, draw), format!("{head}. So it was."));
        }
    }
}
