# The slider over past phases.

timeline-the-end = Das Ende
timeline-setup = Der Aufbau
timeline-phase-number = Phase { $number }
timeline-stop = Anhalten
timeline-play-from-here = Ab hier abspielen
timeline-play-from-start = Von Anfang an abspielen
timeline-replay = Die letzte Phase noch einmal zeigen
timeline-previous = Vorige Phase
timeline-previous-key = Vorige Phase (,)
timeline-phase = Phase
timeline-next = Nächste Phase
timeline-next-key = Nächste Phase (.)
timeline-to-the-end = Zum Ende
