# The result of a game.

result-title = Ergebnis
result-canceled = Die Partie wurde abgebrochen.
result-verify = Würfel nachprüfen
result-over = Die Partie ist beendet: Die Karte zeigt alles, in jeder Phase.
result-scores = Endstand
result-place = Rang
result-seat = Platz
result-details = Einzelheiten
