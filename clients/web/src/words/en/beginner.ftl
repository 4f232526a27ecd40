# The box that tells a beginner what to do.

beginner-possible = Possible now: { $actions }.
beginner-possible-more = Possible now: { $actions } and more.
beginner-title = What can I do now?
beginner-got-it = Got it
beginner-no-more = Explain no more phases
