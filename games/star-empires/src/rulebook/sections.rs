//! The sections of the rules, paraphrased.

/// Number, title and text of every section, in order.
#[rustfmt::skip]
pub(super) const SECTIONS: &[(&str, &str, &str)] = &[
    ("1", "Introduction", "Each player leads an empire of worlds and ships. Worlds yield resource \
        units (RU), RU pay for ships, and ships win worlds. An empire with half of all production, \
        alone or with recorded allies, wins when the game master declares it."),
    ("2", "The galaxy", "The galaxy is a disc of hexagonal sectors. At the start an empire sees \
        its own sector and the sectors that its starbase scans. It must explore the rest."),
    ("2.1", "Worlds", "An owned world adds its production to its stockpile of RU every turn. An \
        empire with worlds has exactly one homeworld, which can be blockaded but never \
        interdicted. When the homeworld is lost, another world takes its place."),
    ("2.2", "Ships", "Ships see and fight. A ship sees everything in its own sector (short range) \
        and part of what is in the sectors within its scan rating (long range). Guns and damage \
        points decide how it fights."),
    ("2.3", "Wormnets", "A ship can pass from one portal of a wormnet to another in a single turn. \
        Without navigation data for both ends, the exit is random; after passing, the empire has \
        the data. Some portals are only entrances or only exits, and any portal can be collapsed \
        for a while."),
    ("2.4", "Nebulae", "A nebula hides what is inside it from long-range scans, but not what is \
        behind it. A ship in a nebula sees no farther than its own sector. What you found in a \
        nebula is stale as soon as you have no ship there."),
    ("2.5", "Ion storms", "Every turn, a storm damages the ships in its sector by its rating. Like \
        a nebula, it hides what is inside it, and ships inside see only their own sector. Some \
        storms grow and shrink."),
    ("3", "The game map", "The map shows every sector that the empire has ever scanned: visible (a \
        ship is there), scanned (in scan range), stale (from an earlier turn) or unknown. Each \
        empire has its own coordinates: its first homeworld is (0,0), and directions differ from \
        empire to empire."),
    ("4", "Ships", "Every ship belongs to a class. Most ships can hold a world; missiles, ships \
        without a working gun, and cargo cannot."),
    ("4.1", "Components", "Guns are the shots that a ship fires each turn; shots never miss. \
        Damage points are the damage that destroys it. Engines are the sectors that it moves each \
        turn, scan is the distance that it sees, and racks are the tonnes of cargo that it \
        carries. Guns, engines and scan shrink with the square root of the share of damage points \
        left, rounded to the nearest whole number; racks do not. Every ship repairs a tenth of its \
        damage points each turn, at least one."),
    ("4.2", "Hulls", "The hull determines the base ratings of a class and the price of each \
        additional point. Ratings below the base make the class cheaper. Each difference costs \
        e^(difference / the hull's divisor), rounded up."),
    ("4.2.1", "Capital ships", "Guns 35, damage points 40, engines 2, scan 2, racks 1, 30 tonnes, \
        28 RU. Divisors of cost and tonnage: guns and damage points 15 and 20, engines and scan \
        1.5 and 5, racks 1.5 and 2."),
    ("4.2.2", "Gunships", "Guns 20, damage points 10, engines 2, no scan, no racks, 10 tonnes, 15 \
        RU. Divisors: guns 15 and 20, damage points 10 and 10, engines 2 and 5, scan 1.5 and 5, \
        racks 1.5 and 2."),
    ("4.2.3", "Missiles", "A missile is carried by a ship and can be fired only once. It has guns \
        and a tonnage of your choice, 1 damage point and no other ratings, and needs no design \
        fee. It costs e^(guns / 13.5 / tonnage), rounded down, at least 1 RU."),
    ("4.2.4", "Orbitals and transports", "Two sections of the rules have this number: ask for \
        4.2.4a for orbitals and starbases, and for 4.2.4b for transports."),
    ("4.2.4a", "Orbitals", "Guns 30, damage points 40, no engines ever, scan 1, racks 2, 20 \
        tonnes, 25 RU. Divisors: guns 10 and 10, damage points 15 and 20, scan 2 and 5, racks 3 \
        and 2. One RU repairs three damage points of an orbital, and its cargo is repaired free of \
        charge. A starbase (guns 150, damage points 200, scan 2, racks 10, 999 tonnes) protects \
        its owner's ships in its sector from storms, cannot destroy itself, and keeps its owner's \
        world there free of blockade and interdiction."),
    ("4.2.4b", "Transports", "Guns 5, damage points 10, engines 2, scan 1, racks 2, 15 tonnes, 10 \
        RU. Divisors: guns 5 and 5, damage points 10 and 10, engines 3 and 5, scan 1.5 and 5, \
        racks 3 and 2."),
    ("4.2.5", "Scouts", "Guns 1 (at most 5), damage points 1 (at most 5), engines 3, scan 3, racks \
        0 (at most 1), 2 tonnes, 2 RU. Divisors: guns and damage points 5 and 5, engines and scan \
        3 and 5, racks 1.5 and 2."),
    ("4.2.6", "Wings", "Guns 5, damage points 5, 1 tonne, 1 RU; no engines, scan or racks. \
        Divisors 15 and 20. A wing must be carried to a battle, and is shot at before any other \
        ship."),
    ("4.3", "Classes", "A class is known to the empires that designed, received or salvaged it; \
        the stock classes are known to all. For a ship of an unknown class you see the class \
        name, the tonnage and the operational rating."),
    ("4.4", "Names", "A serial number is the empire's two letters and five hexadecimal digits, and \
        is never reused. A ship may also have a name; orders accept either."),
    ("4.5", "Transponders", "A public transponder shows owner and class to every empire that scans \
        the ship. A private one shows them only to the empires to which it identifies the ship. On \
        long range, other empires see only unidentified tonnage."),
    ("5", "Diplomacy", "You can send messages, signed or anonymous, to the empires on your list of \
        contacts, and always to the game master. An empire that receives a signed message can \
        answer."),
    ("6", "The game turn", "All empires send their orders for all phases. At the deadline, or when \
        all are in, the phases run one after another for all empires at once. While they run, \
        orders and messages are not accepted."),
    ("6.1", "Astronomics", "The game master's changes take effect; then portals and storms \
        change."),
    ("6.1.1", "Remove map objects", "The game master removes worlds, portals, connections, storms \
        or ships from the game. They are not destroyed: nothing is left to salvage."),
    ("6.1.2", "Move map objects", "The game master moves objects and ships. Cargo moves with its \
        carrier."),
    ("6.1.3", "Add map objects", "The game master adds classes, portals, storms, worlds, \
        connections and ships, in this order."),
    ("6.1.4", "Modify map objects", "The game master changes worlds (production, stockpile and \
        owner), storms and ships, and lets portals collapse."),
    ("6.1.5", "Remove known items", "The game master removes knowledge from empires. They regain \
        what they scan this turn."),
    ("6.1.6", "Add known items", "The game master gives knowledge to empires, which can use it at \
        once."),
    ("6.1.7", "Stabilize portals", "Every collapsed portal opens again."),
    ("6.1.8", "Collapse portals", "Portals that are due to collapse do so; a portal may collapse \
        several turns in a row."),
    ("6.1.9", "Fluctuate ion storms", "The ratings of storms change according to their patterns. A \
        storm at 0 remains, and acts like a nebula."),
    ("6.2", "Logistics", "Ships leave their carriers, and then ships go aboard carriers."),
    ("6.2.1", "Unload ships", "Ships leave their carriers. A loaded missile that has orders to \
        fire leaves its rack automatically."),
    ("6.2.2", "Load ships", "Ships go aboard a carrier of their empire in the same sector with \
        enough free racks. Cargo cannot carry cargo. Loaded ships cannot move, see, fight or hold \
        a world; they share their carrier's fate."),
    ("6.3", "Combat", "All ships fight at once: no empire sees the others' shots, and damage takes \
        effect only when every gun has fired."),
    ("6.3.1", "Self-destruct ships", "Ships destroy themselves with their cargo. Every five \
        tonnes, or part of five, destroyed this way in a sector do one point of damage to every \
        other ship there that is not cargo. Ships that destroy themselves do not fire, but may \
        still be shot at. Starbases cannot destroy themselves."),
    ("6.3.2", "Fire guns", "Attackers in one sector fire at all ships of the specified empires \
        there. No shot misses, and a ship that fired does not move this turn. See 6.3.2.1 to \
        6.3.2.3."),
    ("6.3.2.1", "Combat order", "Wings are attacked first and missiles last. Within each group, \
        targets are sorted by damage points, then operational rating, then tonnage, the largest \
        first unless the order says otherwise, then by name or serial number. Attackers with the \
        fewest unfired guns fire first, so that no unneeded ship fires. Missiles fire only if guns \
        do not suffice."),
    ("6.3.2.2", "Firing missiles", "A missile fires all its guns at one target and is gone; excess \
        damage is lost. It fires from its rack, so its carrier may move on. A missile that was \
        unloaded but not fired drifts, and must be loaded again before it can fire."),
    ("6.3.2.3", "Attacking wings", "No other ship is hit while the enemy has wings left. Guns left \
        over fire at the next target, but those of a missile do not."),
    ("6.3.3", "Apply combat damage", "All damage takes effect at once and reduces the ships' \
        ratings. A ship without a working gun cannot hold a world, one without working engines \
        cannot move, and one without scan sees only its own sector."),
    ("6.3.4", "Remove destroyed ships I", "Ships without damage points, ships that destroyed \
        themselves and fired missiles are removed with their cargo. Their owners' reports show \
        what they saw last."),
    ("6.3.5", "Auto-repair ships", "Every damaged ship repairs a tenth of its class's damage \
        points, at least one, free of charge. Every empire present sees it."),
    ("6.3.6", "Determine ownership I", "A world without conquering ships becomes unowned. If only \
        one empire has conquering ships there, it takes the world. If several have, the owner \
        keeps the world if it is one of them; otherwise the world becomes unowned. RU stay on the \
        world; shipments from and to a lost world are canceled."),
    ("6.4", "Movement", "Ships move, pass portals and meet storms."),
    ("6.4.1", "Transmit navigation data", "Empires send navigation data that they have when the \
        phase starts to their contacts, who can use it at once but cannot pass it on this turn."),
    ("6.4.2", "Move ships", "Ships move with their cargo to a sector within reach of their working \
        engines. Ships that cannot move stay behind. A ship moves once a turn, and cannot move if \
        it fired."),
    ("6.4.3", "Traverse portals", "A ship with a working engine at a portal may pass through it \
        once a turn. The chosen exit applies if you have data for both ends; otherwise one open \
        exit is drawn at random for each order. No ship can enter or leave a collapsed portal."),
    ("6.4.4", "Acquire navigation data", "An empire whose ship passed through a portal gets the \
        navigation data of entry and exit."),
    ("6.4.5", "Weather ion storms", "Loose ships in a storm's sector take its rating as damage; \
        the damage of several storms adds up. A starbase protects its owner's ships in its own \
        sector."),
    ("6.4.6", "Remove destroyed ships II", "Ships that storms destroyed are removed with their \
        cargo. Their owners' reports show what they saw last."),
    ("6.4.7", "Determine ownership II", "Owners are determined again as in 6.3.6, now that \
        reinforcements have arrived."),
    ("6.4.8", "Relocate homeworlds", "An empire that lost its homeworld gets the safest of its \
        worlds as its homeworld: the one with the most damage points of its own per foreign gun, \
        then the most damage points, then the highest production, then the shortest distance to \
        the old one, then by lot. The new homeworld produces double this turn."),
    ("6.4.9", "Establish interdictions", "A world is interdicted if the foreign conquering guns \
        there are more than three times the damage points of its owner's conquering ships. Nothing \
        is designed, built or repaired there, and no RU leave. Homeworlds and worlds with a \
        starbase are exempt."),
    ("6.4.10", "Establish blockades", "A world is blockaded if the foreign conquering guns there \
        are more than twice the damage points of its owner's conquering ships. No RU can leave a \
        blockaded world."),
    ("6.5", "Research", "Designs are salvaged from wrecks, created at worlds, and given to \
        contacts."),
    ("6.5.1", "Salvage ship designs", "In a sector with wrecks, the one empire with the most \
        conquering guns learns the class of each wreck if its guns are more than three times the \
        damage points of the conquering ships that the wreck's owner has left there. \
        Self-destructed ships and fired missiles cannot be salvaged; in a tie no empire learns a \
        class."),
    ("6.5.2", "Create ship designs", "A world that you own, that you did not take this turn and \
        that is not interdicted pays half the cost of the class, rounded up. You can build and \
        give the class at once."),
    ("6.5.3", "Give ship designs", "Classes known when the phase begins can be given to contacts, \
        free of charge. The contacts may build them at once."),
    ("6.6", "Maintenance", "Ships are built and repaired, and transponders are set."),
    ("6.6.1", "Build ships", "A world that you own, that you did not take this turn and that is \
        not interdicted builds as many of the ships ordered as its RU pay for. New ships are \
        loose, undamaged and private."),
    ("6.6.2", "Repair ships", "One RU repairs two damage points, or three of an orbital. Worlds \
        pay in the order given. A blockaded world pays only for ships in its own sector. An \
        interdicted world cannot pay, and your ships there are not repaired. Cargo of an orbital \
        is repaired free of charge everywhere."),
    ("6.6.3", "Toggle transponder modes", "Switches ships to public or private mode. The lists of \
        empires to which they identify themselves, and from which they are concealed, stay the \
        same."),
    ("6.6.4", "Conceal ships", "Private ships conceal themselves from empires: those empires see \
        them as unidentified on long range, and do not see them in the data that you share."),
    ("6.6.5", "Identify ships", "Private ships identify themselves to empires, on long range and \
        in the data that you share. All other empires then do not see them in your shared data."),
    ("6.7", "Income", "Worlds yield their RU, and RU are shipped from world to world."),
    ("6.7.1", "Produce resource units", "Every owned world adds its production to its stockpile, \
        even under blockade or interdiction. A homeworld relocated this turn produces double."),
    ("6.7.2", "Pool resource units", "All RU of your unblockaded worlds go to one world of yours, \
        which may itself be blockaded. You can exclude worlds."),
    ("6.7.3", "Transfer resource units", "RU go from a world of yours that is not blockaded to \
        another world of yours, or to a world of a contact, who must own it at that time. \
        Transfers run in the order in which you gave them. The first transfer that a world cannot \
        pay in full sends what is left, and all later ones from that world are canceled."),
    ("6.8", "Scanning", "What ships see is collected, shared and recorded."),
    ("6.8.1", "Deny scan access", "Revokes an empire's access to your scans."),
    ("6.8.2", "Authorize scan access", "Lets an empire see what you scan, until you revoke the \
        access: everything, some sectors, or what some ships or classes see."),
    ("6.8.3", "Collect scan data", "Loose ships see everything in their own sector and part of \
        what is in the sectors within their scan. A lost ship reports what it saw before its loss. \
        Cargo sees nothing and is visible only to its owner."),
    ("6.8.4", "Share scan data", "Each empire that you have authorized receives what your own \
        ships saw this turn. In each sector the better view counts. Designs, navigation data, \
        contacts, data that others shared with you, and ships hidden from that empire are not \
        shared."),
    ("6.8.5", "Record new map objects", "New worlds, portals, nebulae and storms are added to the \
        map permanently; they become stale, but are never forgotten."),
    ("7", "Homeless empires", "An empire without a world continues with its ships and knowledge, \
        may write to its contacts, and stops being homeless when it owns a world. At a deadline \
        the update does not wait for it."),
    ("8", "Abandoned empires", "An empire that the game master has marked abandoned is played by \
        fixed defensive rules until a player takes it over."),
];
