// The bot under test: a sentry of Starships at Large. It attacks whoever comes into its hex and fights on until one of them is
// lost; otherwise it ends its turn. Before each order it thinks.
//
//   node sentry.js --engine 127.0.0.1:50051 --token-file sentry.token
//
// It takes every seat that is kept for its account, and plays in all games of the account at once.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Calls } from "./contract.js";

const { values: options } = parseArgs({
  options: {
    engine: { type: "string" },
    "token-file": { type: "string" },
    think: { type: "string", default: "1000" },
  },
});
const calls = new Calls(options.engine, readFileSync(options["token-file"], "utf8").trim());

// The offers that it takes, by their keys, the best first.
const LIKES = ["attack", "fight-on", "end"];

// Takes the seats that are kept for it.
async function sit() {
  const { games = [] } = await calls.call("ListMyGames");
  for (const { game_id, invited } of games) {
    if (invited) await calls.call("JoinGame", { game_id });
  }
}

// Gives an order for every decision that it owes. Says whether there was one: a turn takes several orders.
async function answer() {
  const { decisions = [] } = await calls.call("ListMyDecisions");
  for (const { game_id, seat } of decisions) {
    await sleep(Number(options.think));
    const { offers, decision, phase, revision } = await calls.call("GetOffers", { game_id, seat });
    if (!decision) continue;
    const orders = { text: choose(offers) };
    await calls.call("SubmitOrders", { game_id, seat, phase, revision, request_id: randomUUID(), orders });
  }
  return decisions.length > 0;
}

// The offer that it likes best, with the first choice in each slot.
function choose({ offers, slots, lists, values }) {
  const offer = LIKES.flatMap((key) => offers.filter((offer) => offer.key === key))[0];
  return (offer.slots ?? []).map((index) => slots[index]).reduce((order, slot) => {
    const choice = values[lists[slot[slot.kind].list ?? 0].values[0]];
    return order.replace(`{${slot.name}}`, (slot.text || "{}").replace("{}", choice));
  }, offer.notation);
}

// Looks whenever there is something new in any of its games.
for await (const { notice } of calls.stream("StreamMyGames", {})) {
  if (!["game", "caught_up", "fell_behind"].includes(notice)) continue;
  await sit();
  while (await answer());
}
