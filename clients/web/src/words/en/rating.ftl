# Ratings and leaderboards.

rating-provisional = { $rating } (provisional)
rating-history =
    Rating after { $count ->
        [one] { $count } game
       *[other] { $count } games
    }: from { $first } to { $last }, between { $least } and { $most }
rating-plot = The line is the rating after each game. The band shows the uncertainty: ± one deviation.
rating-game = Game
rating-explained =
    Only rated games count. A rating is listed once its deviation, the number after ±, is
    at most 110. Players who hide
    their ratings are not listed.
rating-none = No rating is certain yet.
rating-automated = automated
