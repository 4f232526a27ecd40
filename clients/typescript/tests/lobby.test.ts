// Listing, creating, joining and watching games.

import type { JsonObject } from '@bufbuild/protobuf';
import { collect, connect, Lobby, type LobbyState } from '@heliopause/client';
import {
  ChatChannel,
  type GameNotice,
  GameStatus,
  LadderSize,
  TournamentService,
  TournamentStatus,
  TournamentSystem,
  VoteSubject,
} from '@heliopause/client/contract';
import { gameOfJson, starshipsAtLarge } from '@heliopause/client/games';
import { defaultOf, optionsOf, valuesOf } from '@heliopause/client/options';
import { test } from '@heliopause/client/testing';
import { describe, expect } from 'vitest';
import { DUEL, KIND } from './duel.js';

function until(lobby: Lobby, wanted: (state: LobbyState) => boolean): Promise<LobbyState> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the lobby is ${lobby.state.connection}`)),
      30_000,
    );
    const off = lobby.subscribe((state) => {
      if (!wanted(state)) return;
      clearTimeout(timer);
      queueMicrotask(() => off());
      resolve(state);
    });
  });
}

test('games are found, joined, declined and watched', async ({
  engine,
  account: { lobby, name },
}) => {
  using two = connect(engine.address);
  await two.register(`${name}-2`);
  const other = new Lobby(two);
  const mine = await lobby.create(KIND, { openSeats: 1, name, seatsInOrder: true });
  expect((await collect(other.open({ search: name }))).map(({ gameId }) => gameId)).toEqual([
    mine.gameId,
  ]);
  const theirs = await other.join(mine.gameId);
  expect([theirs.number, (await theirs.refresh()).status]).toEqual([2, GameStatus.RUNNING]);
  expect((await collect(other.mine())).map(({ gameId }) => gameId)).toEqual([mine.gameId]);
  const found = await collect(lobby.list({ player: `${name}-2`, rated: false, search: name }));
  expect(found.map(({ gameId }) => gameId)).toEqual([mine.gameId]);
  // The first player is drawn by lot.
  const owed = [...(await collect(lobby.decisions())), ...(await collect(other.decisions()))];
  expect(owed.map(({ gameId, decision }) => [gameId, decision?.kind])).toEqual([
    [mine.gameId, 'turn'],
  ]);
  const tables = await Promise.all([lobby, other].map((one) => one.table(mine.gameId)));
  expect(tables.map(({ decision }) => decision?.kind).filter(Boolean)).toEqual(['turn']);

  const invited = await lobby.create(KIND, { invited: [`${name}-2`], name: `${name} again` });
  await other.decline(invited.gameId);
  expect((await collect(other.mine())).map(({ gameId }) => gameId)).toEqual([mine.gameId]);

  using three = connect(engine.address);
  await three.register(`${name}-3`);
  const beside = await new Lobby(three).watch(mine.gameId);
  expect([beside.number, beside.spectator, (await beside.view())?.game.case]).toEqual([
    0,
    true,
    'starshipsAtLarge',
  ]);
  expect((await collect(beside.events({ after: 0 }), 1))[0]?.number).toBe(1n);
  await theirs.resign();
});

test('a followed lobby reports invitations and turns', async ({
  engine,
  account: { lobby, name },
}) => {
  using two = connect(engine.address);
  await two.register(`${name}-2`);
  const other = new Lobby(two);
  const notices: GameNotice[] = [];
  other.onNotice((notice) => notices.push(notice));
  const stop = other.follow();
  expect(() => other.follow()).toThrow('already being followed');
  await until(other, ({ connection }) => connection === 'live');
  expect(other.state.mine).toEqual([]);
  const made = await lobby.create(KIND, { invited: [`${name}-2`], seatsInOrder: true });
  const invited = await until(other, ({ mine }) => mine.some((game) => game.invited));
  expect(invited.mine.map(({ gameId }) => gameId)).toEqual([made.gameId]);
  await other.join(made.gameId);
  if ((await made.refresh()).onTurn === 1) await made.order('end');
  await until(other, ({ mine }) => mine.some((game) => game.yourDecision));
  expect(notices.length).toBeGreaterThan(1);
  stop();
  expect(other.state.connection).toBe('idle');
});

describe('options and positions may be JSON with or without the envelope', () => {
  const spelled = (json: JsonObject): JsonObject[] => [json, { starshipsAtLarge: json }];

  test('for a sandbox', async ({ sandbox }) => {
    for (const options of [
      ...spelled({ rounds: 5 }),
      gameOfJson('options', { rounds: 5 }, 'starshipsAtLarge'),
    ]) {
      const { game } = await sandbox(KIND, { players: 2, options });
      expect(starshipsAtLarge.options(game.options)?.rounds).toBe(5);
    }
    for (const position of [...spelled(DUEL), gameOfJson('position', DUEL, 'starshipsAtLarge')]) {
      const made = await sandbox(KIND, { position });
      const { players } = starshipsAtLarge.position((await made.position()).position) ?? {};
      expect(players?.map(({ starships }) => starships[0]?.at)).toMatchObject([
        { q: 0, r: 0 },
        { q: 1, r: 0 },
      ]);
    }
  });

  test('for a game and a form', async ({ account: { lobby } }) => {
    const kind = (await lobby.kinds()).find((one) => one.kind === KIND);
    if (!kind) throw new Error('the engine does not offer this kind');
    for (const options of spelled({ rounds: 5 })) {
      const { game } = await lobby.create(KIND, { opponents: 1, options });
      expect(starshipsAtLarge.options(game.options)?.rounds).toBe(5);
      expect(starshipsAtLarge.options(await optionsOf(kind, options))?.rounds).toBe(5);
    }
  });

  test('and errors name what is wrong', async ({ sandbox }) => {
    await expect(sandbox(KIND, { options: { rings: 5 } })).rejects.toThrow(/rings/);
    await expect(sandbox(KIND, { position: { starEmpires: {} } })).rejects.toThrow(/starEmpires/);
    await expect(sandbox('chess', { position: {}, options: {} })).rejects.toThrow(/chess/);
  });
});

describe('a form of rules options', () => {
  test('starts with the defaults and creates a game', async ({ account: { lobby } }) => {
    const kind = (await lobby.kinds()).find((one) => one.kind === KIND);
    if (!kind) throw new Error('the engine does not offer this kind');
    const values = await valuesOf(kind.defaultOptions);
    const rounds = kind.options.find(({ name }) => name === 'rounds');
    expect(rounds && defaultOf(rounds)).toBe(values?.['rounds']);
    const options = await optionsOf(kind, { rounds: 5 });
    const table = await lobby.create(KIND, { opponents: 1, options });
    expect(starshipsAtLarge.options(table.game.options)?.rounds).toBe(5);
    expect((await valuesOf(table.game.options))?.['rounds']).toBe(5);
    const typed = await lobby.create(KIND, {
      opponents: 1,
      options: starshipsAtLarge.ofOptions({ rounds: 6 }),
    });
    expect(starshipsAtLarge.options(typed.game.options)?.rounds).toBe(6);
  });

  test('names the invalid option', async ({ account: { lobby } }) => {
    for (const kind of await lobby.kinds()) {
      // Every option with a descriptor can be read and written.
      const described = Object.fromEntries(
        kind.options.flatMap((option) => {
          const value = defaultOf(option);
          return value === undefined ? [] : [[option.name, value]];
        }),
      );
      await expect(optionsOf(kind, described)).resolves.toBeDefined();
      await expect(optionsOf(kind, { nothing_such: 1 })).rejects.toThrow(/nothing_such/);
    }
    const kind = (await lobby.kinds()).find((one) => one.kind === KIND);
    if (!kind) throw new Error('the engine does not offer this kind');
    await expect(
      lobby.create(KIND, { opponents: 1, options: await optionsOf(kind, { rounds: 4_000 }) }),
    ).rejects.toMatchObject({
      reason: 'INVALID_FIELD',
      field: expect.stringContaining('rounds'),
    });
    await expect(optionsOf({ ...kind, defaultOptions: undefined as never }, {})).rejects.toThrow(
      'does not support the options of',
    );
  });
});

test('tournaments', async ({ account: { engine, lobby, name } }) => {
  const calls = engine.client(TournamentService);
  const made = await calls.createTournament({
    name: 'Cup',
    kind: KIND,
    system: TournamentSystem.ROUND_ROBIN,
  });
  const id = made.tournament?.tournamentId ?? '';
  await lobby.enter(id);
  const { standings } = await lobby.tournament(id);
  expect(standings.map(({ who }) => who.case === 'player' && who.value.name)).toEqual([name]);
  const open: string[] = [];
  for await (const each of lobby.tournaments({ status: TournamentStatus.OPEN }))
    open.push(each.tournamentId);
  expect(open).toContain(id);
  await lobby.withdraw(id);
  expect((await lobby.tournament(id)).standings).toEqual([]);
  await expect(calls.startTournament({ tournamentId: id })).rejects.toMatchObject({
    reason: 'WRONG_STATUS',
  });
});

test('profiles, leaderboards and rated games', async ({ account: { engine, lobby, name } }) => {
  const profile = await engine.profile();
  expect(profile.player?.name).toBe(name);
  expect(profile.privacy).toBeDefined();
  expect((await engine.profile(name)).player).toEqual(profile.player);
  await expect(engine.profile('nobody-here')).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  expect(await lobby.leaderboard(KIND, LadderSize.TWO)).toEqual([]);
  await expect(lobby.leaderboard(KIND)).rejects.toMatchObject({ field: 'size' });
  const { game } = await lobby.create(KIND, { openSeats: 1, rated: true });
  expect(game.rated).toBe(true);
  await expect(
    lobby.create(KIND, { openSeats: 1, rated: true, seatsInOrder: true }),
  ).rejects.toMatchObject({ reason: 'INVALID_FIELD', field: 'rated' });
});

test('quick play and a rematch', async ({ engine, account: { lobby, name } }) => {
  using two = connect(engine.address);
  await two.register(`${name}-2`);
  const other = new Lobby(two);
  const [mine, theirs] = await Promise.all(
    [lobby, other].map((one) => one.quickPlay(KIND, { players: [2, 2] })),
  );
  if (!mine || !theirs) throw new Error('nobody was matched');
  expect([mine.gameId, mine.game.status]).toEqual([theirs.gameId, GameStatus.RUNNING]);
  await expect(lobby.rematch(mine.gameId)).rejects.toMatchObject({ reason: 'WRONG_STATUS' });
  const vote = await mine.propose(VoteSubject.DRAW);
  await theirs.vote(vote?.number ?? 0n, true);
  const rematch = await lobby.rematch(mine.gameId);
  const again = await other.rematch(mine.gameId);
  expect([again.gameId, again.number]).toEqual([rematch.gameId, mine.number]);
  const gone = new AbortController();
  gone.abort();
  expect(await lobby.quickPlay('diplomacy', { signal: gone.signal })).toBeUndefined();
  await expect(lobby.quickPlay('chess')).rejects.toMatchObject({ field: 'kind' });
});

test('branches of a game', async ({ account: { lobby } }) => {
  const { game } = await lobby.create(KIND, { opponents: 1, seatsInOrder: true });
  const branch = await lobby.analyze(game.gameId, { level: 'random', name: 'Attack' });
  expect(branch.game.analysis).toMatchObject({ gameId: game.gameId, seat: 1 });
  expect(branch.game.seats[1]?.occupant.case).toBe('automated');
  expect((await lobby.analyses(game.gameId)).map(({ name }) => name)).toEqual(['Attack']);
  await lobby.renameAnalysis(branch.gameId, 'Defense');
  expect((await lobby.analyses(game.gameId))[0]?.name).toBe('Defense');
  await expect(lobby.analyze(game.gameId, { revealed: true })).rejects.toMatchObject({
    reason: 'ROLE_CONFLICT',
  });
  await lobby.deleteAnalysis(branch.gameId);
  expect(await lobby.analyses(game.gameId)).toEqual([]);
  expect((await lobby.create(KIND, { openSeats: 1, noAnalysis: true })).game.noAnalysis).toBe(true);
});

test('chat at the table and of spectators', async ({ account: { engine, lobby, name } }) => {
  const table = await lobby.create(KIND, { openSeats: 1 });
  const line = await table.chat('hello');
  expect(line).toMatchObject({ text: 'hello', author: name, channel: ChatChannel.TABLE });
  expect((await collect(table.chatLines())).map(({ text }) => text)).toEqual(['hello']);
  const other = connect(engine.url);
  await other.register(`${name}-b`);
  const watched = await new Lobby(other).watch(table.gameId);
  expect((await watched.chat('good luck')).channel).toBe(ChatChannel.SPECTATORS);
  expect(await collect(watched.chatLines(ChatChannel.TABLE))).toEqual([]);
  await expect(watched.chat('psst', ChatChannel.TABLE)).rejects.toMatchObject({
    reason: 'MESSAGE_REFUSED',
  });
  expect(await collect(table.chatLines(ChatChannel.SPECTATORS))).toEqual([]);
  other.close();
});
