# The players at the table, goals and votes.

people-stand-in = played by { $profile }
people-on-vacation = on vacation
people-vote-open = open
people-vote-passed = passed
people-vote-failed = failed
people-vote-lapsed = lapsed
people-vote =
    { $player } votes { $subject }: { $yes } of { $needed } yes{ $no ->
        [0] { "" }
       *[other] , { $no } no
    }.
people-vote-extension = by { $span }
people-ordered = has ordered
people-deciding = deciding
people-default = default
people-rated-yes = yes
people-rated-no = no
people-ready = ready
people-take-over-role = Take over { $role }
people-take-over = Take over
people-goals = Goals
people-the-game = The game
people-votes = Votes
people-propose-vote = Propose a vote
people-vote-subject = Subject of the vote
people-by-hours = by { $hours } hours
people-hours = Hours
people-player-to-replace = Player to replace
people-choose-player = Choose a player
people-propose = Propose
people-pending-votes = Votes that wait for you
people-yes = Yes
people-no = No
people-conduct = Vacation, automation, resignation
people-am-back = I am back
people-start-vacation = Start vacation (days)
people-take-back = Take my seat back
people-level = Level of automation
people-delegate = Let automation play for me
people-resign-text =
    Automation plays { $role } until another player takes over. You cannot come back.
people-resign-question = Resign?
people-resign = Resign
people-options = Options
people-rated = Rated
people-master = Game master
people-started = Started
