# Why an order is incomplete or impossible.

order-not-chosen = Not chosen yet: { $label }.
order-not-filled = Not filled in yet: { $label }.
order-and-more = { $names } and { $count } more
order-impossible = No orders are possible for { $name } any more.
order-not-there = No order takes { $name } to { $place }.
order-partly-accepted = { $count } accepted, then: { $message }
