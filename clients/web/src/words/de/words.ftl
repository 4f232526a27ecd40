# Texts about games that several views use.
#
# The German texts say "du". Words of the field, the same in all files:
#   account Konto · adjudication Auswertung · automated player Computergegner · automation Automatik
#   board Spielbrett · deadline Frist · draft Entwurf · draw Unentschieden · engine Server
#   event Ereignis · fleet Flotte · game Partie · (kind of) game Spiel · game master Spielleitung
#   host Gastgeber · invitation Einladung · lesson Lektion · map Karte (Sternenkarte)
#   message Nachricht · move Zug · operator Betreiber · order Befehl · phase Phase · piece Einheit
#   place Ort · points Punkte · power Macht · rating Wertung · replay Wiedergabe
#   reveal Offenlegung · round Runde · rulebook Regelbuch · sandbox Sandbox · sheet Befehlsbogen · table Tisch · seat Platz
#   sign in anmelden · token Zugangsschlüssel · turn Zug · viewer Zuschauer · vote Abstimmung

words-list = { $names } und { $last }
words-players = { $count ->
    [one] { $count } Spieler
   *[other] { $count } Spieler
}
words-players-range = { $min }–{ $max } Spieler

words-days = { $days } T
words-days-hours = { $days } T { $hours } Std.
words-hours = { $hours } Std.
words-hours-minutes = { $hours } Std. { $minutes } Min.
words-minutes = { $minutes } Min.
words-minutes-seconds = { $minutes } Min. { $seconds } Sek.
words-seconds = { $seconds } Sek.

words-status-forming = wartet auf Spieler
words-status-revealing = beginnt gleich
words-status-running = läuft
words-status-paused = pausiert
words-status-ended = beendet
words-status-cancelled = abgebrochen

words-suspended-left =
    Alle Spieler sind abwesend. Die Automatik ruht, bis jemand einen Platz übernimmt oder
    weiterspielt.
words-suspended-unwatched =
    Die Automatik ruht, weil eine Weile niemand zugesehen hat. Sie macht weiter, sobald ein
    angemeldeter Spieler die Partie öffnet.

words-seat = Platz { $number }
words-seat-open = frei
words-seat-reserved = reserviert für { $player }
words-some-player = ein Spieler
words-level-standard = normal
words-no-one = niemand
words-you = du
words-invited = { $player } (eingeladen)
words-more = { $count } weitere
words-automated = { $count } automatisch
words-open = { $count } frei

words-result-canceled = Abgebrochen
words-result-draw = { $count ->
    [0] Unentschieden
    [one] Unentschieden für { $names }
   *[other] Unentschieden zwischen { $names }
}
words-result-you-win = Du gewinnst{ $level }
words-result-win = { $count ->
    [0] Niemand gewinnt{ $level }
    [one] { $names } gewinnt{ $level }
   *[other] { $names } gewinnen{ $level }
}
words-points = Punkte
words-points-unit = Punkte ({ $unit })
words-phase-number = { $name }, Phase { $number }

words-vote-draw = Als Unentschieden beenden
words-vote-pause = Pausieren
words-vote-resume = Fortsetzen
words-vote-extend = Frist verlängern
words-vote-cancel = Partie abbrechen
words-vote-replace = Spieler ersetzen
words-vote-to-draw = die Partie als Unentschieden aller Überlebenden zu beenden
words-vote-to-pause = die Partie zu pausieren
words-vote-to-resume = die Partie fortzusetzen
words-vote-to-extend = die Frist zu verlängern
words-vote-to-cancel = die Partie ohne Ergebnis abzubrechen
words-vote-to-replace = einen Spieler zu ersetzen
words-vote-unknown = etwas Unbekanntes zu tun

words-missed-defaults = fehlende Befehle werden durch Standardbefehle ersetzt
words-missed-extend = eine verpasste Frist wird einmal verlängert
words-missed-hold = die Partie wartet auf fehlende Befehle
words-missed-automate = für Spieler, die sie verpassen, spielt die Automatik
words-at-time = um { $time }
words-grace = { $span } Nachfrist
words-no-deadline = keine Frist
words-no-deadlines = Keine Fristen

words-delegation-never = Nie
words-delegation-any-time = Jederzeit
words-delegation-absent = Nur bei Abwesenheit
words-custom = eigene Angaben
