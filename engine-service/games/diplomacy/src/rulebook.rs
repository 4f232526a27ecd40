//! The rules in our own words, by number, for `?` and Explain.
//!
//! `D` numbers are the base game, plain numbers and `R` numbers "...It Came From Outer Space!", and
//! numbers such as `4.A.2` the choices by which adjudicators differ, as the adjudicator test cases
//! number them.

use heliopause_kernel::headings;

/// The text of a rule; `None` if there is no such number.
pub(crate) fn rule(number: &str) -> Option<&'static str> {
    RULES.iter().find(|(name, _)| name.eq_ignore_ascii_case(number)).map(|(_, text)| *text)
}

/// Every rule in order: its number and its first sentence.
pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    headings(RULES)
}

/// Whether a rule belongs to "...It Came From Outer Space!" alone: its own numbers, and those
/// rulings that do not concern the end of a game.
pub(crate) fn is_of_outer_space(number: &str) -> bool {
    const SHARED: [&str; 5] = ["R1", "R16", "R17", "R21", "R22"];
    let is_own = number.bytes().all(|byte| byte.is_ascii_digit())
        || number.get(..1).is_some_and(|first| first.eq_ignore_ascii_case("R"));
    is_own && !SHARED.iter().any(|shared| shared.eq_ignore_ascii_case(number))
}

/// Every rule, in order.
const RULES: &[(&str, &str)] = &[
    (
        "D1",
        "The map has 75 provinces: 14 inland, 42 on coasts, 19 seas; 34 hold a supply center. \
         Armies stand on land, fleets at sea and on coasts. Bulgaria, Spain and St Petersburg have \
         two coasts, and a fleet there stands on one of them. A province holds one unit.",
    ),
    (
        "D2",
        "A year is Spring movement and retreats, Fall movement and retreats, and Winter \
         adjustments; phases in which nobody has to decide are left out. After Fall each center \
         with a unit on it belongs to that unit's power; an empty one keeps its owner. Orders are \
         secret and are resolved all at once. Whoever gives none holds, disbands, or waives.",
    ),
    (
        "D3",
        "Each unit has one order: hold, move, support, convoy. A unit without a legal order holds.",
    ),
    (
        "D3.1",
        "You order your own units only. A wrong letter or coast of the ordered unit does not \
         matter.",
    ),
    (
        "D3.2",
        "A unit moves to a neighbouring province that it can enter. A fleet names the coast where \
         it could reach two. An army can also go from coast to coast if a chain of fleets at sea, \
         whosever they are, leads there.",
    ),
    (
        "D3.3",
        "A unit supports another that stays, if it could itself move there without a convoy, on \
         any coast.",
    ),
    (
        "D3.4",
        "A unit supports another's move if it could itself move to the destination, and the other \
         could make that move while it supports.",
    ),
    (
        "D3.5",
        "A fleet at sea convoys an army from one coast to another, if it lies on a chain from \
         which no fleet could be left out.",
    ),
    ("D3.6", "Of two different legal orders for one unit neither counts."),
    (
        "D3.7",
        "A support or convoy that does not match what the other unit does is void. A coast in a \
         support must be the coast of the move, if it is named.",
    ),
    (
        "D4",
        "All moves are resolved together: each succeeds or fails by the strengths that supports \
         give it and its opponents.",
    ),
    (
        "D4.1",
        "A move by convoy has a path while one chain of fleets convoys it and none of them is \
         dislodged.",
    ),
    (
        "D4.2",
        "Two units that move into each other's provinces without a convoy fight head-to-head: one \
         gets through only if it is stronger than the other with all its supports.",
    ),
    (
        "D4.3",
        "A unit that stays holds with one and its supports; a unit whose move failed holds with \
         one.",
    ),
    (
        "D4.4",
        "A move succeeds if it is stronger than the unit in the province and than every other move \
         there. Equal is not enough.",
    ),
    (
        "D4.5",
        "Nobody drives out a unit of the own power, and no support helps to drive out a unit of \
         the supporter's power.",
    ),
    (
        "D4.6",
        "Moves of equal strength to one province keep each other out, whether or not they could \
         have got in; but not one without a path, nor one that lost head-to-head.",
    ),
    (
        "D4.7",
        "Support is cut by an attack of another power on the supporter, unless it comes from the \
         province that the support is directed into; then only if the supporter is dislodged. An \
         attack by a broken convoy cuts nothing.",
    ),
    ("D4.8", "A convoying fleet convoys on unless it is dislodged."),
    ("D4.9", "Units in a closed ring of moves all move, if nobody from outside stops one."),
    (
        "D7",
        "A dislodged unit retreats to a province that it could move to by itself, that is empty, \
         that its attacker did not come from (unless by convoy), and where no standoff took place; \
         or it is disbanded.",
    ),
    ("D7.4", "Units that retreat to one province are all disbanded."),
    ("D7.5", "A dislodged unit without a legal retreat order is disbanded."),
    (
        "D8",
        "In Winter a power with more centers than units builds in its own, empty home centers; one \
         with fewer removes units. Lines are carried out in their order as far as they can be.",
    ),
    (
        "D8.6",
        "Units of a power without a player hold and can be supported; it builds nothing and \
         removes by 4.D.8.",
    ),
    (
        "D8.7",
        "Whoever owns the centers that win after Fall, usually 18, wins; of several the one with \
         the most, and nobody while they are equal.",
    ),
    ("D8.8", "All powers that are left may agree to a draw, which they share."),
    (
        "D9",
        "What players may write to each other is set when the game is created: anything, only what \
         everybody reads, or nothing.",
    ),
    (
        "D10",
        "The powers begin with their home centers and 22 units in Spring 1901; 12 centers are \
         neutral.",
    ),
    (
        "1",
        "All rules are those of the base game but for what follows. Each empire begins with three \
         armies in its spacecraft; the map is empty.",
    ),
    (
        "2",
        "A spacecraft holds up to three armies of its own empire. They hold or beam down to any \
         land province; armies on land beam up. Landings can be supported, and the strongest gets \
         in. Fleets are not beamed.",
    ),
    (
        "3",
        "A unit can colonize its province, or one that it could move to. That succeeds if the \
         empire has a unit there at the end of the turn, or if the province is empty and no other \
         empire tried to enter or colonize it. A colony is lost only to another empire's \
         colonizing or by elimination; who owns the center does not matter.",
    ),
    (
        "4",
        "Nobody beams down into another empire's colony. Elsewhere landings attack like any move, \
         and cut supports.",
    ),
    (
        "5",
        "Armies retreat only to the own spacecraft or own colonies, fleets to seas or own \
         colonies.",
    ),
    (
        "6",
        "Units are built only in empty centers that the empire both owns and has colonized. \
         Colonies of an eliminated empire are free again.",
    ),
    ("7", "In orders the spacecraft is ORB, and colonizing is COL."),
    ("R1", "Coasts count as land. Any number of empires from two can play."),
    ("R2", "An army in orbit only holds or beams down: it neither supports nor colonizes."),
    (
        "R3",
        "Jamming goes by the colonies at the start of the turn. A jammed order is illegal and has \
         no effect at all.",
    ),
    (
        "R4",
        "Support for another empire's landing names that empire; without a name the own one is \
         meant.",
    ),
    ("R5", "Several armies may beam down to one province; a support goes to the first of them."),
    (
        "R6",
        "Orbit is no province: nobody is fought there, and nobody meets a landing head-to-head.",
    ),
    (
        "R7",
        "Armies beam up if all of the empire's find room after its landings; otherwise none does.",
    ),
    ("R8", "A unit that colonizes stays where it is, and can be supported there."),
    (
        "R9",
        "What spoils colonizing an empty province is another empire's legal order to colonize it, \
         or to move there with a path, whatever came of it.",
    ),
    ("R10", "Colonizing an own colony is allowed, and spoils the attempts of others."),
    ("R11", "What a unit can colonize is what it could enter directly, not by convoy."),
    ("R12", "Colonizing another province does not depend on what becomes of the unit."),
    (
        "R13",
        "If more armies retreat to a spacecraft than it has places for, all of them are disbanded.",
    ),
    ("R14", "Armies in orbit count as units in Winter."),
    ("R15", "Removals that are not ordered take armies in orbit first."),
    (
        "R16",
        "A power or empire without units and centers is out, at the end of a turn or after \
         adjustments. When nobody can act any more, the game is drawn.",
    ),
    (
        "R17",
        "The last empire wins; if the last ones fall together the game is a draw between them.",
    ),
    ("R18", "Convoys take no notice of orbit and jamming."),
    ("R19", "The first turn is Spring 1901."),
    ("R20", "Each empire has a name, and a code of three letters or digits for orders."),
    ("R21", "A winner has 100 points; a draw shares them."),
    (
        "R22",
        "If so agreed when the game is created, it is drawn after a number of years without a \
         center that changes hands, or after a last year.",
    ),
    ("R23", "Any number of landings can meet in one province."),
    ("4.A.1", "A convoy with several routes is broken only if every route is."),
    (
        "4.A.2",
        "If a convoy cannot be decided because it hangs on itself, the fleets of that circle do \
         not convoy, and their armies stay without any effect.",
    ),
    (
        "4.A.3",
        "An army goes by convoy if there is no way by land, if its order says so, or if a fleet of \
         its own power convoys exactly this move. Then it does not go by land.",
    ),
    ("4.C.3", "Without a letter a build is an army inland, and a fleet where a coast is named."),
    ("4.D.1", "A later order for a unit takes the place of an earlier one."),
    (
        "4.D.8",
        "Removals that are not ordered take units off supply centers first, the farthest from an \
         own center, fleets before armies, then by the alphabet.",
    ),
    ("4.E.1", "Illegal orders are ignored."),
];

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game as _;

    use super::*;
    use crate::Diplomacy;
    use crate::fault::Fault;

    #[test]
    fn every_fault_names_a_rule_of_the_book() {
        for fault in Fault::ALL {
            assert!(rule(fault.rule()).is_some(), "{fault:?}: {}", fault.rule());
        }
        assert!(rule("r7").is_some() && rule("R24").is_none());
    }

    #[test]
    fn each_edition_has_its_own_rules() {
        let of = |edition: &str, number: &str| Diplomacy::rule_of(edition, number).is_some();
        for number in ["4", "7", "R2", "r9", "R23"] {
            assert!(!of("diplomacy", number), "{number} is not a rule of Diplomacy");
            assert!(of("it-came-from-outer-space", number), "{number}");
        }
        for number in ["D4", "4.A.1", "r16", "R17", "R21", "R22"] {
            assert!(of("diplomacy", number) && of("it-came-from-outer-space", number), "{number}");
        }
    }
}
