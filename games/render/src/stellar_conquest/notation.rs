//! The notation of orders with examples, and help on single orders and tables.

use heliopause_kernel::{Game as _, Viewer};
use heliopause_stellar_conquest::{Order, Sheet, Stage, StellarConquest, Title, View};

pub(super) const NOTATION: &str = "  move #1-4,7 to Sadir                  fastest route, as far as it goes this turn
  move #1 via P17 P16 to Sadir          another route; avoid Lupi avoids a star, clouds avoids
                                        clouds; lose accepts losses out of command range
  form #1-4 3, form #1-4 loose          task forces 1 to 15
  post Ceti, unpost Ceti                command posts
  end                                   ends the movement, later the turn
  fight P18                             which battle comes next
  aim 0>5 1>5, hold                     targets, by unit numbers
  withdraw 3 4 to Sadir; 5 to Lupi      withdrawals, each group with its own destination
  stay, send Q19                        no withdrawal; where enemies go
  attack Sadir 1 2, break               colonies; another round, or none
  scuttle Sadir 1 5, scuttle none       own factories under attack
  raze Sadir 1 5, kill Sadir 1 3        conquered colonies
  land #5-9 Ceti 1                      transports, on planet 1 of Ceti
  watch Ceti 1 ask                      what a colony does about passing ships: never, always, ask
  look 3, pass 3                        a chance to look at them
  standing fire spread stay always refuge away scuttle never
  setup 2 scouts; 15 into speed3        at setup; commission 10 corvettes; 10 scouts; speed3; mb
  produce Ceti 1: emigrate 6+2; 2 scouts; 10 into speed3 | Sadir 2: 3 factories | posts Ceti
  recall #1-3                           ships that the Empire demands
Tables: ? attack, ? prices, ? research, ? planets, ? clouds, ? entry; of The Fate of Empire:
  ? events, ? swarms, ? discovery, ? pirates, ? sectors, ? score.  ? 12.4 shows a rule, ? fate-7.2 one of that article.";

const ORDERS: &[(&str, &str)] = &[
    (
        "move",
        "move #SHIPS to STAR [stop N] [via HEXES] [avoid STARS] [clouds] [lose]\nMoves ships of \
         one hex. Without `via` they take the fastest direct route as far as it goes this turn, \
         with `stop` at most N hexes of it. Between stars they keep their destination (8.1). \
         `lose` accepts the loss of ships out of command range (7.5).",
    ),
    (
        "form",
        "form #SHIPS NUMBER, form #SHIPS loose\nPuts ships of one hex into a task force, or takes \
         them out of their task forces. Other players see only the number of groups (9).",
    ),
    (
        "post",
        "post STAR, unpost STAR\nSets up or removes a command post at a star with a free colony \
         of yours. All ships except scouts must stay within 8 hexes of a post (7).",
    ),
    (
        "raid",
        "raid STAR ROUNDS #SHIPS [via HEXES]\nIn a clash, raids a star of the other power with up \
         to five ships, for one round or two (space-9.1).",
    ),
    (
        "place",
        "place HEX [to STAR]\nMoves on ships that cannot stay at a star, and sets their \
         destination (space-7.1).",
    ),
    (
        "decree",
        "decree STAR PLANET: spend N; N ITEMS | posts STARS\nMakes the choices that a decree \
         leaves open: the budget of the first priority, and the weapons to buy (space-6.2).",
    ),
    ("unpost", "unpost STAR\nRemoves a command post (7.2)."),
    ("end", "end, end movement, end turn\nEnds the current step (4)."),
    ("fight", "fight HEX\nChooses the next battle if there are several (12.1)."),
    (
        "aim",
        "aim GUN>TARGET GUN>TARGET ..., aim GUN,GUN>TARGET,TARGET ...\nChooses targets by unit \
         numbers in the line of battle; guns that are not listed hold fire (12.3).",
    ),
    ("hold", "hold\nFires no shots in this round (BR-14)."),
    (
        "withdraw",
        "withdraw UNITS to STAR; UNITS to STAR; UNITS stay ...\nThese units leave the battle. The \
         enemy chooses one hex for all; each star is the destination of the units before it \
         (12.7, 12.8).",
    ),
    ("stay", "stay\nKeeps all units in the battle (12.7)."),
    ("send", "send HEX\nChooses the hex next to the battle to which enemies withdraw (12.8)."),
    (
        "attack",
        "attack STAR PLANETS\nAttacks colonies of one star, or fights another round against them \
         (13).",
    ),
    ("break", "break\nBreaks off an attack on colonies (13.4)."),
    (
        "scuttle",
        "scuttle STAR PLANET FACTORIES ..., scuttle none\nDestroys factories of your colonies \
         under attack (13.5).",
    ),
    ("raze", "raze STAR PLANET FACTORIES\nDestroys factories of a conquered colony (15.8)."),
    (
        "kill",
        "kill STAR PLANET MILLIONS\nKills people of a conquered colony: up to 1M a turn for \
         each corvette there, 3M for each fighter and 5M for each death star (15.9).",
    ),
    ("land", "land #SHIPS STAR PLANET\nLands transports; each adds 1M and is used up (16)."),
    (
        "watch",
        "watch STAR PLANET never|always|ask\nSets what a colony does about passing ships; looking \
         reveals the colony (10).",
    ),
    ("look", "look NUMBER\nLooks at ships that passed a colony; this reveals the colony (10)."),
    ("pass", "pass NUMBER\nDeclines a chance to look (10)."),
    (
        "standing",
        "standing [fire ask|spread|focus|hold] [stay ask|always|while-more|while-no-fewer|never] \
         [scouts stay|leave] [transports stay|leave] [refuge ask|away] [scuttle \
         ask|never|when-lost]\nSets your decisions when you are attacked; you are asked about \
         anything left out.",
    ),
    (
        "setup",
        "setup N scouts; N corvettes; N into TECHNOLOGY\nSpends the 25 i.p. of the start (3.4).",
    ),
    (
        "commission",
        "commission N corvettes; N scouts; TECHNOLOGY; TECHNOLOGY\nSpends the 15 ship points of \
         the Captain-General, and chooses two technologies of speed3, mb, cet, industry \
         (fate-2).",
    ),
    (
        "produce",
        "produce STAR PLANET: PLAN | STAR PLANET: PLAN | posts STARS | grant N into TECHNOLOGY\nA \
         production sheet, in one line or several, one for each part; entries for one colony add \
         up. At the table, a line is added to the sheet: `orders` shows it, `drop 2` and `clear` \
         remove lines. A PLAN is a list such as: emigrate 6+2; 2 scout-pairs; 1 scout; 10 into \
         speed3; or evacuate. A technology works as soon as it is paid for: write it first (17).",
    ),
    (
        "recall",
        "recall #SHIPS\nChooses the ships that leave for the Empire. They must be worth exactly \
         the amount demanded, or as little above it as possible (fate-4.4).",
    ),
];

/// The names of tables, with the rules that contain them.
const TABLES: &[(&str, &str)] = &[
    ("attack", "12.4"),
    ("prices", "17.5"),
    ("research", "18.1"),
    ("technology", "18.1"),
    ("planets", "1"),
    ("clouds", "6.3"),
    ("entry", "2.7"),
    ("risk", "11.2"),
    ("growth", "17.1"),
    ("points", "19.1"),
    ("events", "fate-4.1"),
    ("swarms", "fate-5.1"),
    ("factors", "fate-5.3"),
    ("discovery", "fate-6.2"),
    ("pirates", "fate-7.6"),
    ("sectors", "fate-9"),
    ("score", "fate-11"),
];

pub(super) fn help(word: &str) -> Option<String> {
    let word = word.trim().to_lowercase();
    let order = ORDERS.iter().find(|(name, _)| *name == word).map(|(_, text)| (*text).to_owned());
    let codes = || {
        let codes: Vec<&str> = heliopause_stellar_conquest::Tech::ALL
            .into_iter()
            .map(|tech| code(tech.title()))
            .collect();
        format!("\nTechnologies: {}.", codes.join(", "))
    };
    let with_codes = |text: String| match word.as_str() {
        "produce" | "setup" => format!("{text}{}", codes()),
        _ => text,
    };
    let table = TABLES
        .iter()
        .find(|(name, _)| *name == word)
        .and_then(|(_, rule)| StellarConquest::rule(rule));
    // `attack` is both an order and a table.
    match (order, table) {
        (Some(order), Some(table)) => Some(format!("{order}\n\n{table}")),
        (Some(order), None) => Some(with_codes(order)),
        (None, table) => table.map(str::to_owned),
    }
}

fn code(title: &Title) -> &'static str {
    title.code
}

pub(super) fn stored(view: &View) -> Option<Vec<String>> {
    let order = match &view.power()?.sheet {
        Sheet::None => return None,
        Sheet::Outfit(outfit) => Order::Outfit(outfit.clone()),
        Sheet::Production(sheet) => Order::Produce(sheet.clone()),
        Sheet::Decree(sheet) => Order::Decree(sheet.clone()),
    };
    let text = StellarConquest::notate(&order);
    Some(text.split(" | ").map(str::to_owned).collect())
}

/// Returns the lines of a production turn's sheet, each a separate order.
pub(super) fn sheet(view: &View) -> Option<Vec<String>> {
    let verb = sheet_verb(view)?;
    let whole =
        |(index, line): (usize, String)| if index == 0 { line } else { format!("{verb} {line}") };
    let mut lines: Vec<String> =
        stored(view).unwrap_or_default().into_iter().enumerate().map(whole).collect();
    lines.retain(|line| line != verb);
    Some(lines)
}

pub(super) fn sheet_verb(view: &View) -> Option<&'static str> {
    let seat = view.power().map(|_| view.viewer())?;
    let plays = matches!(seat, Viewer::Seat(seat) if seat.index() < view.table.players);
    let open = plays && view.table.stage == Stage::Production;
    open.then(|| if view.table.campaign.politics().is_some() { "decree" } else { "produce" })
}

pub(super) fn verbs() -> impl Iterator<Item = &'static str> {
    ORDERS.iter().map(|(name, _)| *name)
}
