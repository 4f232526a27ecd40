//! How orders are written, with examples; help on single orders.

/// How orders are written in the standard game.
pub(super) const NOTATION: &str = "  A Par H                     hold
  A Par - Bur                 move; a fleet names one of two coasts: F MAO - Spa/nc
  A Lon - Bel via convoy      move by convoy only, also where there is a way by land
  A Par S A Mar - Bur         support a move; A Par S A Bur supports a unit that stays
  F ENG C A Lon - Bel         convoy
  A Vie R Boh, A Vie D        retreat, or disband
  BUILD F Stp/nc, WAIVE       build, or leave a build unused;  REMOVE A Par
  CLEAR                       takes back all orders of this phase
A new order for a unit takes the place of the earlier one. Several lines go at once from a file: `orders GAME --file F`.
Tab completes legal orders word by word; `list Par` shows those of a unit. `? move` tells more of an order.";

/// How orders are written in the game with spacecraft.
pub(super) const NOTATION_IN_SPACE: &str =
    "  A ORB - Par                 beam down;  A Par - ORB beams up;  A ORB H stays in orbit
  A Par COL, F NTH COL Nwy    colonize: the own province, or one in reach
  A Gas S A ORB - Par         support a landing; S VEL A ORB - Par one of the empire VEL
  A Par - Bur, A Par H, A Par S A Mar - Bur, F ENG C A Lon - Bel, A Lon - Bel via convoy: as in Diplomacy
  A Par R ORB, A Par R Bur    retreat to the spacecraft, or to an own colony;  A Par D disbands
  BUILD A Par, WAIVE, REMOVE A ORB
  CLEAR                       takes back all orders of this phase
Each army in orbit has a line of its own; another order for a unit on the map takes the place of the earlier one.
Tab completes legal orders word by word; `list Par` shows those of a unit. `? col` tells more of an order.";

/// What is said of each order.
const ORDERS: &[(&[&str], &str)] = &[
    (&["h", "hold"], "UNIT H\nThe unit stays, and can be supported (D3)."),
    (
        &["-", "move", "moves"],
        "UNIT - PROVINCE [via convoy]\nArmies cross land borders, or go from coast to coast by a \
         chain of fleets at sea that convoy them. A convoy by an own \
         fleet, or `via convoy`, takes the army off the way by land (D3.2, 4.A.3).",
    ),
    (
        &["s", "support", "supports"],
        "UNIT S UNIT, UNIT S UNIT - PROVINCE\nAdds one to the strength of a unit that stays, or of \
         a move. The supporter must be able to go there \
         itself. An attack on it by another power cuts the support, unless it comes from where the \
         support is directed (D3.3, D3.4, D4.7).",
    ),
    (
        &["c", "convoy", "convoys"],
        "FLEET C ARMY - PROVINCE\nA fleet at sea carries an army; several fleets make a chain. A \
         fleet that is dislodged breaks it (D3.5, D4.8).",
    ),
    (
        &["r", "retreat"],
        "UNIT R PLACE\nA dislodged unit goes to one of the places that are listed (D7, 5).",
    ),
    (&["d", "disband"], "UNIT D\nA dislodged unit is taken off (D7)."),
    (
        &["build"],
        "BUILD A PROVINCE, BUILD F PROVINCE/COAST\nA new unit in an empty building site (D8, 6).",
    ),
    (&["remove"], "REMOVE UNIT\nA unit too many is taken off (D8)."),
    (&["waive"], "WAIVE\nA build is not used (D8)."),
    (&["clear"], "CLEAR\nTakes back all orders of this phase (4.D.1)."),
    (
        &["orb", "orbit", "beam"],
        "A ORB - PROVINCE, A PROVINCE - ORB\nArmies beam down to any land that is no other \
         empire's colony, and up if the spacecraft has room \
         for all that want to come: three armies (2, 4, R7).",
    ),
    (
        &["col", "colonize"],
        "UNIT COL [PROVINCE]\nThe unit stays and tries to make a colony: it succeeds if a unit of \
         the empire stands there at the end of the turn, \
         or if the province is empty and no other empire tried to enter or to colonize it (3, R8, \
         R9).",
    ),
];

/// Help on an order; none if the word begins none.
pub(super) fn help(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    ORDERS
        .iter()
        .find(|(words, _)| words.contains(&word.as_str()))
        .map(|(_, text)| (*text).to_owned())
}
