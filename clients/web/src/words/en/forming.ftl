# The page of a game before its start.

forming-by-lot = By lot
forming-first-open = First open seat
forming-seats = Seats
forming-waiting =
    Waiting for { $count ->
        [one] { $count } player
       *[other] { $count } players
    }
forming-waiting-for = Waiting for { $players }
forming-full = All seats are taken
forming-take-role = Take { $role }
forming-take-this = Take this seat
forming-start-automated = Start with automation
forming-start = Start
forming-level = Level of automation for open seats
forming-take-reserved = Take the seat reserved for you
forming-leave = Leave
forming-host-starts = The host starts the game.
forming-about = About this game
forming-private = Private
forming-anonymous = Names are hidden until the end
forming-hide-ready = Who is ready stays hidden
forming-open-messages = All messages become public after the end
forming-invite = Invite people
forming-address = Send them this address: { $link }
