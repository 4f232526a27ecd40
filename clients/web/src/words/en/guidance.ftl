# What a beginner can do in each phase of each game. The offers of the games stay English.
guidance-ready = When you are done, press “I am ready”. Until then, you can change everything.
guidance-press = When you are done, press “{ $end }” above the possible orders.
