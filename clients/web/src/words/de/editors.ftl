# The fields of an order: shares, assignments, numbers.

editors-least-to-most = { $least } bis { $most }
editors-up-to = bis { $most }
editors-cost-each = je { $cost }, { $limit }
editors-fewer = Weniger { $name }
editors-more = Mehr { $name }
editors-costs = Kostet { $spent }
editors-costs-others = Kostet { $spent }, andere Befehle { $others }
editors-too-much = { $amount } zu viel
editors-left = { $left } von { $available } übrig
editors-and-more = { $names } und { $count } weitere
editors-assignments = Zuordnungen
editors-only-types = Nur Arten
editors-each-of = Jedes von { $count }
editors-all-assigned = Alles zugeordnet
editors-unassigned = Nicht zugeordnet: { $open } von { $count } ({ $names })
editors-no-value = – keines –
editors-choose = – wählen –
editors-all = Alle { $name }
editors-different = (verschieden)
editors-spread = Gleichmäßig verteilen
editors-number-of = Anzahl { $type }
editors-of = von { $count }
editors-all-of-type = Alle { $count } { $type }
