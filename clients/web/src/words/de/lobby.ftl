# The lists of games.

lobby-none-open = Keine Partie wartet auf Spieler.
lobby-none-watched = Gerade läuft keine öffentliche Partie.
lobby-none-finished = Noch keine Partie ist beendet.
lobby-seats-open =
    { $open } von { $seats ->
        [one] { $seats } Platz
       *[other] { $seats } Plätzen
    } frei
lobby-no-winner = Niemand gewinnt
lobby-draw = Unentschieden: { $winners }
lobby-won = Gewonnen von { $winners }
lobby-mine = Meine Partien
lobby-open = Offene Partien
lobby-watch = Zuschauen
lobby-finished = Beendet
lobby-begin = Beginnen
lobby-ratings = Wertungen
lobby-join-by-code = Mit Code beitreten
lobby-new-game = Neue Partie
lobby-empty = Noch keine Partien
lobby-empty-text = Spiele sofort gegen Computergegner oder lade andere ein.
lobby-tutorials = Einführungen
lobby-invited = Du bist eingeladen
lobby-your-turn = Du bist am Zug
lobby-over = Beendet
lobby-take-seat = Platz nehmen
lobby-players = Spieler:
lobby-search = Nach Namen suchen
lobby-kind = Art des Spiels
lobby-all-kinds = Alle Spiele
lobby-join-game = { $name } beitreten
lobby-join = Beitreten
lobby-lots = Plätze werden zu Beginn ausgelost
lobby-rated = gewertet
lobby-anonymous = Namen sind verborgen
lobby-led = geleitet von { $master }
lobby-open-messages = Nachrichten werden nach dem Ende öffentlich
