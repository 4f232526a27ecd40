# The tutorials.

tutorial-press-ready = Drücke { $ready } über den möglichen Befehlen.
tutorial-write = Öffne { $messages } und schreibe an { $names }, zum Beispiel: { $text }
tutorial-type = Tippe { $order }
tutorial-choose = Wähle { $offer } oder tippe { $order }
tutorial-choose-under = Wähle { $offer } unter „{ $heading }“ oder tippe { $order }
tutorial-title = Spielen lernen
tutorial-lead =
    In einer Einführung spielst du die ersten Züge eines Spiels, Schritt für Schritt. Das Regelbuch
    erklärt den Rest.
tutorial-of = Einführung in { $game }
tutorial-rulebook-of = Regelbuch von { $game }
tutorial-rulebook = Regelbuch
tutorial-heading = Einführung: { $game }
tutorial-steps =
    Du spielst { $count ->
        [one] { $count } Schritt
       *[other] { $count } Schritte
    } auf dem echten Spielbrett. Jeder Schritt erklärt, was zu tun ist und warum. Die
    anderen Spieler ziehen automatisch, und die Würfel stehen fest. Nichts wird gewertet.
tutorial-sign-in = Anmelden und anfangen
tutorial-only-name = Ein Konto braucht nur einen Namen.
tutorial-no-sandbox =
    Einführungen brauchen einen Server mit Sandbox, und dieser hat keine. Lies das Regelbuch oder
    spiele gegen Computergegner.
tutorial-start-over = Von vorn beginnen
tutorial-play-again = Noch einmal spielen
tutorial-start = Einführung starten
tutorial-all-games = Alle Spiele
tutorial-back = Zurück
tutorial-loading = Einführung wird geladen …
tutorial-step = Schritt { $number } von { $count }
tutorial-progress = Fortschritt
tutorial-show-text = Text zeigen
tutorial-hide-text = Text verbergen
tutorial-others-move = Die anderen Spieler ziehen …
tutorial-show-me = Zeig es mir
tutorial-give-order = Befehl geben
tutorial-order = Befehl
tutorial-give = Befehlen
tutorial-done = Damit ist die Einführung geschafft
tutorial-done-text =
    Du kannst diese Partie für beide Seiten weiterspielen oder eine eigene gegen Computergegner
    beginnen.
tutorial-play-computer = Gegen den Computer spielen
tutorial-all = Alle Einführungen
tutorial-units = { $count } Einheiten
tutorial-choices = { $count } Möglichkeiten
tutorial-do-continue = weitermachen
tutorial-none = Das Spiel „{ $kind }“ hat keine Einführung.
tutorial-game-gone = Die Partie der Einführung gibt es nicht mehr.
tutorial-do-instead = { $objection } Stattdessen: { $wanted }.
tutorial-not-expected = Das erwartet die Einführung gerade nicht.
tutorial-orders-stay = Die Einführung braucht deine früheren Befehle: Sie bleiben.
tutorial-do-ready = deine Befehle als fertig melden
tutorial-do-say = eine Nachricht an Platz { $seats } schicken
