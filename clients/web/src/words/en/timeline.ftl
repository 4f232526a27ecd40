# The slider over past phases.

timeline-the-end = The end
timeline-setup = The setup
timeline-phase-number = Phase { $number }
timeline-stop = Stop
timeline-play-from-here = Play from here
timeline-play-from-start = Play from the beginning
timeline-replay = Replay the latest phase
timeline-previous = Previous phase
timeline-previous-key = Previous phase (,)
timeline-phase = Phase
timeline-next = Next phase
timeline-next-key = Next phase (.)
timeline-to-the-end = To the end
