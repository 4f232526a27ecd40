# The box that tells a beginner what to do.

beginner-possible = Jetzt möglich: { $actions }.
beginner-possible-more = Jetzt möglich: { $actions } und mehr.
beginner-title = Was kann ich jetzt tun?
beginner-got-it = Verstanden
beginner-no-more = Keine Phasen mehr erklären
