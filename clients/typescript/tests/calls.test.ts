// Retries and errors of calls to a fake engine.

import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { collect, connect, Lobby, Refused, Unreachable } from '@heliopause/client';
import {
  GameService,
  GameStatus,
  PlayerService,
  type StreamEventsResponseSchema,
  type SubmitOrdersRequest,
} from '@heliopause/client/contract';
import { describe, expect, test } from 'vitest';
import { refusal, withFakeEngine } from './fake-engine.js';

const ORDER = { gameId: 'g', phase: 1n, revision: 0n, orders: { text: 'end' } };

describe('a call is retried', () => {
  test('with the same request id and the delay that the engine gives', async () => {
    const heard: { request: SubmitOrdersRequest; at: number }[] = [];
    const failures = [
      refusal(Code.Unavailable, 'JOURNAL_UNAVAILABLE', { retryMs: 300 }),
      refusal(Code.Aborted, 'LOST_RACE'),
    ];
    const retries: string[] = [];
    await withFakeEngine(
      (router) =>
        router.service(GameService, {
          submitOrders(request) {
            heard.push({ request, at: performance.now() });
            const failure = failures.shift();
            if (failure) throw failure;
            return { acceptedCount: 1 };
          },
        }),
      async (address) => {
        using engine = connect(address, {
          onRetry: (call, refused) => retries.push(`${call} ${refused.reason}`),
        });
        expect((await engine.client(GameService).submitOrders(ORDER)).acceptedCount).toBe(1);
      },
    );
    expect(retries).toEqual(['SubmitOrders JOURNAL_UNAVAILABLE', 'SubmitOrders LOST_RACE']);
    const [first, second, third] = heard;
    expect(first?.request.requestId).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(heard.map(({ request }) => request.requestId)).size).toBe(1);
    expect([first, second, third].every((one) => one?.request.phase === 1n)).toBe(true);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(300);
  });

  test('except after an error that a retry cannot fix', async () => {
    let calls = 0;
    const metadata = { rule: 'R3', refusal: 'too-far', field: 'orders[0].to', order: '0' };
    await withFakeEngine(
      (router) =>
        router.service(GameService, {
          submitOrders() {
            calls += 1;
            throw refusal(Code.FailedPrecondition, 'ORDER_REFUSED', { metadata });
          },
          joinGame() {
            throw refusal(Code.InvalidArgument, 'INVALID_FIELD', { field: 'seat' });
          },
        }),
      async (address) => {
        using engine = connect(address);
        const refused = await engine
          .client(GameService)
          .submitOrders(ORDER)
          .catch((error) => error);
        expect(refused).toBeInstanceOf(Refused);
        expect(refused).not.toBeInstanceOf(Unreachable);
        expect(refused).toMatchObject({
          reason: 'ORDER_REFUSED',
          rule: 'R3',
          refusal: 'too-far',
          field: 'orders[0].to',
          metadata,
        });
        expect(refused.verdicts).toMatchObject([
          { refusal: 'too-far', rule: 'R3', accepted: false },
        ]);
        await expect(new Lobby(engine).join('g', { seat: 99 })).rejects.toMatchObject({
          reason: 'INVALID_FIELD',
          field: 'seat',
        });
      },
    );
    expect(calls).toBe(1);
  });

  test('until the patience is over', async () => {
    let calls = 0;
    await withFakeEngine(
      (router) =>
        router.service(PlayerService, {
          getMe() {
            calls += 1;
            throw refusal(Code.ResourceExhausted, 'OVERLOADED');
          },
        }),
      async (address) => {
        using engine = connect(address, { patience: 500 });
        await expect(engine.me()).rejects.toMatchObject({
          reason: 'OVERLOADED',
          code: Code.ResourceExhausted,
        });
      },
    );
    expect(calls).toBeGreaterThan(2);
  });

  test('except if it could be executed twice', async () => {
    let [rotated, looked] = [0, 0];
    const lost = () => {
      throw new ConnectError('the line broke', Code.Unavailable);
    };
    await withFakeEngine(
      (router) =>
        router.service(PlayerService, {
          rotateToken: () => {
            rotated += 1;
            return lost();
          },
          getMe: () => {
            looked += 1;
            return looked === 1 ? lost() : { player: { name: 'Ada' } };
          },
        }),
      async (address) => {
        using engine = connect(address);
        await expect(engine.client(PlayerService).rotateToken({})).rejects.toBeInstanceOf(
          Unreachable,
        );
        expect((await engine.me()).name).toBe('Ada');
      },
    );
    expect([rotated, looked]).toEqual([1, 2]);
  });

  test('except if the caller has canceled it', async () => {
    await withFakeEngine(
      (router) =>
        router.service(PlayerService, {
          getMe: () => Promise.reject(refusal(Code.Unavailable, 'DRAINING', { retryMs: 60_000 })),
        }),
      async (address) => {
        using engine = connect(address, { patience: Number.POSITIVE_INFINITY });
        const stop = new AbortController();
        const call = engine.client(PlayerService).getMe({}, { signal: stop.signal });
        setTimeout(() => stop.abort(new Error('enough')), 100);
        await expect(call).rejects.toThrow('enough');
      },
    );
  });
});

test('an unknown reason is kept, and the status decides about retries', async () => {
  await withFakeEngine(
    (router) =>
      router.service(PlayerService, {
        getMe: () =>
          Promise.reject(
            refusal(Code.PermissionDenied, 'OF_A_LATER_VERSION', { metadata: { why: 'so' } }),
          ),
      }),
    async (address) => {
      using engine = connect(address);
      await expect(engine.me()).rejects.toMatchObject({
        reason: 'OF_A_LATER_VERSION',
        code: Code.PermissionDenied,
        metadata: { why: 'so' },
      });
    },
  );
});

test('an invalid value of a field throws immediately', async () => {
  using engine = connect('127.0.0.1:1', { patience: Number.POSITIVE_INFINITY });
  await expect(
    engine.client(GameService).joinGame({ gameId: 'g', seat: -1 }),
  ).rejects.not.toBeInstanceOf(Refused);
});

test('lists are read to the last page', async () => {
  const asked: string[] = [];
  await withFakeEngine(
    (router) =>
      router.service(GameService, {
        listGames({ pageToken, joinable }) {
          asked.push(`${pageToken} ${joinable}`);
          const at = Number(pageToken || 0);
          return { games: [{ gameId: `${at}` }], nextPageToken: at < 2 ? `${at + 1}` : '' };
        },
      }),
    async (address) => {
      using engine = connect(address);
      const lobby = new Lobby(engine);
      expect((await collect(lobby.open())).map(({ gameId }) => gameId)).toEqual(['0', '1', '2']);
      expect(asked).toEqual([' true', '1 true', '2 true']);
      expect(await collect(lobby.open(), 1)).toHaveLength(1);
      expect(await collect(lobby.open(), 0)).toHaveLength(0);
    },
  );
});

test('the token is sent with every call and can be replaced', async () => {
  const heard: (string | null)[] = [];
  await withFakeEngine(
    (router) =>
      router.service(PlayerService, {
        getMe(_, { requestHeader }) {
          heard.push(requestHeader.get('authorization'));
          return { player: { name: 'Ada' } };
        },
        signIn: ({ code, requestId }) => ({
          player: { name: code },
          secret: `hp_${requestId.length}`,
        }),
        getServerInfo: () => ({ version: '1.2.3' }),
      }),
    async (address) => {
      using engine = connect(address, { token: 'hp_one' });
      await engine.me();
      engine.token = undefined;
      await engine.me();
      expect((await engine.signIn('hc_code')).name).toBe('hc_code');
      expect(engine.token).toBe('hp_32');
      await engine.me();
      expect((await engine.serverInfo()).version).toBe('1.2.3');
    },
  );
  expect(heard).toEqual(['Bearer hp_one', null, 'Bearer hp_32']);
});

test('messages of a later version are ignored, and events are still counted', async () => {
  const unknown = 99 as GameStatus;
  await withFakeEngine(
    (router) =>
      router.service(GameService, {
        getGame: () => ({
          game: { gameId: 'g', status: unknown, seats: [{ number: 1, role: 'First' }] },
        }),
        async *streamEvents(): AsyncIterable<MessageInitShape<typeof StreamEventsResponseSchema>> {
          yield { part: { case: 'snapshot', value: { game: { gameId: 'g', status: unknown } } } };
          yield {};
          yield { part: { case: 'event', value: { number: 1n, text: 'Something new happened.' } } };
          yield {
            part: {
              case: 'event',
              value: {
                number: 2n,
                body: { case: 'statusChanged', value: { status: GameStatus.CANCELLED } },
              },
            },
          };
          yield { part: { case: 'caughtUp', value: {} } };
        },
      }),
    async (address) => {
      using engine = connect(address);
      const table = await new Lobby(engine).watch('g');
      expect([table.over, table.nameOf(1), table.nameOf(7)]).toEqual([false, 'First', 'seat 7']);
      expect(
        (await collect(table.events({ after: 0 }))).map(({ number, text }) => [number, text]),
      ).toEqual([
        [1n, 'Something new happened.'],
        [2n, ''],
      ]);
      expect(table.over).toBe(true);
    },
  );
});
