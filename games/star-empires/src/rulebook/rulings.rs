//! Rulings on questions that the rules leave open.

#[rustfmt::skip]
pub(super) const RULINGS: &[(&str, &str)] = &[
    ("R1", "Each component is priced by its difference from the hull's base rating. Each price is \
        rounded up separately and added to the base price."),
    ("R2", "A rating below the base is refunded by the same formula by which a rating above it is \
        charged. No class costs less than 1 RU or weighs less than 1 tonne."),
    ("R3", "The price formula divides a missile's guns by 13.5 times its tonnage, so a heavier \
        missile with the same guns is cheaper. The price is rounded down."),
    ("R4", "The stock classes are the starbase and, for each hull, one class with the base \
        ratings."),
    ("R5", "Every class has at least one gun and one damage point. Ratings, prices and tonnages \
        have fixed upper limits."),
    ("R6", "For every class, auto-repair is a tenth of its damage points, rounded down, but at \
        least 1."),
    ("R7", "In operational ratings, exactly half is rounded up."),
    ("R8", "A conquering ship is live and loose (not aboard a carrier), is not a missile, and has \
        a working gun."),
    ("R9", "An empire's code is the first free pair of letters of its name. GM is the game \
        master's code."),
    ("R10", "Within a phase, the order of empires makes no difference, except for designs with the \
        same name (R38)."),
    ("R11", "On submission, an order is rejected only for faults that can never change. Everything \
        else is checked in the order's phase."),
    ("R12", "A sector or object in place of ships means all your loose ships that are there when \
        the order runs."),
    ("R13", "A name has 1 to 25 letters, digits and underscores; upper and lower case are the \
        same. Ships can be named only when they are built."),
    ("R14", "An order is done if all its parts succeed, partly done if some succeed, and refused \
        if none succeeds."),
    ("R15", "In the rules for starbases, orbitals and carriers, a friendly ship is a ship of the \
        same empire."),
    ("R16", "A loaded ship cannot take cargo, and a ship with cargo cannot be loaded onto another \
        ship."),
    ("R17", "A ship can be unloaded and loaded again in the same turn."),
    ("R18", "A missile that is loaded when the turn starts and has orders to fire leaves its rack \
        in 6.2.1. A missile that is loaded this turn leaves its rack when it fires."),
    ("R19", "A missile that was unloaded to fire but was not needed drifts. A missile that was \
        loaded this turn but was not needed stays aboard. A drifting missile cannot fire unless it \
        is loaded first."),
    ("R20", "Drifting missiles can be shot at, unless they can fire this turn and have orders to \
        fire."),
    ("R21", "Larger targets come first unless the order says otherwise. The ships of all target \
        empires of an order form one list."),
    ("R22", "A ship that has orders to fire but fires no gun can still move."),
    ("R23", "The later fire orders of an empire take into account the damage that its earlier \
        orders have dealt to a target. They do not foresee the damage from self-destructions."),
    ("R24", "For ships of unknown design, combat uses the true ratings, although the empire does \
        not see them."),
    ("R25", "If the unfired guns can destroy the target, they fire. Otherwise a missile fires, if \
        one is left: the smallest that can destroy the target, or else the largest."),
    ("R26", "Collateral damage in a sector is calculated from all self-destructions there \
        together. It also hits drifting missiles and starbases."),
    ("R27", "A ship that is shot and also destroys itself counts as self-destructed, and so does \
        its cargo: neither can be salvaged."),
    ("R28", "Loaded ships repair themselves too. All ships repair themselves before ownership is \
        determined."),
    ("R29", "In both ownership phases, a world without conquering ships becomes unowned."),
    ("R30", "A starbase protects itself and its owner's other ships from storms, but only in its \
        own sector."),
    ("R31", "A storm hits every loose ship in its sector, whether or not the ship moved. The \
        damage of several storms adds up. Cargo takes no damage."),
    ("R32", "Blockades and interdictions compare the working guns and the remaining damage points \
        of conquering ships. Exactly two or three times is not enough. Every other empire is \
        foreign, including allies."),
    ("R33", "You have just taken a world if you became its owner in 6.3.6 or 6.4.7 of this turn, \
        even if it was yours before. Changes by the game master do not count."),
    ("R34", "A homeworld that is lost and regained within the turn remains the homeworld, but does \
        not produce double. A homeworld that became unowned is lost."),
    ("R35", "The first world of a homeless empire becomes its homeworld and produces double in \
        that turn."),
    ("R36", "A shipping lane is a transfer of this turn. It is void if the sender lost the origin, \
        or the receiver lost the destination, this turn."),
    ("R37", "Salvage depends on the forces present after movement. If the wreck's owner is the \
        strongest empire there, no empire salvages it."),
    ("R38", "Class names are unique regardless of case. If two empires design classes with the \
        same name in one turn, the empire registered first gets the name, and the other pays \
        nothing."),
    ("R39", "A missile class can be designed free of charge at any world that could design another \
        class."),
    ("R40", "If the RU suffice for only some of the ships ordered, as many as possible are built."),
    ("R41", "Each RU repairs its full number of damage points while damage remains, so a ship can \
        be repaired by slightly more than you ordered."),
    ("R42", "Your ships cannot be repaired in the sector of an interdicted world of yours, \
        whichever world pays; only the cargo of an orbital is repaired there. A blockade does not \
        prevent repairs."),
    ("R43", "RU from other empires cannot be sent on in the same turn; RU from your own worlds \
        can. After a transfer that falls short, no further transfer leaves that world this turn."),
    ("R44", "Space has no edge: ships can move beyond the galaxy, where space is empty."),
    ("R45", "Portals collapse by order of the game master. They also collapse at random for a few \
        turns; an option sets the chance."),
    ("R46", "In a wormnet of three or more portals, one portal may be only an entrance or only an \
        exit; an option sets the chance."),
    ("R47", "To choose an exit, you need navigation data for both ends. Otherwise one open exit is \
        drawn for each order. A ship that cannot pass stays at the entry."),
    ("R48", "The rating of a storm is constant, follows a cycle of steps, or is drawn again each \
        turn between 0 and its initial rating. It never drops below 0."),
    ("R49", "An empire can transmit only navigation data that it has when 6.4.1 starts, including \
        data that the game master gave it in the same turn."),
    ("R50", "You see a nebula or storm in scan range and its rating, but not what is inside it; \
        its sector stays stale."),
    ("R51", "Long-range scans show the stockpile of a world, and whether it is a homeworld."),
    ("R52", "On long range, an identified ship shows only its owner, class and tonnage."),
    ("R53", "In the data that you share, a private ship of yours appears if it identifies itself \
        to the recipient, or if it is neither concealed from them nor identified to any empire."),
    ("R54", "Ships of third empires appear in shared data as you saw them, whatever their \
        transponders say."),
    ("R55", "Your report shows what a lost ship saw last. Its sector is stale unless another ship \
        sees it."),
    ("R56", "You share only what your ships saw this turn, never what you remember from earlier \
        turns."),
    ("R57", "A public transponder identifies a ship only in scans and shared data, not across the \
        galaxy."),
    ("R58", "Contact is one-way. You gain contact with an empire when your own scans show its \
        worlds or identified ships, or when it sends you a signed message, navigation data, a \
        design or RU."),
    ("R59", "You can fire at your contacts and at empires that are visible on your map."),
    ("R60", "Anything that the game master removes or moves stays on an empire's map until the \
        empire scans the sector again. Orders use the places that the map shows."),
    ("R61", "If the game master gives a world to an empire without a conquering ship there, the \
        empire loses it in 6.3.6."),
    ("R62", "If a game master's order changes a world without specifying an owner, the owner stays \
        the same. NONE makes the world unowned."),
    ("R63", "An empire has submitted orders if a sheet, even an empty one, is stored before the \
        deadline."),
    ("R64", "An early update waits for every empire that is not abandoned, including homeless \
        empires."),
    ("R65", "Exactly half of the base production of all worlds is enough to win. Unowned worlds \
        are included in the total."),
    ("R66", "Only the game master records alliances. They matter only for victory and for \
        abandoned empires."),
    ("R67", "The orders of an abandoned empire are made after 6.1.9. They depend on the true \
        positions at that time, not on the empire's map."),
    ("R68", "The orders of an abandoned empire can fail like any other orders."),
    ("R69", "An unowned world counts as friendly to an abandoned empire if the empire will have a \
        conquering ship there and no enemy has one."),
    ("R70", "At a foreign world, an abandoned empire fights if it would destroy all enemies. If \
        not, its doomed ships destroy themselves and the others leave. If none is doomed, its \
        ships fire at empires there that hit it last turn; otherwise they leave."),
    ("R71", "In a sector without a world, an abandoned empire fires at empires that it fires at \
        elsewhere this turn, or that hit it last turn."),
    ("R72", "An abandoned empire fires missiles only at foreign worlds."),
    ("R73", "An abandoned empire treats ships with a scan rating of 3 or more as scouts, and does \
        not move them out of sectors without a world."),
    ("R74", "Ties in the decisions of an abandoned empire are broken by fixed criteria, such as \
        names."),
    ("R75", "An empire that misses a deadline gets no default orders. Only an empire that the game \
        master has marked abandoned gets them."),
    ("R76", "The options for the maximum production and the maximum number of portals include the \
        maximum itself."),
    ("R77", "You can give any class that you know, however you got it. A class that you receive in \
        6.5.3 can be given only from the next turn on."),
    ("R78", "If several orders move the same ship, only the first that succeeds counts."),
    ("R79", "A new ship is private, identified to no empire and concealed from no empire. A ship \
        keeps both lists while it is public."),
    ("R80", "Pooling takes all RU of each of your unblockaded worlds that the order does not \
        except."),
];
