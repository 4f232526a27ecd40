//! Paraphrased rules, numbered as in the crate documentation, for the `?` command and `Explain`
//! calls.

use heliopause_kernel::headings;

pub(crate) fn rule(number: &str) -> Option<&'static str> {
    RULES.iter().find(|(name, _)| name.eq_ignore_ascii_case(number)).map(|(_, text)| *text)
}

pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    headings(RULES)
}

/// Returns whether a rule applies only to the game with spacecraft. The rulings in `SHARED` apply
/// to both games.
pub(crate) fn is_of_outer_space(number: &str) -> bool {
    const SHARED: [&str; 5] = ["R1", "R16", "R17", "R21", "R22"];
    let is_own = number.bytes().all(|byte| byte.is_ascii_digit())
        || number.get(..1).is_some_and(|first| first.eq_ignore_ascii_case("R"));
    is_own && !SHARED.iter().any(|shared| shared.eq_ignore_ascii_case(number))
}

const RULES: &[(&str, &str)] = &[
    (
        "D1",
        "The map has 75 provinces: 14 inland, 42 on coasts, 19 seas; 34 hold a supply center. \
         Armies are on land, fleets at sea and on coasts. Bulgaria, Spain and St Petersburg have \
         two coasts, and a fleet there is on one of them. A province has room for one unit.",
    ),
    (
        "D2",
        "A year is Spring movement and retreats, Fall movement and retreats, and Winter \
         adjustments; phases without decisions are skipped. After Fall each center with a unit on \
         it belongs to that unit's power; an empty one keeps its owner. Orders are secret and are \
         resolved all at once. A unit without an order holds, a dislodged unit without an order is \
         disbanded, and builds without orders are waived.",
    ),
    (
        "D3",
        "Each unit has one order: hold, move, support or convoy. A unit without a legal order \
         holds.",
    ),
    (
        "D3.1",
        "You can order only your own units. A wrong letter or coast for the ordered unit is \
         ignored.",
    ),
    (
        "D3.2",
        "A unit moves to a neighboring province that it can enter. If a fleet can reach two coasts \
         of a province, its order must include one. An army can also go from coast to coast if a \
         chain of fleets at sea, of any power, leads there.",
    ),
    (
        "D3.3",
        "A unit can support another unit that stays if it could itself move to that unit's \
         province without a convoy, on any coast.",
    ),
    (
        "D3.4",
        "A unit can support another unit's move if it could itself move to the destination without \
         a convoy, and if the move is possible without the supporter as a convoying fleet.",
    ),
    (
        "D3.5",
        "A fleet at sea can convoy an army from one coast to another if it is part of a chain of \
         fleets in which every fleet is needed.",
    ),
    ("D3.6", "Two different legal orders for one unit cancel each other."),
    (
        "D3.7",
        "A support or convoy that does not match what the other unit does is void. If a support \
         includes a coast, it must be the coast of the move.",
    ),
    (
        "D4",
        "All moves are resolved together. Whether a move succeeds depends on its support and on \
         the support of its opponents.",
    ),
    (
        "D4.1",
        "A move by convoy has a path if there is a chain of fleets that all convoy it, and none of \
         them is dislodged.",
    ),
    (
        "D4.2",
        "Two units that move into each other's provinces without a convoy fight head-to-head. A \
         unit gets through only if it is stronger than the other unit with all of the other unit's \
         supports.",
    ),
    (
        "D4.3",
        "A unit that stays holds with strength 1 plus its supports; a unit whose move failed \
         holds with strength 1.",
    ),
    (
        "D4.4",
        "A move succeeds if it is stronger than the unit in the province and than every other move \
         to it. Equal strength is not enough.",
    ),
    (
        "D4.5",
        "A power cannot dislodge its own unit, and a support does not count against a unit of the \
         supporter's power.",
    ),
    (
        "D4.6",
        "Moves of equal strength to one province keep each other out, even if they could not have \
         entered it themselves. A move without a path, or one that lost head-to-head, keeps no \
         other move out.",
    ),
    (
        "D4.7",
        "An attack by another power on the supporter cuts a support. An attack from the province \
         into which the support is directed cuts it only if it dislodges the supporter. An attack \
         by a disrupted convoy cuts no support.",
    ),
    ("D4.8", "A convoy continues unless its fleet is dislodged."),
    (
        "D4.9",
        "All units in a closed ring of moves move, unless a unit from outside the ring stops one \
         of them.",
    ),
    (
        "D7",
        "A dislodged unit is disbanded, or retreats to an empty province that it could enter \
         without a convoy, where no standoff took place, and from which its attacker did not come \
         (unless by convoy).",
    ),
    ("D7.4", "If several units retreat to one province, all of them are disbanded."),
    ("D7.5", "A dislodged unit without a legal retreat order is disbanded."),
    (
        "D8",
        "In Winter a power with more centers than units builds in its own empty home centers; one \
         with fewer removes units. Orders are carried out in sequence as far as possible.",
    ),
    (
        "D8.6",
        "Units of a power without a player hold and can be supported; such a power builds nothing \
         and removes units by 4.D.8.",
    ),
    (
        "D8.7",
        "A power that owns enough centers after Fall, usually 18, wins. If several do, the one \
         with the most centers wins; if they are tied, play continues.",
    ),
    ("D8.8", "All surviving powers may agree to a draw and share it."),
    (
        "D9",
        "Which messages players may write is set when the game is created: private and public, \
         public only, or none.",
    ),
    (
        "D10",
        "The powers start with their home centers and 22 units in Spring 1901; 12 centers are \
         neutral.",
    ),
    (
        "1",
        "The rules of the base game apply, except as follows. Each empire starts with three \
         armies in its spacecraft; the map is empty.",
    ),
    (
        "2",
        "A spacecraft carries up to three armies of its own empire. Armies in orbit hold, or beam \
         down to any land province; armies on land can beam up. Landings can be supported, and the \
         strongest succeeds. Fleets cannot be beamed.",
    ),
    (
        "3",
        "A unit can colonize its own province, or one that it could move to. The attempt succeeds \
         if the empire has a unit there at the end of the turn, or if the province is empty and no \
         other empire tried to enter or colonize it. A colony is lost only if another empire \
         colonizes it or its own empire is eliminated, regardless of the owner of the center.",
    ),
    (
        "4",
        "Armies cannot beam down into another empire's colony. Elsewhere landings attack like any \
         move, and cut supports.",
    ),
    (
        "5",
        "Armies retreat only to their spacecraft or their empire's colonies, fleets only to seas \
         or their empire's colonies.",
    ),
    (
        "6",
        "Units can be built only in empty centers that the empire owns and has colonized. \
         Colonies of an eliminated empire become free.",
    ),
    ("7", "In orders, ORB means the spacecraft, and COL means to colonize."),
    ("R1", "Coastal provinces count as land. Two or more empires can play."),
    ("R2", "An army in orbit can only hold or beam down, not support or colonize."),
    (
        "R3",
        "An order to beam down into another empire's colony is jammed: it is illegal and has no \
         effect. Only the colonies at the start of the turn count.",
    ),
    (
        "R4",
        "Support for another empire's landing must include that empire's code. Support without a \
         code is for a landing of the supporter's own empire.",
    ),
    ("R5", "Several armies may beam down to one province; a support applies to the first of them."),
    (
        "R6",
        "Orbit is not a province: no unit is attacked there, and no unit meets a landing \
         head-to-head.",
    ),
    (
        "R7",
        "Armies beam up if the spacecraft has room for all of them after the turn's landings; \
         otherwise none of them does.",
    ),
    ("R8", "A unit that colonizes stays where it is, and can be supported there."),
    (
        "R9",
        "Colonizing an empty province fails if another empire legally ordered a unit to colonize \
         it or to move there, whatever the result. A move by convoy without a path does not count.",
    ),
    (
        "R10",
        "An empire may colonize its own colony again. If the province is empty, this makes the \
         attempts of other empires fail.",
    ),
    (
        "R11",
        "A unit can colonize only its own province, or a province that it could enter without a \
         convoy.",
    ),
    (
        "R12",
        "An attempt to colonize another province can succeed even if the colonizing unit is \
         dislodged.",
    ),
    (
        "R13",
        "If a spacecraft has no room for all armies that retreat to it, all of them are disbanded.",
    ),
    ("R14", "Armies in orbit count as units in Winter."),
    ("R15", "If removals are not ordered, armies in orbit are removed first."),
    (
        "R16",
        "A power or empire without units and centers is eliminated at the end of a turn or after \
         adjustments. When no power can act any more, the game is drawn.",
    ),
    (
        "R17",
        "The last empire left wins. If the last empires are eliminated together, the game is a \
         draw between them.",
    ),
    ("R18", "Orbit and jamming do not affect convoys."),
    ("R19", "The first turn is Spring 1901."),
    ("R20", "Each empire has a name, and a code of three letters or digits for orders."),
    ("R21", "A winner gets 100 points; the powers in a draw share them equally."),
    (
        "R22",
        "Two options end the game as a draw: one after a number of years without a change of \
         center ownership, the other after a last year.",
    ),
    ("R23", "Any number of landings can meet in one province."),
    ("4.A.1", "A convoy with several routes is disrupted only if every route is."),
    (
        "4.A.2",
        "If the result of a convoy depends on itself, the fleets in that paradox do not convoy, \
         and their armies stay and have no effect.",
    ),
    (
        "4.A.3",
        "An army goes by convoy if there is no way by land, if its order says so, or if a fleet \
         of its own power convoys exactly this move. Then it never goes by land.",
    ),
    (
        "4.C.3",
        "A build order without a letter builds an army inland, or a fleet if it includes a coast. \
         Elsewhere it is illegal.",
    ),
    ("4.D.1", "A later order for a unit replaces an earlier one."),
    (
        "4.D.8",
        "Removals that are not ordered first take units that are not on supply centers: the \
         farthest from the power's centers, then fleets before armies, then in alphabetical order \
         of their provinces.",
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
    fn faults_name_existing_rules() {
        for fault in Fault::ALL {
            assert!(rule(fault.rule()).is_some(), "{fault:?}: {}", fault.rule());
        }
        assert!(rule("r7").is_some() && rule("R24").is_none());
    }

    #[test]
    fn editions_have_their_own_rules() {
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
