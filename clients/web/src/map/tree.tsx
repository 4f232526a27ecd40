// The map as a tree of places and pieces, following the ARIA pattern: arrows move, Enter chooses.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Subject } from '../table/offers';
import type { Picker } from '../table/picker';
import type { Table } from '../table/table';
import { seatName, t } from '../words';
import type { MapItem } from './items';
import { nameOf } from './stage';

/** A place with more pieces is closed at first. */
const PIECES_MAX = 8;

interface Node {
  key: string;
  subject: Subject;
  title: string;
  owner: number | undefined;
  level: 1 | 2;
  children: number;
}

function nodesOf(items: readonly MapItem[], open: ReadonlySet<string>, search: string): Node[] {
  const nodes: Node[] = [];
  const text = search.toLowerCase();
  const holds = (spot: MapItem) => `${spot.title} ${spot.name}`.toLowerCase().includes(text);
  for (const spot of items) {
    const pieces = text === '' || holds(spot) ? spot.pieces : spot.pieces.filter(holds);
    if (!holds(spot) && pieces.length === 0) continue;
    const subject = { place: spot.name, piece: '' };
    nodes.push({ ...spot, key: nameOf(subject), subject, level: 1, children: spot.pieces.length });
    if (!open.has(spot.name) && text === '') continue;
    for (const piece of pieces) {
      const inner = { place: spot.name, piece: piece.name };
      nodes.push({ ...piece, key: nameOf(inner), subject: inner, level: 2, children: 0 });
    }
  }
  return nodes;
}

export function Tree(props: {
  table: Table;
  picker: Picker;
  show: (subject: Subject) => void;
  pick: (subject: Subject) => void;
}) {
  const { table, picker, show, pick } = props;
  /** The places that are not as they are at first: with many pieces closed, others open. */
  const toggled = useSignal<ReadonlySet<string>>(new Set());
  const search = useSignal('');
  const current = useSignal('');
  const list = useRef<HTMLUListElement>(null);
  const items = picker.mapItems.value;
  const open = new Set(
    items
      .filter(({ name, pieces }) => toggled.value.has(name) === pieces.length > PIECES_MAX)
      .map(({ name }) => name),
  );
  const nodes = nodesOf(items, open, search.value);
  const focused = nodes.some((node) => node.key === current.value) ? current.value : nodes[0]?.key;
  const focus = (node: Node | undefined) => {
    if (!node) return;
    current.value = node.key;
    show(node.subject);
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    });
  };
  const fold = (name: string, isClosed: boolean) => {
    if (open.has(name) !== isClosed) return;
    const next = new Set(toggled.value);
    if (!next.delete(name)) next.add(name);
    toggled.value = next;
  };
  const key = (event: KeyboardEvent) => {
    const at = nodes.findIndex((node) => node.key === focused);
    const node = nodes[at];
    if (!node) return;
    const name = node.subject.place;
    if (event.key === 'ArrowDown') focus(nodes[at + 1]);
    else if (event.key === 'ArrowUp') focus(nodes[at - 1]);
    else if (event.key === 'Home') focus(nodes[0]);
    else if (event.key === 'End') focus(nodes.at(-1));
    else if (event.key === 'ArrowRight' && node.level === 1) fold(name, false);
    else if (event.key === 'ArrowLeft' && node.level === 1) fold(name, true);
    else if (event.key === 'ArrowLeft')
      focus(nodes.findLast((each, i) => i < at && each.level === 1));
    else if (event.key === 'Enter' || event.key === ' ') pick(node.subject);
    else return;
    event.preventDefault();
  };
  const { chosen, targets, able } = picker;
  const chosenKey = chosen.value ? nameOf(chosen.value) : '';
  return (
    <section class="tree" aria-label={t('map-places-and-pieces')}>
      <input
        type="search"
        aria-label={t('map-find')}
        placeholder={t('map-find')}
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      {nodes.length === 0 ? <p class="faint">{t('map-none')}</p> : null}
      <ul
        role="tree"
        aria-label={t('map-places-and-pieces')}
        ref={list}
        onKeyDown={key}
        hidden={nodes.length === 0}
      >
        {nodes.map((node) => (
          <li
            key={node.key}
            role="treeitem"
            aria-level={node.level}
            aria-selected={node.key === chosenKey}
            {...(node.children > 0 ? { 'aria-expanded': open.has(node.subject.place) } : {})}
            tabIndex={node.key === focused ? 0 : -1}
            class={`level-${node.level} ${targets.value.has(node.key) ? 'target' : ''} ${
              able.value.has(node.key) ? 'able' : ''
            }`}
            onClick={() => {
              current.value = node.key;
              if (node.children > PIECES_MAX)
                fold(node.subject.place, open.has(node.subject.place));
              pick(node.subject);
            }}
          >
            <bdi>{node.title}</bdi>
            {node.children > PIECES_MAX ? (
              <span class="faint"> · {t('map-pieces', { count: node.children })}</span>
            ) : null}
            {node.owner ? (
              <span class="faint"> · {seatName(table.game.value, node.owner)}</span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
