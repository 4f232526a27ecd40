# The result of a game.

result-title = Result
result-canceled = The game was canceled.
result-verify = Verify the dice
result-over = The game is over: the map shows everything, in every phase.
result-scores = Final scores
result-place = Place
result-seat = Seat
result-details = Details
