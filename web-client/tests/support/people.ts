// Players without a page, who set situations up by the same contract.

import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { AdminService } from '../../src/gen/heliopause/v1/admin_pb';
import { GameService } from '../../src/gen/heliopause/v1/game_pb';
import { PlayerService } from '../../src/gen/heliopause/v1/player_pb';

export interface Person {
  name: string;
  token: string;
  games: Client<typeof GameService>;
  players: Client<typeof PlayerService>;
  admin: Client<typeof AdminService>;
}

/** Somebody who has a token. */
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
  };
}

/** Opens an account. */
export async function register(url: string, name: string): Promise<Person> {
  const { token } = await person(url, '', '').players.register({ name });
  return person(url, name, token);
}

/** A game of somebody against automation, which begins at once. */
export async function solo(
  who: Person,
  kind: string,
  automated: number,
  level = 'random',
): Promise<string> {
  const { game } = await who.games.createGame({
    kind,
    name: `Test of ${kind}`,
    seats: [
      { plan: { case: 'open', value: {} } },
      ...Array.from({ length: automated }, () => ({
        plan: { case: 'automated' as const, value: { profile: '', level } },
      })),
    ],
    startWhenFull: true,
    requestId: crypto.randomUUID(),
  });
  if (!game) throw new Error('no game');
  return game.gameId;
}
