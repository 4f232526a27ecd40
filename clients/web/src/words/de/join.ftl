# The page that a link or a code leads to.

join-host = Gastgeber: { $host }
join-game = Partie
join-game-hint = Die Kennung vom Gastgeber oder der ganze Link.
join-code = Einladungscode
join-code-hint = Nur private Partien haben einen.
join-seat = Dein Platz
join-lots = Die Plätze werden zu Beginn ausgelost, mit demselben Startwert wie die Würfel.
join-take-seat = Platz nehmen
join-the-game = Die Partie
