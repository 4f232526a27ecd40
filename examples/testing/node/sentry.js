// The bot under test: a sentry of Starships at Large. It attacks whoever comes into its hex and fights on until one of them is
// lost; otherwise it ends its turn. Before each order it thinks.
import { setTimeout as sleep } from "node:timers/promises";

// The offer that it likes best, with any choice in each slot.
export async function choose(seat, offers) {
  await sleep(500);
  return offers.of("attack", "fight-on", "end")[0].atRandom(seat.random);
}
