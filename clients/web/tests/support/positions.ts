// Sandbox games that start from a position.

import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';
import { type GamePosition, SandboxService } from '@heliopause/client/contract';
import type { Place } from './fixtures';
import type { Person } from './people';

export interface Bench {
  gameId: string;
  /** The person at the seat. */
  guest: Person;
  owner: Person;
  sandbox: Client<typeof SandboxService>;
}

/** Creates a game at a position and seats a person. */
export async function atPosition(
  place: Place,
  kind: string,
  position: GamePosition,
  seat: number,
): Promise<Bench> {
  const [guest, owner] = [await place.newcomer(), await place.newcomer()];
  const sandbox = createClient(
    SandboxService,
    createGrpcWebTransport({
      baseUrl: place.engine.url,
      interceptors: [
        (next) => (request) => {
          request.header.set('authorization', `Bearer ${owner.token}`);
          return next(request);
        },
      ],
    }),
  );
  const { game } = await sandbox.createSandboxGame({
    kind,
    name: 'Position',
    position,
    guests: [{ seat, player: guest.name }],
    requestId: randomUUID(),
  });
  const gameId = game?.gameId ?? '';
  await guest.games.joinGame({ gameId, requestId: randomUUID() });
  return { gameId, guest, owner, sandbox };
}

/** Submits orders of a seat. */
export async function order({ owner, gameId }: Bench, seat: number, text: string): Promise<void> {
  const { phase = 0n, revision = 0n } = await owner.games.getOffers({ gameId, seat });
  const decision = { gameId, seat, phase, revision, requestId: randomUUID() };
  await owner.games.submitOrders({ ...decision, orders: { text } });
}
