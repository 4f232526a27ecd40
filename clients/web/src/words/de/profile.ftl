# The profile of a player.

profile-finished-games = In beendeten Partien:
profile-answered =
    { $count ->
        [one] { $count } Entscheidung
       *[other] { $count } Entscheidungen
    } rechtzeitig getroffen
profile-median = die Hälfte davon innerhalb von { $span }
profile-missed =
    { $count ->
        [one] { $count } Frist
       *[other] { $count } Fristen
    } verpasst
profile-against-you =
    Gegen dich: Du warst { $won }-mal besser, { $drawn }-mal gleich, { $lost }-mal schlechter
profile-one-seat = ein Platz
profile-two-seats = zwei Plätze
profile-several-seats = drei und mehr Plätze
profile-title = Profil
profile-settings = Einstellungen
profile-block = Einladungen blockieren
profile-dedication = Zuverlässigkeit { $dedication }, dabei seit { $since }
profile-no-results = Es werden keine Ergebnisse gezeigt.
profile-rating = Wertung { $rating }
profile-uncertainty = Die Zahl nach ± ist die Unsicherheit der Wertung. Sie sinkt mit gewerteten Partien.
profile-record =
    { $won } gewonnen, { $drawn } unentschieden, { $lost } verloren, { $abandoned } verlassen
profile-favorites = Favoriten
profile-favorite =
    { $count ->
        [one] { $count } Partie
       *[other] { $count } Partien
    }, { $won } gewonnen
