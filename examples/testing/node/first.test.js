// A bot and its test, explained in docs/testing.md.
import { Bot } from "@heliopause/client";
import { serving, test } from "@heliopause/client/testing";

test("it ends its turn", async ({ engine, sandbox }) => {
  await serving(new Bot(() => "end"), engine, async (name) => {
    const me = (await sandbox("starships-at-large", { players: 2, guests: { 2: name } })).seat(1);
    for (let turn = 0; turn < 2; turn++) {
      await me.untilAsked("turn");
      await me.order("end");
    }
  });
});
