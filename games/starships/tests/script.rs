//! Runs the cases in `cases/*.txt`: each sets up a position, plays orders with given dice, and
//! states what follows.
//!
//! | line | meaning |
//! | --- | --- |
//! | `## name`, `### name` | a case; a variant, which starts with the lines before the first one |
//! | `round 7; ship A (1,0)` | set up the position, see [`set_up`]; players have defaults |
//! | `A: attack A1 B1 [2 5]` | player A gives an order, for which exactly these dice are rolled |
//! | `deadline: [3]`, `until: B` | the phase closes; turns end until player B is on turn |
//! | `A refused moved: ORDER` | the order is refused with this reason or rule |
//! | `A may: ORDER` | the order is legal |
//! | `A warned CODES: ORDER` | the order gives these warnings; `nothing` for none |
//! | `A misread 9: ORDER` | the order is malformed at this column |
//! | `warning: TEXT`, `error: TEXT` | the first warning or the error contains the text |
//! | `told B: TEXT`, `untold B: TEXT` | an event that player B sees, or none, contains the text |
//! | `ships A = 1; round = 2` | what follows, see [`Play::find`] |
//!
//! `low` and `high` stand for each die from 1 to 3 and from 4 to 6.

use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Hex, Seat, SeatSet, Viewer, Wire};
use heliopause_proto::starships_at_large::v1 as proto;
use heliopause_starships::{
    Base, Event, Order, Place, Serial, ShipId, Starships, Status, View, letter,
};
use proto::promise::Kind;

type Check = Result<(), String>;

/// Runs all cases of a file, and panics with the failures of all.
fn run(name: &str, text: &str) {
    let mut failures = Vec::new();
    for case in text.split("\n## ").skip(1) {
        let mut parts = case.split("\n### ");
        let common = parts.next().unwrap_or_default();
        let variants: Vec<&str> = parts.collect();
        let scripts = match variants[..] {
            [] => vec![format!("# {common}")],
            _ => variants.iter().map(|variant| format!("# {common}\n# {variant}")).collect(),
        };
        for script in scripts.iter().flat_map(|script| with_dice(script)) {
            if let Err(failure) = Play::of(&script) {
                let titles: Vec<_> = script.lines().filter(|line| line.starts_with('#')).collect();
                failures.push(format!("{name}: {}: {failure}", titles.concat()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns the script with each die for `low` and `high`.
fn with_dice(script: &str) -> Vec<String> {
    for (word, dice) in [("low", 1..=3), ("high", 4..=6)] {
        for (before, after) in [("[", " "), ("[", "]"), (" ", "]")] {
            let found = format!("{before}{word}{after}");
            if script.contains(&found) {
                let rolled =
                    dice.map(|die| script.replacen(&found, &format!("{before}{die}{after}"), 1));
                return rolled.flat_map(|script| with_dice(&script)).collect();
            }
        }
    }
    vec![script.to_owned()]
}

/// A case that is being played.
#[derive(Default)]
pub(crate) struct Play {
    position: proto::Position,
    /// The game, from the first line that needs one.
    pub(crate) game: Option<Starships>,
    /// The events of the latest order or deadline.
    pub(crate) events: Emitted<Event>,
    /// The latest warning or error.
    message: String,
}

impl Play {
    pub(crate) fn of(script: &str) -> Result<Self, String> {
        let mut play = Self::default();
        for line in script.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            play.line(line).map_err(|failure| format!("{line}: {failure}"))?;
        }
        Ok(play)
    }

    fn line(&mut self, line: &str) -> Check {
        if let Some((head, text)) = line.split_once(':') {
            let head: Vec<&str> = head.split_whitespace().collect();
            return self.step(&head, text.trim());
        }
        for part in line.split("; ").filter(|part| !part.is_empty()) {
            match part.split_once(" = ") {
                Some((query, expected)) => {
                    let query: Vec<&str> = query.split_whitespace().collect();
                    let found = self.find(&query)?;
                    same(&format!("{query:?}"), &found, expected)?;
                }
                None if self.game.is_some() => return Err("the game has begun".to_owned()),
                None => set_up(&mut self.position, part),
            }
        }
        Ok(())
    }

    fn step(&mut self, head: &[&str], text: &str) -> Check {
        match *head {
            ["deadline"] => {
                self.roll(text, |game, dice| Ok(game.close(CloseCause::Deadline, dice)))
            }
            ["until"] => loop {
                self.step(&["deadline"], "")?;
                let game = self.game()?;
                if game.outcome().is_some() || game.table().active == seat(text) {
                    break Ok(());
                }
            },
            ["told", player] => require(self.told(player, text), || format!("{:?}", self.events)),
            ["untold", player] => {
                require(!self.told(player, text), || format!("{:?}", self.events))
            }
            ["warning" | "error"] => require(self.message.contains(text), || self.message.clone()),
            [player, "misread", column] => match Starships::parse(&self.view(player)?, text) {
                Ok(_) => Err("it is well formed".to_owned()),
                Err(fault) => {
                    self.message = fault.message;
                    same("the column", &fault.column.to_string(), column)
                }
            },
            [player, ref verb @ ..] => {
                let (text, dice) = text.split_once(" [").unwrap_or((text, ""));
                let orders = Starships::parse(&self.view(player)?, text);
                let [order] = orders.map_err(|fault| fault.to_string())?[..] else {
                    return Err("expected one order".to_owned());
                };
                self.order(player, verb, order, dice)
            }
            [] => Err("expected a player".to_owned()),
        }
    }

    fn order(&mut self, player: &str, verb: &[&str], order: Order, dice: &str) -> Check {
        let by = Actor::Seat(seat(player));
        match verb {
            [] => self.roll(dice, |game, dice| {
                game.submit(by, order, dice).map_err(|refusal| refusal.to_string())
            }),
            ["may"] => self.game()?.judge(by, &order).map_err(|refusal| refusal.to_string()),
            ["refused", why] => match self.game()?.judge(by, &order) {
                Ok(()) => Err("it is legal".to_owned()),
                Err(refusal) if refusal.rule == *why => Ok(()),
                Err(refusal) => same("the reason", &refusal.reason, why),
            },
            ["warned", codes @ ..] => {
                let warnings = Starships::warnings(&self.view(player)?, Some(&order));
                let sentence = warnings.first().map(|warning| warning.sentence.clone());
                self.message = sentence.unwrap_or_default();
                let found = list(warnings.iter().map(|warning| warning.code), "nothing");
                same("the warnings", &found, &codes.join(" "))
            }
            _ => Err(format!("{verb:?} is unknown")),
        }
    }

    fn roll(
        &mut self,
        script: &str,
        step: impl FnOnce(&mut Starships, &mut Dice) -> Result<Emitted<Event>, String>,
    ) -> Check {
        let script: Vec<u32> =
            script.trim_matches(['[', ']']).split_whitespace().map(number).collect();
        let mut dice = Dice::new([9; 32]).scripted(script.iter().copied());
        let game = self.game()?;
        let events = step(game, &mut dice)?;
        game.check()?;
        self.events = events;
        let rolled: Vec<u32> = dice.take_rolled().into_iter().map(|roll| roll.value).collect();
        require(rolled == script, || format!("the dice rolled are {rolled:?}"))
    }

    fn game(&mut self) -> Result<&mut Starships, String> {
        if self.game.is_none() {
            let game = Starships::read_position(&self.position);
            self.game = Some(game.map_err(|fault| fault.to_string())?);
        }
        Ok(self.game.as_mut().expect("it was just put there"))
    }

    fn view(&mut self, player: &str) -> Result<View, String> {
        Ok(self.game()?.view(Viewer::Seat(seat(player))))
    }

    fn told(&self, player: &str, text: &str) -> bool {
        let mut events = self.events.to(Viewer::Seat(seat(player)));
        let name = |seat: Seat| letter(seat).to_string();
        events.any(|event| Starships::describe(event, &name).0.contains(text))
    }

    /// Returns the answer to a query: one word, or several in order, or `nobody` and the like.
    fn find(&mut self, query: &[&str]) -> Result<String, String> {
        if let ["invalid"] = query {
            let fault = Starships::read_position(&self.position).err();
            return Ok(fault.map_or_else(|| "nothing".to_owned(), |fault| fault.field.into()));
        }
        if let ["events", player] = *query {
            return Ok(self.events.to(Viewer::Seat(seat(player))).count().to_string());
        }
        let game = &*self.game()?;
        let (table, secrets) = (game.table(), game.secrets());
        let outcome = || game.outcome().ok_or("the game goes on");
        let view = |player: &str| game.view(Viewer::Seat(seat(player)));
        let own = |player: &str| &secrets.own[seat(player).index()];
        let starship = |name: &str| table.ship(ship(name));
        Ok(match *query {
            ["round"] => table.round.to_string(),
            ["turn"] => letter(table.active).to_string(),
            ["axis"] => yes(table.axis),
            ["breaches"] => table.broken.len().to_string(),
            ["zones"] => list(table.zones.iter(), "none"),
            ["over"] => yes(game.outcome().is_some()),
            ["credits"] => list(outcome()?.points.iter(), "none"),
            ["winners"] => seats(outcome()?.winners),
            ["rule"] => outcome()?.rule.to_owned(),
            ["pending"] => {
                let pending = game.pending();
                list(pending.iter().map(|one| format!("{} {}", one.kind, letter(one.seat))), "none")
            }
            ["owner", at] => seats(secrets.owners[place(at).index()].into_iter().collect()),
            ["marker", at] => format!("{:?}", secrets.markers[place(at).index()]),
            ["tokens", at] => seats(table.tokens[place(at).index()].iter().collect()),
            ["place", name] => starship(name).map_or("gone".to_owned(), |ship| ship.at.to_string()),
            ["disrupted", name] => {
                yes(starship(name).is_some_and(|ship| ship.condition.is_disrupted()))
            }
            ["ships", player] => table.ships_of(seat(player)).count().to_string(),
            ["out", player] => yes(table.bases_of(seat(player)).all(Base::is_out)),
            ["planets", player] => own(player).planets.len().to_string(),
            ["gained", player] => list(own(player).gained.iter(), "none"),
            ["pledges", player] => own(player).pledges.len().to_string(),
            ["offers", player] => seats(own(player).peace.got),
            ["votes", player] => seats(table.votes[seat(player).index()]),
            ["provokers", player] => seats(table.provoked_by[seat(player).index()]),
            ["status", player] => match table.status(seat(player)) {
                Some(Status::Exiled { round }) => format!("Exiled in {round}"),
                status => status.map(|status| format!("{status:?}")).unwrap_or_default(),
            },
            ["sees", player, at] => {
                let marker = view(player).marker(place(at));
                marker.map_or("nothing".to_owned(), |marker| format!("{marker:?}"))
            }
            ["note", player, at] => {
                let note = view(player).note(place(at)).ok_or("there is no note")?;
                format!("{:?} of {}", note.marker, seats(note.owner.into_iter().collect()))
            }
            ["war", one, other] => yes(table.at_war(seat(one), seat(other))),
            ["press", from, to, ref anonymously @ ..] => {
                let press = game.press(seat(from), seat(to), !anonymously.is_empty());
                press.map_or("refused".to_owned(), |press| format!("{press:?}"))
            }
            _ => return Err(format!("{query:?} is unknown")),
        })
    }
}

/// Adds to a position. A starship, base or marker named several times is there several times.
fn set_up(position: &mut proto::Position, part: &str) {
    let words: Vec<&str> = part.split_whitespace().collect();
    let pair =
        |first, second| proto::Pair { first: seat_number(first), second: seat_number(second) };
    match words[..] {
        ["players", count] => {
            position.players = vec![proto::Player::default(); number(count) as usize];
        }
        ["round", round] => position.round = number(round),
        ["turn", player] => position.on_turn = seat_number(player),
        ["option", name, value] => {
            set_option(position.options.get_or_insert_default(), name, number(value));
        }
        ["hex", at, marker] => hexagon(position, at).marker = marker_of(marker),
        ["hex", at, marker, owner] => {
            hexagon(position, at).marker = marker_of(marker);
            hexagon(position, at).owner = seat_number(owner);
        }
        ["planets", owner, live, dead] => add_planets(position, owner, number(live), number(dead)),
        ["seen", at, by] => hexagon(position, at).seen_by.push(seat_number(by)),
        ["face-up", at] => hexagon(position, at).face_up = true,
        ["zone", ref at @ ..] => {
            for at in at {
                hexagon(position, at).death_zone = true;
            }
        }
        ["marked", at, by] => hexagon(position, at).ownership_markers.push(seat_number(by)),
        ["death-star", at, provoker] => {
            hexagon(position, at).marker = proto::Marker::DeathStar.into();
            position.death_star = Some(proto::DeathStar {
                state: proto::DeathStarState::Active.into(),
                provoker: seat_number(provoker),
                activated_this_turn: false,
            });
        }
        ["war", one, other] => position.wars.push(pair(one, other)),
        ["provoked", one, by] => position.provocations.push(pair(one, by)),
        ["pledge", giver, receiver, ref promise @ .., until] => {
            let kind = match promise {
                ["no-attack"] => Kind::NoAttack(proto::NoAttack {}),
                ["no-exile"] => Kind::NoExileVote(proto::NoExileVote {}),
                ["planet", at] => Kind::GivePlanet(hex(at)),
                ["keep-out", at] => Kind::KeepOut(hex(at)),
                _ => panic!("{part}: the promise is unknown"),
            };
            position.pledges.push(proto::Pledge {
                giver: seat_number(giver),
                receiver: seat_number(receiver),
                promise: Some(proto::Promise { kind: Some(kind) }),
                until_round: number(until),
                planet_given: false,
            });
        }
        [what, owner, ref rest @ ..] => set_up_player(player(position, owner), what, rest),
        _ => panic!("{part:?} is unknown"),
    }
}

/// Adds to a player's pieces, status or private information.
fn set_up_player(player: &mut proto::Player, what: &str, rest: &[&str]) {
    let base = |at: &str, out, turns_out| proto::Base {
        at: Some(hex(at)),
        out,
        turns_out,
        ..Default::default()
    };
    match (what, rest) {
        ("ship" | "disrupted", at) => {
            let disrupted = what == "disrupted";
            let ship =
                |at: &&str| proto::Starship { at: Some(hex(at)), disrupted, ..Default::default() };
            player.starships.extend(at.iter().map(ship));
        }
        ("base", [at]) => player.bases.push(base(at, false, 0)),
        ("base-out", [at, turns]) => player.bases.push(base(at, true, number(turns))),
        ("eliminated", []) => player.status = proto::Status::Eliminated.into(),
        ("exiled", [round]) => {
            player.status = proto::Status::Exiled.into();
            player.exiled_in_round = number(round);
        }
        ("arrivals", [left]) => {
            player.secrets.get_or_insert_default().arrivals = Some(number(left));
        }
        ("gained", [at]) => player.secrets.get_or_insert_default().gained.push(hex(at)),
        _ => panic!("{what} {rest:?} is unknown"),
    }
}

fn set_option(options: &mut proto::Options, name: &str, value: u32) {
    match name {
        "rounds" => options.rounds = Some(value),
        "last_round_with_death_star" => options.last_round_with_death_star = Some(value),
        "live_planets_to_win" => options.live_planets_to_win = Some(value),
        "first_round_of_exile" => options.first_round_of_exile = Some(value),
        "first_round_of_unprovoked_attacks" => {
            options.first_round_of_unprovoked_attacks = Some(value);
        }
        "bases_in_solitaire" => options.bases_in_solitaire = Some(value),
        "edges_open" => options.edges_open = Some(value > 0),
        "earth_can_be_destroyed" => options.earth_can_be_destroyed = Some(value > 0),
        _ => panic!("the option {name} is unknown"),
    }
}

/// Hexes far from the pieces of the cases.
const REMOTE: &str = "(0,-3) (1,-3) (-1,-2) (0,-2) (-2,3) (-3,3) (-1,3) (-2,2) (-3,2) (-3,1) \
    (1,-2) (-2,1) (-1,2) (-2,0) (-3,0) (-1,-1) (2,-3) (3,-3) (0,3) (0,2)";

/// Gives a player planets in remote hexes that the position does not name yet.
fn add_planets(position: &mut proto::Position, owner: &str, live: u32, dead: u32) {
    let is_free = |at: &&str| position.hexes.iter().all(|other| other.hex != Some(hex(at)));
    let free: Vec<&str> = REMOTE.split_whitespace().filter(is_free).collect();
    let kinds = std::iter::repeat_n("Friendly", live as usize)
        .chain(std::iter::repeat_n("Dead", dead as usize));
    for (at, marker) in free.into_iter().zip(kinds) {
        set_up(position, &format!("hex {at} {marker} {owner}"));
    }
}

fn hexagon<'a>(position: &'a mut proto::Position, at: &str) -> &'a mut proto::HexState {
    let at = Some(hex(at));
    let index = position.hexes.iter().position(|hexagon| hexagon.hex == at);
    let index = index.unwrap_or_else(|| {
        position.hexes.push(proto::HexState { hex: at, ..Default::default() });
        position.hexes.len() - 1
    });
    &mut position.hexes[index]
}

fn player<'a>(position: &'a mut proto::Position, name: &str) -> &'a mut proto::Player {
    &mut position.players[seat(name).index()]
}

fn marker_of(name: &str) -> i32 {
    let mut all = (0..).map_while(|number| proto::Marker::try_from(number).ok());
    all.find(|marker| format!("{marker:?}") == name).expect("a marker").into()
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is not a number"))
}

fn seat(player: &str) -> Seat {
    Seat::at(usize::from(player.as_bytes()[0] - b'A'))
}

fn seat_number(player: &str) -> u32 {
    seat(player).number()
}

fn ship(name: &str) -> ShipId {
    ShipId { owner: seat(name), serial: Serial(number(&name[1..]) as u16) }
}

fn hex(text: &str) -> proto::Hex {
    let (q, r) = text.trim_matches(['(', ')']).split_once(',').expect("a hex");
    proto::Hex { q: q.parse().expect("a hex"), r: r.parse().expect("a hex") }
}

fn place(text: &str) -> Place {
    let proto::Hex { q, r } = hex(text);
    Place::new(Hex::new(q as i16, r as i16)).expect("a hex on the board")
}

fn list<T: ToString>(all: impl Iterator<Item = T>, none: &str) -> String {
    let all: Vec<String> = all.map(|one| one.to_string()).collect();
    if all.is_empty() { none.to_owned() } else { all.join(" ") }
}

fn seats(seats: SeatSet) -> String {
    list(seats.iter().map(letter), "nobody")
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn require(holds: bool, why_not: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(why_not()) }
}

fn same(what: &str, found: &str, expected: &str) -> Check {
    require(found == expected, || format!("{what}: expected {expected:?}, found {found:?}"))
}

#[test]
fn the_rulebooks_situations_give_their_results() {
    run("situations", include_str!("cases/situations.txt"));
}

#[test]
fn rulings_and_options_have_their_effects() {
    run("rulings", include_str!("cases/rulings.txt"));
}

#[test]
fn omissions_and_risks_give_warnings() {
    run("warnings", include_str!("cases/warnings.txt"));
}
