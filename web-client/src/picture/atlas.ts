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
