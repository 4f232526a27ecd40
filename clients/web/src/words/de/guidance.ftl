# What a beginner can do in each phase of each game. The offers of the games stay English.
guidance-ready = Wenn du fertig bist, drücke „Ich bin fertig“. Bis dahin kannst du alles ändern.
guidance-press = Wenn du fertig bist, drücke „{ $end }“ über den möglichen Befehlen.
