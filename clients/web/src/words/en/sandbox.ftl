# The sandbox, and the steps of scenario files.

sandbox-dice-waiting = waiting: { $dice }
sandbox-no-dice = none
sandbox-lead =
    Set up a position, step through it, and watch it from every seat. Sandbox games are not rated.
sandbox-scenario-file = Scenario file
sandbox-file = File
sandbox-paste = Or paste the text
sandbox-set-up = Set up
sandbox-open-table = Open as a table
sandbox-save = Save as a scenario
sandbox-new-scenario = New scenario
sandbox-steps = Steps
sandbox-next-step = Next step
sandbox-all-steps = All steps
sandbox-views = Views
sandbox-show-as = Show as
sandbox-spectator = Spectator
sandbox-seat = Seat
sandbox-orders = Orders, one per line
sandbox-ready = Ready
sandbox-script-dice = Script dice
sandbox-dice = Dice
sandbox-script = Script
sandbox-set-clock = Set the clock forward
sandbox-clock = Clock
sandbox-forward = Forward
sandbox-map-as = Map as seen by { $role }
sandbox-no-decision = No pending decision.
sandbox-unknown-game = The server does not offer the game "{ $game }".
sandbox-no-game = The engine created no game.
sandbox-step-tries = Seat { $seat } tries: { $orders }
sandbox-step-ready = Seat { $seat } is ready
sandbox-step-not-ready = Seat { $seat } is not ready
sandbox-step-writes = Seat { $seat } writes: { $text }
sandbox-step-master-writes = The game master writes: { $text }
sandbox-step-clock =
    The clock advances by { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
sandbox-not-json = The scenario is not valid JSON: { $problem }
sandbox-the-file = The file
sandbox-runner-only =
    "{ $word }" is not supported on this page; run the file with `cli-client scenario`.
sandbox-automated-seat = An automated seat
sandbox-step = Step { $number }
sandbox-unknown-step = Step { $number }: "{ $word }" is not supported on this page.
sandbox-no-duration = "{ $text }" is not a duration; examples: 26h, 1d 2h.
sandbox-step-orders = Seat { $seat }: { $orders }
sandbox-step-resigns = Seat { $seat } resigns
sandbox-step-dice = Dice: { $dice }
sandbox-step-close = The phase closes
sandbox-step-master = Game master: { $text }
sandbox-step-looks = Looks
sandbox-my-steps = My steps
sandbox-must-be-object = { $what } must be an object.
