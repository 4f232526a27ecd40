// What a picture shows, as a tree of places and pieces: for screen readers, keyboards and clicks.

/** Something on the map. */
export interface Spot {
  /** Its name in the notation. */
  name: string;
  /** What it is, for people. */
  title: string;
  /** The number of the seat that owns it, if one does. */
  owner: number | undefined;
  pieces: Spot[];
}

/** The places of a picture, each with its pieces, in the order in which they are drawn. */
export function atlasOf(root: ParentNode): Spot[] {
  const places = new Map<string, Spot>();
  for (const element of root.querySelectorAll('[data-place], [data-piece]')) {
    const place = element.getAttribute('data-place') ?? '';
    const piece = element.getAttribute('data-piece') ?? '';
    const spot = spotOf(places, place, piece === '' ? element : undefined);
    if (piece !== '' && !spot.pieces.some((each) => each.name === piece)) {
      spot.pieces.push(described(piece, element));
    }
  }
  return [...places.values()];
}

function spotOf(places: Map<string, Spot>, place: string, element: Element | undefined): Spot {
  let spot = places.get(place);
  if (!spot) {
    spot = { name: place, title: place === '' ? 'Elsewhere' : place, owner: undefined, pieces: [] };
    places.set(place, spot);
  }
  if (element) {
    const { title, owner } = described(place, element);
    if (title !== place || spot.title === spot.name) spot.title = title;
    spot.owner ??= owner;
  }
  return spot;
}

function described(name: string, element: Element): Spot {
  const owner = Number(element.getAttribute('data-owner') ?? '');
  const title = [...element.children].find((child) => child.localName === 'title');
  return {
    name,
    title: title?.textContent?.trim() || name,
    owner: owner > 0 ? owner : undefined,
    pieces: [],
  };
}

/**
 * The colour in which each seat is drawn, by what most of its pieces and places are drawn in. What
 * other seats are drawn in too, such as the backdrop within an outline, tells them apart only if
 * nothing else does.
 */
export function inksOf(root: ParentNode): Map<number, string> {
  const tallies = new Map<number, Map<string, number>>();
  for (const element of root.querySelectorAll('[data-owner]')) {
    const seat = Number(element.getAttribute('data-owner'));
    // A piece speaks louder than a place, which is often drawn in a paler shade.
    const weight = element.hasAttribute('data-piece') ? 1_000 : 1;
    for (const shape of element.querySelectorAll('[fill], [stroke]')) {
      const drawn = ['fill', 'stroke'].map((name) => shape.getAttribute(name) ?? 'none');
      const colours = drawn.filter((colour) => colour.startsWith('#'));
      if (colours.length === 0 || shape.localName === 'text') continue;
      const tally = tallies.get(seat) ?? new Map<string, number>();
      for (const colour of colours) tally.set(colour, (tally.get(colour) ?? 0) + weight);
      tallies.set(seat, tally);
      break;
    }
  }
  const inks = new Map<number, string>();
  for (const [seat, tally] of tallies) {
    const isShared = (colour: string) =>
      [...tallies].some(([other, its]) => other !== seat && its.has(colour));
    const colours = [...tally].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
    const ink = colours.find((colour) => !isShared(colour)) ?? colours[0];
    if (ink) inks.set(seat, ink);
  }
  return inks;
}
