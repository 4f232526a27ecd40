// The map as a tree of places and pieces, by ARIA's pattern: arrows walk, Enter chooses.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Subject } from '../table/offers';
import type { Picker } from '../table/picker';
import type { Table } from '../table/table';
import { seatName } from '../words';
import type { Spot } from './atlas';
import { nameOf } from './stage';

interface Node {
  key: string;
  subject: Subject;
  title: string;
  owner: number | undefined;
  level: 1 | 2;
  children: number;
}

/** The nodes that are shown, from top to bottom. */
function nodesOf(spots: readonly Spot[], open: ReadonlySet<string>, search: string): Node[] {
  const nodes: Node[] = [];
  const text = search.toLowerCase();
  const holds = (spot: Spot) => `${spot.title} ${spot.name}`.toLowerCase().includes(text);
  for (const spot of spots) {
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

export function Tree(props: { table: Table; picker: Picker; show: (subject: Subject) => void }) {
  const { table, picker, show } = props;
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const search = useSignal('');
  const current = useSignal('');
  const list = useRef<HTMLUListElement>(null);
  const spots = picker.atlas.value;
  const open = new Set(spots.map((spot) => spot.name).filter((name) => !closed.value.has(name)));
  const nodes = nodesOf(spots, open, search.value);
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
    const next = new Set(closed.value);
    if (isClosed) next.add(name);
    else next.delete(name);
    closed.value = next;
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
    else if (event.key === 'Enter' || event.key === ' ') picker.pick(node.subject);
    else return;
    event.preventDefault();
  };
  const { chosen, targets, able } = picker;
  const chosenKey = chosen.value ? nameOf(chosen.value) : '';
  return (
    <section class="tree" aria-label="Places and pieces">
      <input
        type="search"
        aria-label="Find a place or piece"
        placeholder="Find a place or piece"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
      />
      {nodes.length === 0 ? <p class="faint">Nothing of that name.</p> : null}
      <ul
        role="tree"
        aria-label="Places and pieces"
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
              picker.pick(node.subject);
            }}
          >
            <bdi>{node.title}</bdi>
            {node.owner ? (
              <span class="faint"> · {seatName(table.game.value, node.owner)}</span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
