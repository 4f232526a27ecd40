// The card with the facts of a place and its pieces, near the pointer.

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ScenePiece } from '../engine/contract';
import type { Pointed } from '../map/stage';
import { isPhone } from '../settings';
import type { Subject } from '../table/offers';
import { SeatDot } from '../ui/components';
import { capital, t } from '../words';
import { type Contents, memberText, namesOf } from './contents';

const PIECES_MAX = 10;
/** Larger groups show only their number: their names would hide the map. */
const MEMBERS_MAX = 8;
/** The distance of the card from the pointer, in pixels. */
const GAP = 16;

interface Facts {
  title: string;
  lines: string[];
  pieces: ScenePiece[];
  orders: string[];
}

/** Returns the facts of a subject: those of its area, its pieces first. */
export function factsOf(contents: Contents, { place, piece }: Subject): Facts {
  const home = contents.homeOf(place);
  const area = contents.area(home);
  const own = contents.place(place);
  const title = (place === home ? area?.title : own?.title) || own?.title || area?.title || place;
  const lines = contents
    .placesIn(home)
    .filter((each) => place === home || each.name === place)
    .map((each) => each.title)
    .filter((line) => line !== '' && !title.toLowerCase().includes(line.toLowerCase()));
  if (place !== home && area && area.title !== '' && area.title !== title) lines.push(area.title);
  const group = piece === '' ? undefined : contents.groupOf(piece);
  const pieces = contents.piecesIn(home).toSorted((a, b) => {
    return Number(b === group) - Number(a === group);
  });
  const orders = contents.scene.paths
    .filter(({ kind }) => kind !== 'way' && kind !== 'border')
    .filter(
      ({ origin, destination }) =>
        contents.homeOf(origin) === home || contents.homeOf(destination) === home,
    )
    .map((path) => path.title)
    .filter((line) => line !== '');
  return { title, lines: [...new Set(lines)], pieces, orders: [...new Set(orders)] };
}

export function Card({ contents, pointed }: { contents: Contents; pointed: Pointed }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const card = ref.current;
    const frame = card?.parentElement;
    if (!card || !frame) return;
    const { x, y } = pointed;
    const { offsetWidth: width, offsetHeight: height } = card;
    if (isPhone.value) {
      // The half of a small map without the pointer.
      const isBelow = y > frame.clientHeight / 2;
      card.style.left = '4px';
      card.style.top = isBelow ? '4px' : 'auto';
      card.style.bottom = isBelow ? 'auto' : '4px';
      return;
    }
    const isRoomRight = x + GAP + width <= frame.clientWidth;
    const isRoomLeft = x - GAP - width >= 0;
    const isRoomBelow = y + GAP + height <= frame.clientHeight;
    const left = isRoomRight ? x + GAP : isRoomLeft ? x - GAP - width : 4;
    // A card as wide as the map is above or below the pointer.
    const isBeside = isRoomRight || isRoomLeft;
    const below = isRoomBelow ? y + GAP : y - GAP - height;
    const top = isBeside ? Math.min(y + GAP, frame.clientHeight - height - 4) : below;
    card.style.left = `${Math.max(left, 4)}px`;
    card.style.top = `${Math.max(top, isBeside || isRoomBelow ? 4 : below)}px`;
  });
  const { title, lines, pieces, orders } = factsOf(contents, pointed.subject);
  const shown = pieces.slice(0, PIECES_MAX);
  return (
    <div ref={ref} class="map-card" role="status">
      <p class="map-card-title">
        <bdi>{capital(title)}</bdi>
      </p>
      {lines.map((line) => (
        <p key={line}>
          <bdi>{capital(line)}</bdi>
        </p>
      ))}
      {shown.length > 0 ? (
        <ul>
          {shown.map((piece, index) => (
            <li key={index} class={namesOf(piece).includes(pointed.subject.piece) ? 'chosen' : ''}>
              <PieceFacts piece={piece} />
            </li>
          ))}
        </ul>
      ) : null}
      {pieces.length > shown.length ? (
        <p class="faint">{t('map-and-more', { count: pieces.length - shown.length })}</p>
      ) : null}
      {orders.slice(0, 4).map((line) => (
        <p key={line} class="faint">
          <bdi>{line}</bdi>
        </p>
      ))}
    </div>
  );
}

function PieceFacts({ piece }: { piece: ScenePiece }) {
  const { members, age } = piece;
  const named = members.length > MEMBERS_MAX ? [] : members.map(memberText);
  const seen = age > 0 ? t('map-seen-ago', { count: age }) : '';
  return (
    <>
      {piece.owner ? <SeatDot seat={piece.owner} /> : null}{' '}
      <bdi>{piece.title || piece.name || `${piece.count || ''} ${piece.kind}`}</bdi>
      {seen === '' ? null : <span class="faint"> · {seen}</span>}
      {named.length > 0 ? (
        <span class="faint map-card-members">
          <bdi>{named.join(', ')}</bdi>
        </span>
      ) : null}
    </>
  );
}
