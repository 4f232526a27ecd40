# The profile of a player.

profile-finished-games = In finished games:
profile-answered =
    { $count ->
        [one] { $count } decision
       *[other] { $count } decisions
    } answered in time
profile-median = half of them within { $span }
profile-missed =
    { $count ->
        [one] { $count } deadline
       *[other] { $count } deadlines
    } missed
profile-against-you =
    Against you: you were better { $won ->
        [one] { $won } time
       *[other] { $won } times
    }, equal { $drawn }, worse { $lost }
profile-one-seat = one seat
profile-two-seats = two seats
profile-several-seats = three and more seats
profile-title = Profile
profile-settings = Settings
profile-block = Block invitations
profile-dedication = Dedication { $dedication }, since { $since }
profile-no-results = No results are shown.
profile-rating = Rating { $rating }
profile-uncertainty = The number after ± is the uncertainty of the rating. It becomes smaller with rated games.
profile-record = Won { $won }, drawn { $drawn }, lost { $lost }, left { $abandoned }
profile-favorites = Favorites
profile-favorite =
    { $count ->
        [one] { $count } game
       *[other] { $count } games
    }, won { $won }
