//! The sections: number, title, text.

/// Every section, in order.
#[rustfmt::skip]
pub(super) const SECTIONS: &[(&str, &str, &str)] = &[
    ("1", "Introduction", "Each player leads an empire of worlds and ships. Worlds yield RU, RU \
        pay for ships, ships win worlds. Whoever has half of all production, alone or with \
        recorded allies, has won once the game master says so."),
    ("2", "The galaxy", "The galaxy is a disc of hexagonal sectors. At the start an empire knows \
        its own sector and those its starbase scans; the rest it must explore."),
    ("2.1", "Worlds", "An owned world yields its production in RU every turn, and they pile up \
        there. An empire with worlds has exactly one homeworld, which can be blockaded but never \
        interdicted; when it is lost another one takes its place."),
    ("2.2", "Ships", "Ships see and fight. A ship sees everything in its own sector (short range) \
        and less of the sectors within its scan rating (long range). Guns and damage points decide \
        how it fights."),
    ("2.3", "Wormnets", "Portals of one wormnet lead to each other in a single turn. Without \
        navigation data for both ends the exit is left to chance; travelling brings the data. Some \
        portals are only entrances or only exits, and any may be collapsed for a while."),
    ("2.4", "Nebulae", "A nebula hides what is inside it from long-range scans, though not what \
        lies behind it, and a ship in one sees no farther than its own sector. What was found in a \
        nebula is stale as soon as no ship is there."),
    ("2.5", "Ion storms", "A storm does its rating in damage every turn to the ships in its \
        sector, and it hides and blinds like a nebula. Some storms grow and shrink."),
    ("3", "The game map", "The map shows every sector the empire ever scanned: visible (a ship is \
        there), scanned (in scan range), stale (from earlier) or unknown. Coordinates are the \
        empire's own: its first homeworld is (0,0), and directions differ from empire to empire."),
    ("4", "Ships", "Every ship is of a class. Most ships can hold a world; missiles cannot, nor \
        ships without a working gun, nor cargo."),
    ("4.1", "Components", "Guns: shots a turn, which never miss. Damage points: what it stands. \
        Engines: sectors a turn. Scan: sectors it sees. Racks: tonnes of cargo. Guns, engines and \
        scan shrink with the root of the share of damage points left, to the nearest whole number; \
        racks do not. It repairs a tenth of its damage points a turn by itself, at least one."),
    ("4.2", "Hulls", "The hull sets the ratings a class begins with and the price of every rating \
        more. Ratings below the base make it cheaper. Each difference costs e to the difference \
        over the hull's divisor, rounded up."),
    ("4.2.1", "Capital ships", "Guns 35, damage points 40, engines 2, scan 2, racks 1, 30 tonnes, \
        28 RU. Divisors of cost and tonnage: guns and damage points 15 and 20, engines and scan \
        1.5 and 5, racks 1.5 and 2."),
    ("4.2.2", "Gunships", "Guns 20, damage points 10, engines 2, no scan, no racks, 10 tonnes, 15 \
        RU. Divisors: guns 15 and 20, damage points 10 and 10, engines 2 and 5, scan 1.5 and 5, \
        racks 1.5 and 2."),
    ("4.2.3", "Missiles", "A missile is carried, fired once and gone. It has guns and a tonnage of \
        your choice, 1 damage point and nothing else, and needs no design fee. It costs e to the \
        guns over 13.5 times the tonnage, rounded down, at least 1 RU."),
    ("4.2.4", "Orbitals and transports", "Both sections bear this number: ask for 4.2.4a for \
        orbitals and starbases, and for 4.2.4b for transports."),
    ("4.2.4a", "Orbitals", "Guns 30, damage points 40, no engines ever, scan 1, racks 2, 20 \
        tonnes, 25 RU. Divisors: guns 10 and 10, damage points 15 and 20, scan 2 and 5, racks 3 \
        and 2. One RU repairs three of its damage points, and its cargo is repaired for nothing. A \
        starbase (guns 150, damage points 200, scan 2, racks 10, 999 tonnes) keeps storms off its \
        owner's ships in its sector, cannot self-destruct, and keeps its owner's world there free \
        of blockade and interdiction."),
    ("4.2.4b", "Transports", "Guns 5, damage points 10, engines 2, scan 1, racks 2, 15 tonnes, 10 \
        RU. Divisors: guns 5 and 5, damage points 10 and 10, engines 3 and 5, scan 1.5 and 5, \
        racks 3 and 2."),
    ("4.2.5", "Scouts", "Guns 1 (at most 5), damage points 1 (at most 5), engines 3, scan 3, racks \
        0 (at most 1), 2 tonnes, 2 RU. Divisors: guns and damage points 5 and 5, engines and scan \
        3 and 5, racks 1.5 and 2."),
    ("4.2.6", "Wings", "Guns 5, damage points 5, 1 tonne, 1 RU; no engines, scan or racks. \
        Divisors 15 and 20. A wing is carried to where it fights, and is shot at before any other \
        ship."),
    ("4.3", "Classes", "A class is known to whoever designed it, was given it or salvaged it; the \
        stock classes are known to all. Of a ship of an unknown class one sees the class name, the \
        tonnage and the operational rating."),
    ("4.4", "Names", "A serial number is the empire's two letters and five hexadecimal digits, and \
        never comes twice. A ship may also have a name; orders take either."),
    ("4.5", "Transponders", "A public transponder tells every scanner owner and class. A private \
        one tells only the empires to which it identifies the ship; others see unidentified \
        tonnage on long range."),
    ("5", "Diplomacy", "Messages go to empires on your list of contacts, signed or anonymous, and \
        always to the game master. Who receives something signed can answer."),
    ("6", "The game turn", "All empires send their orders for all phases; at the deadline, or when \
        all are in, the phases run one after another for everybody at once. While they run no \
        order and no message is taken."),
    ("6.1", "Astronomics", "The game master's changes, then portals and storms."),
    ("6.1.1", "Remove map objects", "The game master takes worlds, portals, connections, storms or \
        ships out of the game. That is no destruction: nothing is left to salvage."),
    ("6.1.2", "Move map objects", "The game master moves objects and ships, cargo along with its \
        carrier."),
    ("6.1.3", "Add map objects", "The game master adds classes, portals, storms, worlds, \
        connections and ships, in this order."),
    ("6.1.4", "Modify map objects", "The game master changes production, stockpiles and owners of \
        worlds, storms, ships, and lets portals collapse."),
    ("6.1.5", "Remove known items", "The game master takes knowledge from empires. What they scan \
        this turn they know again."),
    ("6.1.6", "Add known items", "The game master gives knowledge to empires, usable at once."),
    ("6.1.7", "Stabilize portals", "Every collapsed portal is open again."),
    ("6.1.8", "Collapse portals", "Portals that are to collapse do so; a portal may do it in \
        several turns running."),
    ("6.1.9", "Fluctuate ion storms", "The ratings of storms change as their patterns say. A storm \
        at 0 stays, like a nebula."),
    ("6.2", "Logistics", "Ships leave their carriers, and then ships go aboard carriers."),
    ("6.2.1", "Unload ships", "Ships leave their carriers. A loaded missile that is to fire leaves \
        its rack by itself."),
    ("6.2.2", "Load ships", "Ships go aboard a carrier of their empire in the same sector with \
        enough free racks. Cargo cannot carry cargo. Loaded ships neither move, see, fight nor \
        hold; they share their carrier's fate."),
    ("6.3", "Combat", "All ships fight at once: damage lands when every gun has fired, and no \
        empire sees the others' shots before."),
    ("6.3.1", "Self-destruct ships", "Ships destroy themselves with their cargo. All tonnage so \
        destroyed in a sector does one damage per five tonnes or part of five to every other ship \
        there that is not cargo. They fire no more, but may still be shot at. Starbases cannot."),
    ("6.3.2", "Fire guns", "Attackers in one sector fire at all ships of the named empires there, \
        no shot misses, and a ship that fired does not move this turn. See 6.3.2.1 to 6.3.2.3."),
    ("6.3.2.1", "Combat order", "Targets: wings first, missiles last; within each by damage \
        points, then operational rating, then tonnage, largest first unless ordered otherwise, \
        then by handle. Attackers: fewest unfired guns first, so that no ship fires that is not \
        needed. Missiles only where guns do not suffice."),
    ("6.3.2.2", "Firing missiles", "A missile spends all its guns on one target and is gone; what \
        is too much is lost. It fires from its rack, so its carrier may move on. A missile \
        unloaded and not fired drifts, and must be loaded again before it can fire."),
    ("6.3.2.3", "Attacking wings", "No other ship is hit while the enemy has wings left. Guns left \
        over go on to the next target, a missile's do not."),
    ("6.3.3", "Apply combat damage", "All damage lands at once. Ratings shrink with it; a ship \
        without a working gun holds no world, one without engines stays, one without scan sees \
        only its sector."),
    ("6.3.4", "Remove destroyed ships I", "Ships without damage points, ships that destroyed \
        themselves and fired missiles are gone, with their cargo. Their last look at the sector is \
        reported."),
    ("6.3.5", "Auto-repair ships", "Every damaged ship repairs a tenth of its class's damage \
        points, at least one, for nothing. Everyone present sees it."),
    ("6.3.6", "Determine ownership I", "A world without conquering ships is nobody's. Those of one \
        empire take it. If several are there, its owner keeps it if among them, else nobody has \
        it. RU stay on the world; shipments from and to a lost world are off."),
    ("6.4", "Movement", "Ships move, pass portals and meet storms."),
    ("6.4.1", "Transmit navigation data", "Data held when the phase begins goes to contacts, who \
        may use it at once but not pass it on this turn."),
    ("6.4.2", "Move ships", "Ships jump to a sector within their working engines, with their \
        cargo. Those that cannot are left behind by the others. A ship moves once a turn, and not \
        if it fired."),
    ("6.4.3", "Traverse portals", "A ship with a working engine at a portal may pass it once a \
        turn. The chosen exit holds if data for both ends is held; else chance decides among the \
        open exits, once for each order. A collapsed portal lets nobody in or out."),
    ("6.4.4", "Acquire navigation data", "Who passed a portal has the data of entry and exit."),
    ("6.4.5", "Weather ion storms", "Loose ships in a storm's sector take its rating as damage, \
        several storms together. A starbase shields its owner's ships in its own sector."),
    ("6.4.6", "Remove destroyed ships II", "Ships that storms destroyed are gone with their cargo, \
        after a last look at the sector."),
    ("6.4.7", "Determine ownership II", "Owners are found once more as in 6.3.6, now that \
        reinforcements have arrived."),
    ("6.4.8", "Relocate homeworlds", "Who lost their homeworld gets the safest of their worlds: \
        the most own damage points per foreign gun, then most damage points, then production, then \
        nearness to the old one, then by lot. It produces double this turn."),
    ("6.4.9", "Establish interdictions", "A world is interdicted if the foreign conquering guns \
        there are more than three times the damage points of its owner's conquering ships. Nothing \
        is designed, built or repaired there, and no RU leave. Homeworlds and worlds with a \
        starbase are exempt."),
    ("6.4.10", "Establish blockades", "Above twice the damage points a world is blockaded: no RU \
        leave it."),
    ("6.5", "Research", "Designs are salvaged from wrecks, made at worlds, and given to contacts."),
    ("6.5.1", "Salvage ship designs", "In a sector with wrecks the one empire with most conquering \
        guns learns the class of each wreck, if its guns are more than three times what is left \
        there of the wreck's owner. Self-destructed ships and fired missiles teach nothing, and a \
        tie helps nobody."),
    ("6.5.2", "Create ship designs", "A world that you own, did not take this turn and that is not \
        interdicted pays half the cost of the class, rounded up. It can be built and given at \
        once."),
    ("6.5.3", "Give ship designs", "Classes known when the phase begins go to contacts for \
        nothing, who may build them at once."),
    ("6.6", "Maintenance", "Ships are built and repaired, and transponders set."),
    ("6.6.1", "Build ships", "A world that you own, did not take this turn and that is not \
        interdicted builds as many as its RU pay for. New ships are loose, undamaged and private."),
    ("6.6.2", "Repair ships", "One RU repairs two damage points, of an orbital three. Worlds pay \
        in the order given. A blockaded world pays only in its own sector, an interdicted one not \
        at all, and your ships there are not repaired. Cargo of an orbital is repaired for nothing \
        everywhere."),
    ("6.6.3", "Toggle transponder modes", "Switches ships to public or private mode. Whom they \
        identify themselves to, or are concealed from, stays as it is."),
    ("6.6.4", "Conceal ships", "Private ships conceal themselves from empires: unidentified on \
        their long range, absent from what you share with them."),
    ("6.6.5", "Identify ships", "Private ships identify themselves to empires, on long range and \
        in what you share; others then do not see them in shared data."),
    ("6.7", "Income", "Worlds yield their RU, and RU are shipped from world to world."),
    ("6.7.1", "Produce resource units", "Every owned world adds its production to its stockpile, \
        sieges or not; a homeworld relocated this turn twice."),
    ("6.7.2", "Pool resource units", "All RU of your unblockaded worlds go to one world of yours, \
        which may be blockaded, but for worlds that you except."),
    ("6.7.3", "Transfer resource units", "RU go from a world of yours that is not blockaded to a \
        world of yours, or of a contact who must own it then. Transfers run in your order; the \
        first that falls short sends the rest and ends those from that world."),
    ("6.8", "Scanning", "What ships see is gathered, shared and recorded."),
    ("6.8.1", "Deny scan access", "Takes back what an empire was allowed to see of your scans."),
    ("6.8.2", "Authorize scan access", "Lets an empire see, until denied, what you scan: \
        everything, some sectors, or what some ships or classes see."),
    ("6.8.3", "Collect scan data", "Loose ships see their own sector wholly and sectors within \
        their scan partly. A lost ship has seen what there was up to its loss. Cargo sees nothing \
        and is seen by nobody else."),
    ("6.8.4", "Share scan data", "Each empire that is allowed gets what your own ships saw this \
        turn, and of each sector the better view counts. Designs, navigation data and contacts are \
        not shared, nor what others shared with you, nor ships hidden from it."),
    ("6.8.5", "Record new map objects", "New worlds, portals, nebulae and storms enter the map for \
        good; they are never forgotten, only stale."),
    ("7", "Homeless empires", "An empire without a world plays on with its ships and knowledge, \
        may write to its contacts, and is homeless no more when it owns a world. At a deadline \
        nobody waits for it."),
    ("8", "Abandoned empires", "An empire that the game master has marked abandoned is played by \
        fixed defensive rules until somebody takes it over."),
];
