# The answer of the player: orders, warnings, readiness.

orders-waiting-for = Wartet auf { $player }
orders-waiting-time = seit { $span }
orders-not-submitted = Nicht abgeschickt: { $order }.
orders-grave = { $order }. Das lässt sich nicht rückgängig machen.
orders-sure = Bist du sicher?
orders-do-it = Ja, ausführen
orders-before = Bevor du weitermachst
orders-anyway = Trotzdem weiter
orders-ready = Du bist fertig
orders-updating = Aktualisiert …
orders-others = Andere Befehle
orders-yours = Deine Befehle
orders-sheet = Dein Befehlsbogen
orders-sheet-changed = Der gespeicherte Befehlsbogen wurde anderswo geändert. { $load }
orders-load-sheet = Laden
orders-store-sheet = Befehlsbogen speichern
orders-submit-typed = Getippte Befehle abschicken
orders-queued = Wartende Befehle
orders-waiting-server = Wartet auf den Server
orders-withdraw = Zurückziehen
orders-not-ready = Nicht fertig
orders-am-ready = Ich bin fertig
orders-kept-open = Bleibt bis zur Frist offen
orders-keep-open = Bis zur Frist offen halten
orders-waiting = Wartet auf
orders-not-your-turn = Du bist nicht am Zug
orders-to-move = { $player } ist am Zug.
orders-others-first = Wartet auf die anderen Spieler.
orders-waits-automated =
    Wartet auf einen automatischen Platz. Wenn es lange dauert, ist vielleicht kein KI-Programm
    verbunden.
orders-operator-pause = Vom Betreiber pausiert: { $reason }
