# Why an order is incomplete or impossible.

order-not-chosen = Noch nicht gewählt: { $label }.
order-not-filled = Noch nicht ausgefüllt: { $label }.
order-and-more = { $names } und { $count } weitere
order-impossible = Für { $name } sind keine Befehle mehr möglich.
order-not-there = Kein Befehl bringt { $name } nach { $place }.
order-partly-accepted = { $count } angenommen, dann: { $message }
