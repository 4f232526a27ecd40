# The tutorials.

tutorial-press-ready = Press { $ready } above the possible orders.
tutorial-write = Open { $messages } and write to { $names }, for example: { $text }
tutorial-type = Type { $order }
tutorial-choose = Choose { $offer }, or type { $order }
tutorial-choose-under = Choose { $offer } under “{ $heading }”, or type { $order }
tutorial-title = Learn to play
tutorial-lead =
    In a tutorial, you play the first turns of a game, step by step. The rulebook explains the rest.
tutorial-of = Tutorial of { $game }
tutorial-rulebook-of = Rulebook of { $game }
tutorial-rulebook = Rulebook
tutorial-heading = Tutorial: { $game }
tutorial-steps =
    You play { $count ->
        [one] { $count } step
       *[other] { $count } steps
    } on the real board. Each step explains what to do and why. The other players move
    automatically, and dice are fixed. Nothing is rated.
tutorial-sign-in = Sign in to start
tutorial-only-name = An account needs only a name.
tutorial-no-sandbox =
    Tutorials need a server with a sandbox, and this server has none. Read the rulebook, or play
    against automated opponents.
tutorial-start-over = Start over
tutorial-play-again = Play it again
tutorial-start = Start the tutorial
tutorial-all-games = All games
tutorial-back = Back
tutorial-loading = Loading the tutorial…
tutorial-step = Step { $number } of { $count }
tutorial-progress = Progress
tutorial-show-text = Show text
tutorial-hide-text = Hide text
tutorial-others-move = The other players move…
tutorial-show-me = Show me
tutorial-give-order = Give an order
tutorial-order = Order
tutorial-give = Order
tutorial-done = That completes the tutorial
tutorial-done-text =
    You can continue this game for both sides, or start your own against automated opponents.
tutorial-play-computer = Play against the computer
tutorial-all = All tutorials
tutorial-units = { $count } units
tutorial-choices = { $count } choices
tutorial-do-continue = continue
tutorial-none = The game "{ $kind }" has no tutorial.
tutorial-game-gone = The game of the tutorial does not exist.
tutorial-do-instead = { $objection } Do this instead: { $wanted }.
tutorial-not-expected = This is not what the tutorial expects now.
tutorial-orders-stay = The tutorial needs your earlier orders: they stay.
tutorial-do-ready = mark your orders as ready
tutorial-do-say = send a message to seat { $seats }
