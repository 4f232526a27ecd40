// The legend: a sample of each sign with its meaning.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Scene, SceneSign } from '../engine/contract';
import { capital, t } from '../words';
import { fieldOf, ownershipShapes } from './areas';
import { type MapThemeName, SeatInks } from './colors';
import { definitions } from './definitions';
import { pathShapes } from './lines';
import { closed, el, hexagon, path } from './shapes';
import { isGround, pieceShapes, placeShapes, placeSize, ratingShapes } from './symbols';

const WIDTH = 46;
const HEIGHT = 32;
const RADIUS = 12;

/** Returns the shapes of a sign's sample, around (0, 0). */
function sampleShapes({ sample }: SceneSign, scene: Scene, inks: SeatInks): SVGElement[] {
  switch (sample.case) {
    case 'area': {
      const area = { ...sample.value, outlines: [], x: 0, y: 0 };
      const small = { ...scene, hexRadius: RADIUS };
      const hex = path(closed(hexagon([0, 0], RADIUS)), fieldOf(area));
      return [hex, ...ownershipShapes(area, small, inks)];
    }
    case 'place': {
      const place = sample.value;
      const shapes = placeShapes(place, inks, isGround(place) ? 14 : 0);
      const rating = place.kind === 'storm' && place.value ? ratingShapes(place.value) : [];
      const scale = Math.min(1, RADIUS / Math.max(placeSize(place), 1));
      return [el('g', { transform: `scale(${scale})` }, ...shapes, ...rating)];
    }
    case 'piece':
      return pieceShapes(sample.value, inks);
    case 'path': {
      const points = sample.value.points.length === 2 ? [0, 0] : [-19, 0, 19, 0];
      return pathShapes({ ...sample.value, points }, inks, 1);
    }
    default:
      return [];
  }
}

function Sample(props: { sign: SceneSign; scene: Scene; theme: MapThemeName }) {
  const ref = useRef<HTMLSpanElement>(null);
  const { sign, scene, theme } = props;
  useLayoutEffect(() => {
    const shapes = sampleShapes(sign, scene, new SeatInks(scene, theme));
    const viewBox = `${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}`;
    const svg = el('svg', { viewBox, width: WIDTH, height: HEIGHT }, ...shapes);
    ref.current?.replaceChildren(svg);
  }, [sign, theme]);
  return <span ref={ref} class="sample" aria-hidden="true" />;
}

export function Legend(props: { scene: Scene; theme: MapThemeName; close: () => void }) {
  const { scene, theme, close } = props;
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shared = el('svg', { width: 0, height: 0 }, definitions(scene, theme));
    host.current?.replaceChildren(shared);
  }, [scene, theme]);
  return (
    <section
      class="legend"
      aria-label={t('map-legend')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <header>
        <h2>{t('map-legend')}</h2>
        <button
          type="button"
          class="icon small"
          aria-label={t('map-close-legend')}
          title={t('map-close-legend')}
          onClick={close}
        >
          ×
        </button>
      </header>
      <div ref={host} class="definitions" aria-hidden="true" />
      <ul tabIndex={0} lang="en">
        {scene.legend.map((sign) => (
          <li key={sign.meaning}>
            <Sample sign={sign} scene={scene} theme={theme} />
            <bdi>{capital(sign.meaning)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
