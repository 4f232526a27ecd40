// What the tests need of an engine: its processes, accounts, and sandbox games whose events can be awaited.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import grpc from "@grpc/grpc-js";
import { Calls } from "./contract.js";

// A program of the engine: in the folder HELIOPAUSE_BIN, else on the PATH.
export const program = (name) => (process.env.HELIOPAUSE_BIN ? path.join(process.env.HELIOPAUSE_BIN, name) : name);

// A folder that is removed with the test.
export function folder() {
  const made = mkdtempSync(path.join(tmpdir(), "heliopause-test-"));
  return { at: (name) => path.join(made, name), remove: () => rmSync(made, { recursive: true }) };
}

// A process that ends with the test, and what it wrote.
export class Program {
  constructor(command, args) {
    this.command = [command, ...args].join(" ");
    this.child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.log = "";
    this.child.stderr.on("data", (text) => (this.log += text));
    this.ended = once(this.child, "close");
    // A program that cannot be started fails where its end is awaited.
    this.ended.catch((error) => (this.log += error.message));
  }

  // The address in the one line that an engine prints when it is ready. An engine that fails prints none and ends.
  async ready() {
    for await (const line of createInterface({ input: this.child.stdout })) {
      const found = /^heliopause ready grpc=(\S+)/.exec(line);
      if (found) return found[1];
    }
    throw new Error(`the engine is not ready:\n${this.log}`);
  }

  // Stops it. Fails if it had ended by itself.
  async stop() {
    const code = this.child.exitCode;
    this.child.kill();
    await this.ended;
    if (code !== null) throw new Error(`${this.command} ended by itself with ${code}:\n${this.log}`);
  }
}

// Opens an account.
export async function register(address, purpose) {
  const open = new Calls(address);
  const name = `${purpose}-${randomUUID().slice(0, 8)}`;
  const { token } = await open.call("Register", { name });
  open.close();
  return { name, token, calls: new Calls(address, token) };
}

// Writes a token to a file that only its owner may read.
export function writeToken(file, token) {
  writeFileSync(file, token, { mode: 0o600 });
  return file;
}

// A sandbox game. Its owner orders for every seat, and may see what every seat sees.
export class Sandbox {
  static async create(calls, request) {
    const { game } = await calls.call("CreateSandboxGame", request);
    return new Sandbox(calls, game.game_id);
  }

  constructor(calls, game_id) {
    Object.assign(this, { calls, game_id });
  }

  seat(number) {
    return new Seat(this, number);
  }
}

class Seat {
  constructor({ calls, game_id }, seat) {
    Object.assign(this, { calls, where: { game_id, seat }, seen: "0" });
  }

  // Gives orders, one after the other. Fails if one is refused.
  async order(...lines) {
    for (const text of lines) {
      const { phase, revision } = await this.calls.call("GetView", this.where);
      const request = { ...this.where, phase, revision, request_id: randomUUID(), orders: { text } };
      await this.calls.call("SubmitOrders", request);
    }
  }

  // What the seat knows, as the game's own message.
  async view() {
    const { view } = await this.calls.call("GetView", this.where);
    return view[view.game];
  }

  // Waits for the next event that matches, of those that the seat is told. Fails when the time is over.
  async until(what, matches, seconds = 20) {
    const after = { audience: { seat: this.where.seat }, number: this.seen };
    const stream = this.calls.stream("StreamEvents", { ...this.where, after }, { deadline: Date.now() + seconds * 1000 });
    const told = [];
    try {
      for await (const { part, event } of stream) {
        if (part !== "event") continue;
        this.seen = event.number;
        told.push(event.text);
        if (matches(event)) return event;
      }
    } catch (error) {
      if (error.code !== grpc.status.DEADLINE_EXCEEDED) throw error;
    } finally {
      stream.cancel();
    }
    const heading = `within ${seconds} s seat ${this.where.seat} was not told that ${what}, only:`;
    throw new Error([heading, ...told].join("\n  "));
  }

  // Waits until the seat is asked something.
  untilAsked(kind = "turn") {
    return this.until(`a decision of kind ${kind} is open`, (event) => event.decision_opened?.decision.kind === kind);
  }

  // Waits for an event of the game itself, by the name of its field.
  async untilTold(what) {
    const found = (event) => event.body === "game" && event.game[event.game.game][what];
    return found(await this.until(`${what} happened`, found));
  }
}
