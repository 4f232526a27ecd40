# The verification of the dice.

proof-commitment = Die Festlegung
proof-chain = Die Kette
proof-seed-of-dice = Der Startwert der Würfel
proof-rolls = Die Würfe
proof-rules = Die Regeln
proof-valid = gültig
proof-invalid = ungültig
proof-scripted = vorgegeben
proof-title = Prüfung der Würfel
proof-lead =
    Vor dem ersten Wurf hat der Server den Hash eines Geheimnisses veröffentlicht. Jetzt ist das
    Geheimnis bekannt, und diese Seite berechnet jeden Wurf allein aus dem Protokoll neu.
proof-checking = Prüft … { $count } Einträge
proof-download = Protokoll herunterladen und prüfen
proof-later = Das Geheimnis wird veröffentlicht, wenn die Partie endet.
proof-no-journal = Der Server hat kein Protokoll gesendet.
proof-failed = Prüfung gescheitert: { $fault }.
proof-verified =
    Geprüft: { $entries ->
        [one] { $entries } Eintrag
       *[other] { $entries } Einträge
    }, { $rolls ->
        [one] { $rolls } Wurf
       *[other] { $rolls } Würfe
    }.
proof-commitment-text =
    Der SHA-256-Hash des Geheimnisses gleicht dem Hash, der beim Anlegen der Partie veröffentlicht
    wurde.
proof-secret = Geheimnis
proof-published = Veröffentlicht
proof-chain-text =
    Jeder der { $entries } Einträge enthält einen Hash aus dem vorigen Hash, einem Salz und dem
    eigenen Inhalt. Kein Eintrag wurde geändert, hinzugefügt oder entfernt.
proof-last-hash = Letzter Hash
proof-seed-players =
    Berechnet aus dem Geheimnis und aus Zufallswerten von { $count ->
        [one] { $count } Spieler
       *[other] { $count } Spielern
    }, die der Server nicht vorher kennen
    konnte.
proof-seed-alone = Nur aus dem Geheimnis berechnet: Kein Spieler hat Zufallswerte beigetragen.
proof-seed = Startwert
proof-replayed =
    Der Server spielt die Einträge seiner aktuellen Regelversion nach und vergleicht die Stellungen.
    Nachgespielt: { $replayed } von { $entries } Einträgen. { $fault }
proof-no-dice = In dieser Partie wurde nicht gewürfelt.
proof-find-roll = Wurf suchen
proof-find-roll-hint = Wurf nach Zweck suchen
proof-entry = Eintrag
proof-purpose = Zweck
proof-sides = Seiten
proof-drawn = Gezogene Zahl
proof-result = Ergebnis
proof-computation = Berechnung eines Wurfs
proof-set-by-script = Ein Sandbox-Skript hat diesen Wurf auf { $value } gesetzt.
proof-blake = BLAKE3, mit dem Schlüssel { $seed }, über den Text { $draw }
proof-bytes =
    Vier Bytes der Ausgabe, das niedrigste zuerst: { $number }. Zahlen über dem letzten vollen
    Vielfachen der Seitenzahl werden übersprungen.
