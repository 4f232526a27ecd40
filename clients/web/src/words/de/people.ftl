# The players at the table, goals and votes.

people-stand-in = gespielt von { $profile }
people-on-vacation = im Urlaub
people-vote-open = offen
people-vote-passed = angenommen
people-vote-failed = abgelehnt
people-vote-lapsed = verfallen
people-vote =
    { $player } stimmt dafür, { $subject }: { $yes } von { $needed } dafür{ $no ->
        [0] { "" }
       *[other] , { $no } dagegen
    }.
people-vote-extension = um { $span }
people-ordered = hat befohlen
people-deciding = überlegt
people-default = Standard
people-rated-yes = ja
people-rated-no = nein
people-ready = fertig
people-take-over-role = { $role } übernehmen
people-take-over = Übernehmen
people-goals = Ziele
people-the-game = Das Spiel
people-votes = Abstimmungen
people-propose-vote = Abstimmung vorschlagen
people-vote-subject = Worüber abgestimmt wird
people-by-hours = um { $hours } Stunden
people-hours = Stunden
people-player-to-replace = Wer ersetzt wird
people-choose-player = Wähle einen Spieler
people-propose = Vorschlagen
people-pending-votes = Abstimmungen, die auf dich warten
people-yes = Ja
people-no = Nein
people-conduct = Urlaub, Automatik, Aufgabe
people-am-back = Ich bin zurück
people-start-vacation = Urlaub beginnen (Tage)
people-take-back = Meinen Platz zurücknehmen
people-level = Stärke der Automatik
people-delegate = Automatik für mich spielen lassen
people-resign-text =
    Die Automatik spielt { $role }, bis ein anderer Spieler übernimmt. Du kannst nicht zurückkommen.
people-resign-question = Aufgeben?
people-resign = Aufgeben
people-options = Optionen
people-rated = Gewertet
people-master = Spielleitung
people-started = Begonnen
