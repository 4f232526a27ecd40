
// Shows the board again when it has changed. The pause grows while nothing changes.
const board = document.getElementById('board');
const [soon, most, late] = [4_000, 20_000, 120_000];
let pause = soon;
let tag = '';
let shown = '';

async function follow() {
  if (!document.hidden) {
    try {
      const answer = await fetch(board.dataset.source, { cache: 'no-cache', credentials: 'omit' });
      if (!answer.ok) throw new Error(answer.status);
      const next = answer.headers.get('etag') ?? '';
      const image = await answer.blob();
      pause = next === tag ? Math.min(pause + 1_000, most) : soon;
      if (next !== tag) {
        tag = next;
        board.src = URL.createObjectURL(image);
        URL.revokeObjectURL(shown);
        shown = board.src;
      }
    } catch {
      pause = Math.min(2 * pause, late);
    }
  }
  setTimeout(follow, pause);
}

if (board) {
  board.dataset.source = board.src;
  setTimeout(follow, soon);
  document.addEventListener('visibilitychange', () => {
    pause = soon;
  });
}
