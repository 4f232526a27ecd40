// A board without an engine, to look at and to measure: `npx vite`, then /manual/board.html with
// `?scene=galaxy` or `?scene=signs`, and `&theme=light`.

import { Stage } from '../src/map/stage';
import type { MapThemeName } from '../src/scene/colors';
import { Contents } from '../src/scene/contents';
import { installColors } from '../src/scene/styles';
import { galaxy, signs } from './board-scenes';

const query = new URLSearchParams(location.search);
const theme = (query.get('theme') ?? 'dark') as MapThemeName;
document.documentElement.dataset['theme'] = theme;
installColors();
document.body.dataset['kind'] = query.get('kind') ?? '';
const host = document.getElementById('stage');
if (host) {
  const stage = new Stage(host, {
    pick: (subject) => {
      stage.mark({
        chosen: subject,
        able: new Set(),
        targets: new Set(query.has('targets') ? ['place 3,3', 'piece T1'] : []),
        next: new Set(),
        shown: [],
      });
    },
    ask: () => undefined,
    drag: () => undefined,
    drop: () => undefined,
    hover: () => undefined,
  });
  const scene = query.get('scene') === 'signs' ? signs() : galaxy();
  stage.show(new Contents(scene), theme);
  Object.assign(window, { stage });
  host.dataset['drawn'] = '';
}
