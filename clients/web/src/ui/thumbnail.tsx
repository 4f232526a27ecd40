// Pictures of games: the current board of a running game, else the picture of its kind.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { games } from '../engine/calls';
import type { Scene } from '../engine/contract';
import type { MapThemeName } from '../scene/colors';
import type { Drawing } from '../scene/drawing';
import { shownTheme } from '../settings';

const WIDTH = 320;
const HEIGHT = 180;
/** The number of boards that are loaded at the same time. */
const PARALLEL = 2;
/** The number of pictures that the page keeps. */
const KEPT = 100;

/** What a picture depends on. */
interface Shown {
  kind: string;
  game: string;
  revision: string;
  theme: MapThemeName;
}

type Frame = Drawing['frame'];

/** The addresses of the drawn pictures; empty for boards without anything to draw. */
const kept = new Map<string, Promise<string>>();
let free = PARALLEL;
const queue: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((start) => queue.push(start));
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  }
}

function pictureOf(shown: Shown): Promise<string> {
  const key = Object.values(shown).join(' ');
  let found = kept.get(key);
  if (!found) {
    found = inTurn(() => drawn(shown));
    found.catch(() => kept.delete(key));
    kept.set(key, found);
    for (const [oldest, picture] of kept) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
      picture.then(URL.revokeObjectURL, () => undefined);
    }
  }
  return found;
}

/** Returns the part of a board that a picture shows: in space, only where something is known. */
function shownPart(scene: Scene, frame: Frame): Frame {
  const spots = [...scene.areas, ...scene.places, ...scene.pieces];
  if (!scene.frame?.starry || spots.length < 2) return frame;
  const margin = 1.2 * (scene.hexRadius || 30);
  const [left, right] = rangeOf(spots.map(({ x }) => x));
  const [top, bottom] = rangeOf(spots.map(({ y }) => y));
  return {
    left: left - margin,
    top: top - margin,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

function rangeOf(values: readonly number[]): [least: number, most: number] {
  const sorted = values.toSorted((a, b) => a - b);
  return [sorted[0] ?? 0, sorted.at(-1) ?? 0];
}

/** Draws a board with the page's drawer, and returns the address of an image of it. */
async function drawn({ kind, game, theme }: Shown): Promise<string> {
  const [{ scene }, { Contents }, { Drawing, isDrawable }, { tokensOf }] = await Promise.all([
    games.getScene({ gameId: game }),
    import('../scene/contents'),
    import('../scene/drawing'),
    import('../scene/styles'),
  ]);
  if (!scene || !isDrawable(scene)) return '';
  const drawing = new Drawing(new Contents(scene), theme);
  const { left, top, width, height } = shownPart(scene, drawing.frame);
  const scale = Math.min(WIDTH / width, HEIGHT / height);
  drawing.arrange(scale, 0, { left, top, right: left + width, bottom: top + height });
  drawing.hide(new Set(['labels', 'regions']));
  const { svg } = drawing;
  svg.style.margin = '';
  svg.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
  svg.setAttribute('width', String(WIDTH));
  svg.setAttribute('height', String(HEIGHT));
  // A sky continues beside the board; any other board fills the picture.
  svg.setAttribute('preserveAspectRatio', scene.frame?.starry ? 'xMidYMid' : 'xMidYMid slice');
  const style = document.createElementNS(svg.namespaceURI ?? '', 'style');
  // An image does not inherit the tokens of the page.
  const names = new Set(new XMLSerializer().serializeToString(svg).match(/--map-[\w-]+/g));
  const page = getComputedStyle(document.documentElement);
  const own = tokensOf(kind, theme);
  const tokens = [...names].map((name) => {
    const color = own[name.slice('--map-'.length)] ?? page.getPropertyValue(name);
    return `${name}:${color}`;
  });
  style.textContent = `svg{${tokens.join(';')}}[data-hidden],.far .token text,.far .near-only,svg:not(.far) .far-only{display:none}`;
  svg.append(style);
  const text = new XMLSerializer().serializeToString(svg);
  return URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
}

/** The picture of a game. Without a revision, the game has no board to show. */
export function GamePicture(props: {
  kind: string;
  game?: string | undefined;
  revision?: string | undefined;
}) {
  const { kind, game, revision } = props;
  const frame = useRef<HTMLDivElement>(null);
  const source = useSignal('');
  const theme = shownTheme.value;
  useEffect(() => {
    const { current } = frame;
    if (!current || !game || !revision) return undefined;
    let isOpen = true;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      pictureOf({ kind, game, revision, theme }).then(
        (picture) => {
          if (isOpen) source.value = picture;
        },
        // The picture of the kind remains.
        () => undefined,
      );
    });
    observer.observe(current);
    return () => {
      isOpen = false;
      observer.disconnect();
    };
  }, [kind, game, revision, theme]);
  return (
    <div ref={frame} class="game-picture" data-kind={kind}>
      {source.value ? (
        <img class="thumbnail" src={source.value} alt="" />
      ) : (
        <KindImage kind={kind} />
      )}
    </div>
  );
}

/** The picture of a kind of game. A kind without one shows none. */
export function KindImage({ kind }: { kind: string }) {
  const isMissing = useSignal(false);
  if (isMissing.value) return null;
  return (
    <img
      class="kind-image"
      src={`/kinds/${encodeURIComponent(kind)}.svg`}
      alt=""
      width={96}
      height={72}
      loading="lazy"
      onError={() => (isMissing.value = true)}
    />
  );
}
