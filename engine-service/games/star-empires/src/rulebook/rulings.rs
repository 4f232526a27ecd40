//! The rulings on what the rules leave open: number, text.

/// Every ruling, in order.
#[rustfmt::skip]
pub(super) const RULINGS: &[(&str, &str)] = &[
    ("R1", "The price of a component is taken on its difference from the hull's base, rounded up \
        by itself, and added to the base price."),
    ("R2", "Ratings below the base are refunded as those above are charged. No class costs less \
        than 1 RU or weighs less than 1 tonne."),
    ("R3", "A missile's guns are divided by 13.5 times its tonnage, so a bigger missile is a \
        cheaper one; the price is rounded down."),
    ("R4", "The stock classes are one class a hull at its base ratings, and the starbase."),
    ("R5", "Every class has at least one gun and one damage point, and no rating, price or tonnage \
        beyond a fixed limit."),
    ("R6", "Auto-repair is a tenth of the class's damage points, rounded down, at least 1, for \
        every class."),
    ("R7", "Exactly half is rounded up in operational ratings."),
    ("R8", "A conquering ship is live, loose, no missile, and has a working gun."),
    ("R9", "A code is two letters of the empire's name, the first pair that is free; GM is the \
        game master's."),
    ("R10", "Within a phase the order of empires makes no difference, but for two designs of one \
        name (R38)."),
    ("R11", "Only what can never change is refused when a sheet is sent; everything else is found \
        out in its phase."),
    ("R12", "A sector or object in an order means the ships that are there when the order runs."),
    ("R13", "Names have 1 to 25 letters, digits and underscores, in any case. Ships are named only \
        when they are built."),
    ("R14", "An order is done if all its parts are, partly done if some are, refused if none is."),
    ("R15", "For starbases, orbitals and carriers friendly means of the same empire."),
    ("R16", "Neither does a loaded ship take cargo, nor does a ship with cargo go aboard another."),
    ("R17", "A ship may be unloaded and loaded elsewhere in one turn."),
    ("R18", "A missile that was loaded when the turn began leaves its rack in 6.2.1 if it is to \
        fire; one loaded this turn leaves when it fires."),
    ("R19", "A missile that was unloaded to fire and not needed drifts. One loaded this turn and \
        not needed stays aboard. One that drifts and is not loaded first cannot fire."),
    ("R20", "Drifting missiles can be shot at, unless they are to fire themselves this turn."),
    ("R21", "Targets are taken largest first unless ordered otherwise, and all target empires of \
        an order make one list."),
    ("R22", "Only a ship that really fired is kept from moving."),
    ("R23", "What earlier orders of an empire have done to a target counts for its later ones; \
        self-destructions are not foreseen."),
    ("R24", "Of unknown designs the true values decide; only the reader does not see them."),
    ("R25", "Guns come first; a missile fires where the guns left do not suffice for the target: \
        the smallest that does, else the largest."),
    ("R26", "Collateral damage is reckoned from all self-destructions of a sector together, and \
        hits missiles adrift and starbases too."),
    ("R27", "A ship both shot and self-destructed counts as self-destructed, and so does its \
        cargo: nobody salvages it."),
    ("R28", "Loaded ships repair themselves too, and all do so before ownership is found."),
    ("R29", "A world without conquering ships becomes nobody's in both ownership phases."),
    ("R30", "A starbase shields only ships of its owner in its own sector, itself included."),
    ("R31", "Storms hit every loose ship in their sector, moved or not; several add up, and cargo \
        is spared."),
    ("R32", "Sieges go by working guns and remaining damage points of conquering ships, strictly \
        more; every other empire is foreign, allies too."),
    ("R33", "A world is just taken if it came to its owner in 6.3.6 or 6.4.7 of this turn, also if \
        it was theirs before; the game master's word does not count."),
    ("R34", "A homeworld lost and regained within the turn stays one, without doubling. One that \
        became nobody's is lost."),
    ("R35", "A homeless empire's first world is its homeworld, with doubled production that turn."),
    ("R36", "Shipping lanes are the transfers of this turn: they are void if either end was lost \
        this turn."),
    ("R37", "Salvage goes by the forces present after movement; the wreck's owner may be the \
        strongest and so prevent it."),
    ("R38", "A class name is unique whatever its case. Of two designs with one name in a turn the \
        empire registered first gets it, and the other pays nothing."),
    ("R39", "A missile is designed at a world that could design anything else, for nothing."),
    ("R40", "With RU for only some of the ships ordered, those are built."),
    ("R41", "Each RU repairs its full worth while damage is left, so a little more than asked may \
        be repaired."),
    ("R42", "An interdicted world of your own bars repair of your ships there whoever pays, cargo \
        of an orbital excepted. A blockade does not."),
    ("R43", "RU from other empires cannot be sent on in the same turn, your own can. After a \
        shortfall nothing more leaves that world by transfer."),
    ("R44", "Space has no edge: beyond the galaxy it is empty."),
    ("R45", "Portals collapse by the game master's order and, with a small chance that is an \
        option, by themselves for a few turns."),
    ("R46", "A wormnet of three or more portals may have one that is only an entrance or only an \
        exit; how often is an option."),
    ("R47", "A chosen exit needs data for both ends. One draw is made for an order, among open \
        exits; a ship that cannot pass stays at the entry."),
    ("R48", "Storms are constant, follow a cycle of steps, or are drawn anew each turn up to their \
        initial rating; never below 0."),
    ("R49", "Only navigation data held when 6.4.1 begins can be transmitted; the game master's \
        gifts of the same turn count."),
    ("R50", "A nebula or storm in scan range is seen with its rating, what it contains is not, and \
        the sector stays stale."),
    ("R51", "The stockpile of a world, and whether it is a homeworld, show on long range."),
    ("R52", "A ship that identifies itself shows owner, class and tonnage on long range, no more."),
    ("R53", "In your shared data a private ship of yours appears if it identifies itself to the \
        reader, or if it is neither concealed from them nor identified to anybody."),
    ("R54", "Ships of third empires appear in shared data as you saw them, whatever their \
        transponders say."),
    ("R55", "What a lost ship last saw is in the report; the sector is stale unless somebody else \
        sees it."),
    ("R56", "Only what your ships saw this turn is shared, never memory."),
    ("R57", "A public transponder is read within scans and shared data only, not across the \
        galaxy."),
    ("R58", "Contact is one-way. It comes from meeting ships or worlds on your own scans, or from \
        receiving something signed."),
    ("R59", "One may fire at contacts and at empires that one has seen."),
    ("R60", "What the game master removes or moves stays on a map until the sector is scanned \
        again; orders go by the map."),
    ("R61", "An owner set by the game master loses the world in 6.3.6 if they have no conquering \
        ship there."),
    ("R62", "A change of a world without an owner leaves the owner; NONE makes it nobody's."),
    ("R63", "Orders are submitted when a sheet, even an empty one, is stored before the deadline."),
    ("R64", "An early update waits for every empire that is not abandoned, homeless ones too."),
    ("R65", "Exactly half of the base production of all worlds, unowned ones included, is enough."),
    ("R66", "Alliances are the game master's record, for victory and for abandoned empires only."),
    ("R67", "An abandoned empire judges by what is really there when its orders are made, after \
        6.1.9."),
    ("R68", "Its orders are orders like any other and may fail like them."),
    ("R69", "A world that nobody owns counts as friendly to it if it will hold it alone this \
        turn."),
    ("R70", "At a foreign world it fights if it wins; else doomed ships destroy themselves; else \
        it shoots back at who shot at it; else it leaves."),
    ("R71", "Between worlds it fires at empires that it fires at elsewhere this turn, or that shot \
        at it."),
    ("R72", "Its missiles fight only at foreign worlds."),
    ("R73", "A class with scan 3 or more is a scout to it, and holds its place between worlds."),
    ("R74", "Ties that the rules leave open are broken in the orders that the description of \
        abandoned empires gives."),
    ("R75", "A missed deadline gives no default orders; only the game master's mark does."),
    ("R76", "The greatest production and the most portals of a wormnet that options name can both \
        occur."),
    ("R77", "Any known class can be given, however it was got; what is received in 6.5.3 only from \
        the next turn on."),
    ("R78", "Of several orders that move one ship, the first that does so counts."),
    ("R79", "A new private ship identifies itself to nobody and is concealed from nobody; both \
        lists outlast public mode."),
    ("R80", "Pooling takes all RU of every world that is not excepted."),
];
