// The bot under test: a sentry of Starships at Large. It attacks anyone who enters its hex, fights
// on until one of them is lost, and otherwise ends its turn. It thinks before each order.
import { setTimeout as sleep } from "node:timers/promises";

// Returns the best offer, with a random choice in each slot.
export async function choose(seat, offers) {
  await sleep(500);
  return offers.of("attack", "fight-on", "end")[0].atRandom(seat.random);
}
