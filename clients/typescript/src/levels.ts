// The level "random", which plays any game by choosing offers at random.

import { OfferWeight } from '../gen/heliopause/v1/offer_pb.js';
import { type Offers, pickOffer } from './offers.js';
import type { Reply } from './orders.js';
import type { Seat } from './seat.js';

// Limits for the lines of a sheet and for the orders of a simultaneous phase.
const LINES = 12;
const ORDERS = 60;

/**
 * Fills offers at random: one, or one per heading if all players decide at the same time. Each
 * order is legal by itself, but the orders may conflict. After each refusal, the answer has fewer
 * orders.
 */
export function atRandom(seat: Seat, offers: Offers): Reply {
  const { random, attempt } = seat;
  const { known } = offers;
  if (!offers.decision || known.length === 0) return undefined;
  if (offers.sheet)
    return Array.from({ length: fewer(LINES, attempt) }, () =>
      pickOffer(known, random).atRandom(random),
    );
  if (!offers.decision.revisable) return offers.atRandom(random);
  // Skip headings with only minor offers, such as withdrawing all orders.
  const wanted = known
    .filter((offer) => offer.weight !== OfferWeight.MINOR)
    .map((offer) => offer.heading);
  const headings = [...new Set(wanted)].sort();
  const chosen = random.sample(headings, fewer(Math.min(headings.length, ORDERS), attempt));
  return chosen.map((heading) =>
    pickOffer(
      known.filter((offer) => offer.heading === heading),
      random,
    ).atRandom(random),
  );
}

/**
 * Returns the number of orders for an attempt: `most` at first, divided by 4 after each refusal, but
 * at least 1, and 0 from the fifth attempt.
 */
function fewer(most: number, attempt: number): number {
  return attempt >= 4 ? 0 : Math.max(most >> (2 * attempt), Math.min(most, 1));
}
