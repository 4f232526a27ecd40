//! The notation of orders with examples, and help on single orders.

pub(super) const NOTATION: &str = "  A Par H                     hold
  A Par - Bur                 move; add the coast if there are two: F MAO - Spa/nc
  A Lon - Bel via convoy      move only by convoy, even if there is a land route
  A Par S A Mar - Bur         support a move; A Par S A Bur supports a unit that stays
  F ENG C A Lon - Bel         convoy
  A Vie R Boh, A Vie D        retreat, or disband
  BUILD F Stp/nc, WAIVE       build, or waive a build;  REMOVE A Par
  CLEAR                       withdraws all orders for this phase
A new order for a unit replaces the earlier one. To send several lines from a file: `orders GAME --file F`.
Tab completes legal orders word by word; `list Par` shows those of a unit. `? move` explains an order.";

pub(super) const NOTATION_IN_SPACE: &str =
    "  A ORB - Par                 beam down;  A Par - ORB beams up;  A ORB H stays in orbit
  A Par COL, F NTH COL Nwy    colonize its own province, or one in reach
  A Gas S A ORB - Par         support a landing; S VEL A ORB - Par for one of the empire VEL
  A Par - Bur, A Par H, A Par S A Mar - Bur, F ENG C A Lon - Bel, A Lon - Bel via convoy: as in Diplomacy
  A Par R ORB, A Par R Bur    retreat to the spacecraft or a colony;  A Par D disbands
  BUILD A Par, WAIVE, REMOVE A ORB
  CLEAR                       withdraws all orders for this phase
Each army in orbit has a line of its own; a new order for a unit on the map replaces the earlier one.
Tab completes legal orders word by word; `list Par` shows those of a unit. `? col` explains an order.";

const ORDERS: &[(&[&str], &str)] = &[
    (&["h", "hold"], "UNIT H\nThe unit stays and can be supported (D3)."),
    (
        &["-", "move", "moves"],
        "UNIT - PROVINCE [via convoy]\nArmies cross land borders, or go from coast to coast by a \
         chain of fleets at sea that convoy them. With a convoy by your own fleet, or `via \
         convoy`, the army never goes by land (D3.2, 4.A.3).",
    ),
    (
        &["s", "support", "supports"],
        "UNIT S UNIT, UNIT S UNIT - PROVINCE\nAdds one to the strength of a unit that stays, or of \
         a move. The supporter must be able to move to that unit's province, or to the destination \
         of the move. An attack on the supporter by another power cuts the support. An attack from \
         the province into which the support is directed cuts it only if it dislodges the \
         supporter (D3.3, D3.4, D4.7).",
    ),
    (
        &["c", "convoy", "convoys"],
        "FLEET C ARMY - PROVINCE\nA fleet at sea carries an army; several fleets form a chain. A \
         dislodged fleet breaks the chain (D3.5, D4.8).",
    ),
    (&["r", "retreat"], "UNIT R PLACE\nA dislodged unit goes to one of the listed places (D7, 5)."),
    (&["d", "disband"], "UNIT D\nDisbands a dislodged unit (D7)."),
    (
        &["build"],
        "BUILD A PROVINCE, BUILD F PROVINCE/COAST\nBuilds a unit in an empty building site (D8, \
         6).",
    ),
    (&["remove"], "REMOVE UNIT\nRemoves a unit when you have too many (D8)."),
    (&["waive"], "WAIVE\nLeaves a build unused (D8)."),
    (&["clear"], "CLEAR\nWithdraws all orders for this phase (4.D.1)."),
    (
        &["orb", "orbit", "beam"],
        "A ORB - PROVINCE, A PROVINCE - ORB\nArmies beam down to any land except other empires' \
         colonies, and up if the spacecraft has room for all of them: three armies at most (2, \
         4, R7).",
    ),
    (
        &["col", "colonize"],
        "UNIT COL [PROVINCE]\nThe unit stays and tries to found a colony. It succeeds if a unit \
         of the empire is there at the end of the turn, or if the province is empty and no other \
         empire tried to enter or colonize it (3, R8, R9).",
    ),
];

pub(super) fn help(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    ORDERS
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()))
        .map(|(_, text)| (*text).to_owned())
}
