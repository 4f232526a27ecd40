# The answer of the player: orders, warnings, readiness.

orders-waiting-for = Waiting for { $player }
orders-waiting-time = for { $span }
orders-not-submitted = Not submitted: { $order }.
orders-grave = { $order }. This cannot be undone.
orders-sure = Are you sure?
orders-do-it = Yes, do it
orders-before = Before you continue
orders-anyway = Continue anyway
orders-ready = You are ready
orders-updating = Updating…
orders-others = Other orders
orders-yours = Your orders
orders-sheet = Your sheet
orders-sheet-changed = The stored sheet was changed elsewhere. { $load }
orders-load-sheet = Load it
orders-store-sheet = Store the sheet
orders-submit-typed = Submit typed orders
orders-queued = Queued orders
orders-waiting-server = Waiting for the server
orders-withdraw = Withdraw
orders-not-ready = Not ready
orders-am-ready = I am ready
orders-kept-open = Kept open until the deadline
orders-keep-open = Keep open until the deadline
orders-waiting = Waiting for
orders-not-your-turn = It is not your turn
orders-to-move = { $player } is to move.
orders-others-first = Waiting for the other players.
orders-waits-automated =
    Waiting for an automated seat. If the wait is long, there may be no AI client connected.
orders-operator-pause = Paused by the operator: { $reason }
