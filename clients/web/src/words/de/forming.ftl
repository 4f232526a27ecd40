# The page of a game before its start.

forming-by-lot = Durch Los
forming-first-open = Erster freier Platz
forming-seats = Plätze
forming-waiting =
    Wartet auf { $count ->
        [one] { $count } Spieler
       *[other] { $count } Spieler
    }
forming-waiting-for = Wartet auf { $players }
forming-full = Alle Plätze sind besetzt
forming-take-role = { $role } nehmen
forming-take-this = Diesen Platz nehmen
forming-start-automated = Mit Computergegnern starten
forming-start = Starten
forming-level = Stärke der Computergegner auf freien Plätzen
forming-take-reserved = Den für dich reservierten Platz nehmen
forming-leave = Verlassen
forming-host-starts = Der Gastgeber startet die Partie.
forming-about = Über diese Partie
forming-private = Privat
forming-anonymous = Namen sind bis zum Ende verborgen
forming-hide-ready = Wer fertig ist, bleibt verborgen
forming-open-messages = Alle Nachrichten werden nach dem Ende öffentlich
forming-invite = Leute einladen
forming-address = Schicke ihnen diese Adresse: { $link }
