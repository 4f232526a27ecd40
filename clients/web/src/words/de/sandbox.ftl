# The sandbox, and the steps of scenario files.

sandbox-dice-waiting = bereit: { $dice }
sandbox-no-dice = keine
sandbox-lead =
    Baue eine Stellung auf, gehe sie schrittweise durch und betrachte sie von jedem Platz aus.
    Partien in der Sandbox werden nicht gewertet.
sandbox-scenario-file = Szenariodatei
sandbox-file = Datei
sandbox-paste = Oder füge den Text ein
sandbox-set-up = Aufbauen
sandbox-open-table = Als Tisch öffnen
sandbox-save = Als Szenario speichern
sandbox-new-scenario = Neues Szenario
sandbox-steps = Schritte
sandbox-next-step = Nächster Schritt
sandbox-all-steps = Alle Schritte
sandbox-views = Ansichten
sandbox-show-as = Zeigen als
sandbox-spectator = Zuschauer
sandbox-seat = Platz
sandbox-orders = Befehle, einer pro Zeile
sandbox-ready = Fertig
sandbox-script-dice = Würfel vorgeben
sandbox-dice = Würfel
sandbox-script = Vorgeben
sandbox-set-clock = Uhr vorstellen
sandbox-clock = Uhr
sandbox-forward = Vor
sandbox-map-as = Karte aus der Sicht von { $role }
sandbox-no-decision = Keine offene Entscheidung.
sandbox-unknown-game = Der Server bietet das Spiel „{ $game }“ nicht an.
sandbox-no-game = Der Server hat keine Partie angelegt.
sandbox-step-tries = Platz { $seat } probiert: { $orders }
sandbox-step-ready = Platz { $seat } ist fertig
sandbox-step-not-ready = Platz { $seat } ist nicht fertig
sandbox-step-writes = Platz { $seat } schreibt: { $text }
sandbox-step-master-writes = Die Spielleitung schreibt: { $text }
sandbox-step-clock =
    Die Uhr geht um { $count ->
        [one] { $count } Stunde
       *[other] { $count } Stunden
    } vor
sandbox-not-json = Das Szenario ist kein gültiges JSON: { $problem }
sandbox-the-file = Die Datei
sandbox-runner-only =
    „{ $word }“ geht auf dieser Seite nicht; führe die Datei mit `cli-client scenario` aus.
sandbox-automated-seat = Ein automatischer Platz
sandbox-step = Schritt { $number }
sandbox-unknown-step = Schritt { $number }: „{ $word }“ geht auf dieser Seite nicht.
sandbox-no-duration = „{ $text }“ ist keine Dauer; Beispiele: 26h, 1d 2h.
sandbox-step-orders = Platz { $seat }: { $orders }
sandbox-step-resigns = Platz { $seat } gibt auf
sandbox-step-dice = Würfel: { $dice }
sandbox-step-close = Die Phase endet
sandbox-step-master = Spielleitung: { $text }
sandbox-step-looks = Schaut nach
sandbox-my-steps = Meine Schritte
sandbox-must-be-object = { $what } muss ein Objekt sein.
