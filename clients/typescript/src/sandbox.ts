// Sandbox games with scripted dice and an adjustable clock.

import { durationFromMs, timestampDate } from '@bufbuild/protobuf/wkt';
import type { Event } from '../gen/heliopause/v1/event_pb.js';
import { type GetPositionResponse, SandboxService } from '../gen/heliopause/v1/sandbox_pb.js';
import type { Game } from '../gen/heliopause/v1/table_pb.js';
import type { Engine } from './engine.js';
import { Table } from './table.js';

/** A sandbox game. Its owner has every seat without a guest or automation. */
export class Sandbox {
  readonly #engine: Engine;
  #game: Game;

  /** Use `Lobby.sandbox` to create a sandbox game. */
  constructor(engine: Engine, game: Game) {
    this.#engine = engine;
    this.#game = game;
  }

  get gameId(): string {
    return this.#game.gameId;
  }

  /** The game as last returned by the engine. */
  get game(): Game {
    return this.#game;
  }

  /** Opens a seat, to view and play it. */
  seat(number: number): Table {
    if (!this.#game.seats.some((seat) => seat.number === number)) {
      throw new RangeError(
        `seat ${number} does not exist; the seats are 1 to ${this.#game.seats.length}`,
      );
    }
    return new Table(this.#engine, this.#game, { seat: number });
  }

  /** Creates copies of the game at its current position. The same `seed` gives the same dice. */
  async clone(count = 1, { seed }: { seed?: Uint8Array } = {}): Promise<Sandbox[]> {
    const request = { gameId: this.gameId, count, ...(seed && { seed }) };
    const { gameIds } = await this.#sandboxes.cloneSandboxGame(request);
    return gameIds.map((gameId) => new Sandbox(this.#engine, { ...this.#game, gameId }));
  }

  /** Appends results for the next dice. Returns the number of queued results. */
  async scriptDice(dice: readonly number[], { replace = false } = {}): Promise<number> {
    return (await this.#sandboxes.scriptDice({ gameId: this.gameId, dice: [...dice], replace }))
      .waiting;
  }

  /**
   * Advances the clock by `by` milliseconds and applies the deadlines that pass. Returns the game's
   * time.
   */
  async advanceClock(by: number): Promise<Date> {
    const { game, gameTime } = await this.#sandboxes.advanceClock({
      gameId: this.gameId,
      duration: durationFromMs(by),
    });
    if (game) this.#game = game;
    if (!gameTime) throw new TypeError('the engine returned no time');
    return timestampDate(gameTime);
  }

  /** Closes the open phase. Missing orders are replaced by defaults. */
  async closePhase(): Promise<Game> {
    const { game } = await this.#sandboxes.closeSandboxPhase({ gameId: this.gameId });
    if (game) this.#game = game;
    return this.#game;
  }

  /** Returns the position, the queued dice, and the pending requests to automation. */
  async position(): Promise<GetPositionResponse> {
    return this.#sandboxes.getPosition({ gameId: this.gameId });
  }

  /** Lists the game master's events, oldest first. */
  async *masterEvents(): AsyncGenerator<Event, void, undefined> {
    const request = { gameId: this.gameId, pageSize: 200 };
    for await (const page of this.#engine.pages(SandboxService.method.listMasterEvents, request))
      yield* page.events;
  }

  get #sandboxes() {
    return this.#engine.client(SandboxService);
  }
}
