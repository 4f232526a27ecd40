// Players who have no page and prepare games through calls to the engine.

import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import {
  AdminService,
  ChatService,
  GameMasterService,
  GameService,
  PlayerService,
} from '@heliopause/client/contract';
import { optionsOf } from '@heliopause/client/options';

export interface Person {
  name: string;
  token: string;
  games: Client<typeof GameService>;
  players: Client<typeof PlayerService>;
  admin: Client<typeof AdminService>;
  master: Client<typeof GameMasterService>;
  chat: Client<typeof ChatService>;
}

export function person(url: string, name: string, token: string): Person {
  const transport = createGrpcWebTransport({
    baseUrl: url,
    interceptors: [
      (next) => (request) => {
        if (token !== '') request.header.set('authorization', `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  return {
    name,
    token,
    games: createClient(GameService, transport),
    players: createClient(PlayerService, transport),
    admin: createClient(AdminService, transport),
    master: createClient(GameMasterService, transport),
    chat: createClient(ChatService, transport),
  };
}

export async function register(url: string, name: string): Promise<Person> {
  const { token } = await person(url, '', '').players.register({ name });
  return person(url, name, token);
}

type Differing = Parameters<typeof optionsOf>[1];

/** Returns the options of a kind, given those that differ from the defaults by name. */
export async function withOptions(who: Person, kind: string, differing: Differing) {
  const { kinds } = await who.games.listKinds({});
  const info = kinds.find((each) => each.kind === kind);
  if (!info) throw new Error(`the engine does not offer ${kind}`);
  return optionsOf(info, differing);
}

interface Plan {
  level?: string;
  name?: string;
  /** The options of the game that differ from the defaults, by name. */
  options?: Differing;
}

/** Creates a game of one player against automation, which starts immediately. */
export async function solo(
  who: Person,
  kind: string,
  automated: number,
  { level = 'random', name = `Test of ${kind}`, options = {} }: Plan = {},
): Promise<string> {
  const { game } = await who.games.createGame({
    seatsInOrder: true,
    kind,
    name,
    options: await withOptions(who, kind, options),
    seats: [
      { plan: { case: 'open', value: {} } },
      ...Array.from({ length: automated }, () => ({
        plan: { case: 'automated' as const, value: { profile: '', level } },
      })),
    ],
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  if (!game) throw new Error('the engine created no game');
  return game.gameId;
}

export async function duel(
  host: Person,
  guest: Person,
  kind: string,
  name: string,
  options: Differing = {},
): Promise<string> {
  const { game } = await host.games.createGame({
    seatsInOrder: true,
    kind,
    name,
    options: await withOptions(host, kind, options),
    seats: [
      { plan: { case: 'open', value: {} } },
      { plan: { case: 'reservedFor', value: guest.name } },
    ],
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  if (!game) throw new Error('the engine created no game');
  const { gameId } = game;
  await guest.games.joinGame({ gameId, requestId: crypto.randomUUID() });
  return gameId;
}
