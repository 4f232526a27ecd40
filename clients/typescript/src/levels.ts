// A level to begin with: it plays every kind of game, by offers alone.

import { OfferWeight } from "../gen/heliopause/v1/offer_pb.js";
import { type Offers, pickOffer } from "./offers.js";
import type { Reply } from "./orders.js";
import type { Seat } from "./seat.js";

// So many lines are put on a sheet at most, and so many orders are given in a phase in which all decide at once.
const LINES = 12;
const ORDERS = 60;

/**
 * Fills offers at random: one, or where all decide at once one for each heading. Each filling is legal by itself, but not all go
 * together. So after a refusal it gives fewer of them.
 */
export function atRandom(seat: Seat, offers: Offers): Reply {
  const { random, attempt } = seat;
  const { known } = offers;
  if (!offers.decision || known.length === 0) return undefined;
  if (offers.sheet) return Array.from({ length: fewer(LINES, attempt) }, () => pickOffer(known, random).atRandom(random));
  if (!offers.decision.revisable) return offers.atRandom(random);
  // Below some headings all is seldom wanted, such as to take everything back.
  const wanted = known.filter((offer) => offer.weight !== OfferWeight.MINOR).map((offer) => offer.heading);
  const headings = [...new Set(wanted)].sort();
  const chosen = random.sample(headings, fewer(Math.min(headings.length, ORDERS), attempt));
  return chosen.map((heading) =>
    pickOffer(
      known.filter((offer) => offer.heading === heading),
      random,
    ).atRandom(random),
  );
}

/** All at the first attempt, then a quarter as many each time, but one at least; none at the fifth. */
function fewer(most: number, attempt: number): number {
  return attempt >= 4 ? 0 : Math.max(most >> (2 * attempt), Math.min(most, 1));
}
