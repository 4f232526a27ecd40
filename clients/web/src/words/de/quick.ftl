# Quick play and rematches.

quick-play = Schnelle Partie
quick-game = Spiel
quick-players = Spieler
quick-players-usual = Wie üblich ({ $count })
quick-pace = Tempo
quick-pace-fast = Schnell: eine Minute je Phase
quick-pace-live = Live: fünf Minuten je Phase
quick-pace-daily = Täglich: ein Tag je Phase
quick-pace-slow = Gemächlich: drei Tage je Phase
quick-bots = Computergegner nach
quick-bots-hint = Sie nehmen die Plätze, für die es keine Menschen gibt. Eine solche Partie wird nicht gewertet.
quick-bots-never = Nie
quick-bots-now = Sofort
quick-preferences = Bevorzugte Plätze
quick-preference = Wunsch { $place }
quick-preference-none = Kein Wunsch
quick-rated = Gewertete Partie
quick-lots = Die Plätze werden aus dem Startwert der Würfel ausgelost. In einer ausgelosten Reihenfolge bekommt jeder Spieler den ersten gewünschten Platz, der noch frei ist.
quick-find = Gegner suchen
quick-waiting =
    Du wartest auf Gegner in { $kind }: { $players ->
        [one] { $players } Spieler
       *[other] { $players } Spieler
    } in der Warteschlange
quick-waited = seit { $span }
quick-bots-in = Computergegner kommen spätestens in { $span } dazu
quick-matched = Gegner für { $kind } sind gefunden. Die Partie wird angelegt.
quick-ready = Deine Partie { $kind } ist bereit.
quick-open = Partie öffnen
quick-rematch = Revanche
quick-rematch-hint = Alle Spieler werden gefragt, und die Plätze wechseln.
