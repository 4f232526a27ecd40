// A game of one's own, with scripted dice and a clock that can be set forward.

import { durationFromMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Event } from "../gen/heliopause/v1/event_pb.js";
import { type GetPositionResponse, SandboxService } from "../gen/heliopause/v1/sandbox_pb.js";
import type { Game } from "../gen/heliopause/v1/table_pb.js";
import type { Engine } from "./engine.js";
import { Table } from "./table.js";

/** A sandbox game. Its owner holds every seat that nobody else has. */
export class Sandbox {
  readonly #engine: Engine;
  #game: Game;

  /** Sandboxes come from a `Lobby`. */
  constructor(engine: Engine, game: Game) {
    this.#engine = engine;
    this.#game = game;
  }

  get gameId(): string {
    return this.#game.gameId;
  }

  /** The game as it was when it last was answered. */
  get game(): Game {
    return this.#game;
  }

  /** A seat, to look and to order for it. */
  seat(number: number): Table {
    if (!this.#game.seats.some((seat) => seat.number === number)) {
      throw new RangeError(`there is no seat ${number}, only 1 to ${this.#game.seats.length}`);
    }
    return new Table(this.#engine, this.#game, { seat: number });
  }

  /** Adds values for the next dice; answers how many wait now. */
  async scriptDice(dice: readonly number[], { replace = false } = {}): Promise<number> {
    return (await this.#sandboxes.scriptDice({ gameId: this.gameId, dice: [...dice], replace })).waiting;
  }

  /** Sets the clock forward by milliseconds and carries out the deadlines that pass; answers the game's time. */
  async advanceClock(by: number): Promise<Date> {
    const { game, gameTime } = await this.#sandboxes.advanceClock({ gameId: this.gameId, by: durationFromMs(by) });
    if (game) this.#game = game;
    if (!gameTime) throw new TypeError("the engine answered no time");
    return timestampDate(gameTime);
  }

  /** Closes the open phase; defaults stand in for missing orders. */
  async closePhase(): Promise<Game> {
    const { game } = await this.#sandboxes.closeSandboxPhase({ gameId: this.gameId });
    if (game) this.#game = game;
    return this.#game;
  }

  /** Everything: the position, the dice that wait, and what automation is asked. */
  async position(): Promise<GetPositionResponse> {
    return this.#sandboxes.getPosition({ gameId: this.gameId });
  }

  /** The game master's events, oldest first. */
  async *masterEvents(): AsyncGenerator<Event, void, undefined> {
    const request = { gameId: this.gameId, pageSize: 200 };
    for await (const page of this.#engine.pages(SandboxService.method.listMasterEvents, request)) yield* page.events;
  }

  get #sandboxes() {
    return this.#engine.client(SandboxService);
  }
}
