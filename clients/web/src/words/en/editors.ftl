# The fields of an order: shares, assignments, numbers.

editors-least-to-most = { $least } to { $most }
editors-up-to = up to { $most }
editors-cost-each = { $cost } each, { $limit }
editors-fewer = Fewer { $name }
editors-more = More { $name }
editors-costs = Costs { $spent }
editors-costs-others = Costs { $spent }, other orders { $others }
editors-too-much = { $amount } too much
editors-left = { $left } of { $available } left
editors-and-more = { $names } and { $count } more
editors-assignments = Assignments
editors-only-types = Only types
editors-each-of = Each of { $count }
editors-all-assigned = All assigned
editors-unassigned = Unassigned: { $open } of { $count } ({ $names })
editors-no-value = – none –
editors-choose = – choose –
editors-all = All { $name }
editors-different = (different)
editors-spread = Spread evenly
editors-number-of = Number of { $type }
editors-of = of { $count }
editors-all-of-type = All { $count } { $type }
