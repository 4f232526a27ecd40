#!/usr/bin/env node
// The command `heliopause-client`: a random player, a spectator, and verification of the dice.

import { parseArgs } from 'node:util';
import { Bot } from './bot.js';
import { atRandom } from './levels.js';
import { Lobby } from './lobby.js';
import { CONNECTION, CONNECTION_HELP, main, open, run, signIn, visible } from './main.js';

const HELP = `heliopause-client COMMAND [options]

  random    play random offers; see heliopause-client random --help
  watch     print the events of a game until it is over
  verify    verify the seed, hash chain and rolls of a finished game; --steps prints each step

  --game ID            id of the game
${CONNECTION_HELP}`;

const [command = '', ...args] = process.argv.slice(2);
switch (command) {
  case 'random':
    await main(
      new Bot(atRandom, {
        onFault: (place, error) => console.error(visible(`${place}: ${error}`)),
      }),
      args,
    );
    break;
  case 'watch':
    await run(() => watch(args));
    break;
  case 'verify':
    await run(() => prove(args));
    break;
  default:
    console.log(HELP);
    process.exitCode = command === '--help' || command === '' ? 0 : 2;
}

async function watch(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { ...CONNECTION, game: { type: 'string' } } });
  if (values.help || !values.game) return console.log(HELP);
  using engine = open(values, { patience: Number.POSITIVE_INFINITY });
  await signIn(engine, values);
  const table = await new Lobby(engine).watch(values.game);
  for await (const { number, text } of table.events({ after: 0 }))
    console.log(`${number} ${visible(text)}`);
}

async function prove(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { ...CONNECTION, game: { type: 'string' }, steps: { type: 'boolean' } },
  });
  if (values.help || !values.game) return console.log(HELP);
  using engine = open(values);
  await signIn(engine, values);
  const { describeStep, verify } = await import('./proof.js');
  const table = await new Lobby(engine).table(values.game);
  const onStep = values.steps
    ? (step: Parameters<typeof describeStep>[0]) => console.log(visible(describeStep(step)))
    : () => {};
  const proof = await verify(await table.export(), { onStep });
  if (!proof.valid) throw new Error(visible(proof.fault));
  console.log(`verified entries: ${proof.entries}; verified rolls: ${proof.rolls}`);
}
