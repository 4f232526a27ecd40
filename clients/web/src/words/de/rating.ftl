# Ratings and leaderboards.

rating-provisional = { $rating } (vorläufig)
rating-history =
    Wertung nach { $count ->
        [one] { $count } Partie
       *[other] { $count } Partien
    }: von { $first } bis { $last }, zwischen { $least } und { $most }
rating-plot = Die Linie ist die Wertung nach jeder Partie. Das Band zeigt die Unsicherheit: ± eine Abweichung.
rating-game = Spiel
rating-explained =
    Nur gewertete Partien zählen. Eine Wertung erscheint hier, sobald ihre Abweichung, die Zahl nach
    ±, höchstens 110 beträgt. Spieler, die ihre Wertungen verbergen, fehlen.
rating-none = Noch keine Wertung ist sicher.
rating-automated = automatisch
