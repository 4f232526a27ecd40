// How calls are made: which are repeated, when, and how streams go on after a break.

import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, type StreamResponse, type Transport, type UnaryResponse } from "@connectrpc/connect";
import type { Engines } from "./engines.js";
import { Pause, sleep } from "./pause.js";
import { type Refused, refusedBy, Unreachable } from "./refused.js";
import type { Line } from "./transport/line.js";

// A Heartbeat comes at least every 20 seconds.
const SILENCE_MS = 60_000;
// To repeat these could do something twice: they take no request id, and set no value.
const ONCE: ReadonlySet<string> = new Set(["RotateToken", "CreateInvitation"]);

/** What a call was, why it failed, and after how many milliseconds it is made again. */
export type Retry = (call: string, refused: Refused, wait: number) => void;

/** How calls are made. */
export interface CallOptions {
  /** How many milliseconds a call may take. */
  timeout: number;
  /** How many milliseconds all attempts of a call may take together. */
  patience: number;
  /** How many milliseconds a stream may be lost before it fails. */
  streamPatience: number;
  /** Is told whenever something is tried again. */
  onRetry: Retry;
  /** Ends all calls and streams when it is aborted. */
  signal: AbortSignal | undefined;
}

/** How a stream is followed. */
export interface ListenOptions {
  /** Ends the stream. */
  signal?: AbortSignal | undefined;
  /** Is told when the line broke, and after how many milliseconds it is opened again. */
  onBreak?: ((refused: Refused, wait: number) => void) | undefined;
}

/** Makes calls to engines with a token. It is a transport of Connect, so clients of any service can be built on it. */
export class Calls implements Transport {
  token: string | undefined;
  readonly engines: Engines;
  readonly options: Readonly<CallOptions>;
  readonly #waiting = new Set<AbortController>();
  #exposed: string | undefined;

  constructor(engines: Engines, token: string | undefined, options: CallOptions) {
    this.engines = engines;
    this.token = token;
    this.options = options;
    this.#exposed = engines.exposed;
  }

  /**
   * Makes a call, and makes it again where that is safe, until the patience is over. A request that can have an id gets one: the
   * engine does it once, however often it is sent.
   */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    given: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: MessageInitShape<I>,
  ): Promise<UnaryResponse<I, O>> {
    const signal = this.#either(given);
    const request = named(method.input, input);
    const pause = new Pause(this.options.patience);
    for (;;) {
      let line: Line | undefined;
      let refused: Refused;
      try {
        signal?.throwIfAborted();
        line = await this.engines.line();
        const timeout = timeoutMs ?? this.options.timeout;
        return await line.transport.unary(method, signal, timeout, this.#headers(header), request);
      } catch (error) {
        signal?.throwIfAborted();
        refused = refusedBy(error);
      }
      const unsure = refused instanceof Unreachable && line !== undefined;
      if (!refused.mayRepeat || (unsure && ONCE.has(method.name))) throw refused;
      const wait = pause.after(refused);
      await this.#again(method.name, line, refused, wait, signal);
    }
  }

  /** Opens a stream, once. A break is an error. */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: AsyncIterable<MessageInitShape<I>>,
  ): Promise<StreamResponse<I, O>> {
    try {
      const line = await this.engines.line();
      const answer = await line.transport.stream(method, signal, timeoutMs, this.#headers(header), input);
      return { ...answer, message: refusing(answer.message, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      throw refusedBy(error);
    }
  }

  /** Reads a stream that never ends. After every break it asks anew, with the request as it is then. */
  async *listen<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: () => MessageInitShape<I>,
    { signal: given, onBreak }: ListenOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const signal = this.#either(given);
    const pause = new Pause(this.options.streamPatience);
    while (!signal?.aborted) {
      let line: Line | undefined;
      let refused: Refused;
      try {
        line = await this.engines.line();
        for await (const part of this.#read(line, method, request(), signal)) {
          pause.reset();
          yield part;
        }
        refused = new Unreachable("the stream has ended", { code: Code.Unavailable });
      } catch (error) {
        if (signal?.aborted) return;
        refused = refusedBy(error);
      }
      if (signal?.aborted) return;
      if (!refused.mayRepeat) throw refused;
      const wait = pause.after(refused);
      onBreak?.(refused, wait);
      try {
        await this.#again(method.name, line, refused, wait, signal);
      } catch {
        return;
      }
    }
  }

  /** Ends all pauses: whatever waits to be tried again is tried now, unless the engine said when. */
  hurry(): void {
    for (const waiting of this.#waiting) waiting.abort();
  }

  /** Leaves the engine in use, if it cannot serve. */
  async lookElsewhere(refused: Refused): Promise<void> {
    this.engines.leave(await this.engines.line().catch(() => undefined), refused);
  }

  /** Reads one connection's stream; throws `Unreachable` if nothing comes for a minute. */
  async *#read<I extends DescMessage, O extends DescMessage>(
    line: Line,
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const attempt = new AbortController();
    const stop = () => attempt.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let silent = false;
    const listen = () => {
      timer = setTimeout(() => {
        silent = true;
        attempt.abort();
      }, SILENCE_MS);
    };
    try {
      listen();
      const answer = await line.transport.stream(method, attempt.signal, undefined, this.#headers(), once(request));
      for await (const part of answer.message) {
        // The engine waits for a slow reader, so while this one is busy silence says nothing.
        clearTimeout(timer);
        yield part;
        listen();
      }
    } catch (error) {
      throw silent ? new Unreachable("nothing came for a minute", { code: Code.DeadlineExceeded }) : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      attempt.abort();
    }
  }

  /** Waits before something is tried again, at another engine if this one is gone. */
  async #again(
    call: string,
    line: Line | undefined,
    refused: Refused,
    wait: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.options.onRetry(call, refused, wait);
    this.engines.leave(line, refused);
    if (refused.retryAfter !== undefined) return sleep(wait, signal);
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    const both = signal ? AbortSignal.any([signal, waiting.signal]) : waiting.signal;
    try {
      await sleep(wait, both);
    } catch {
      signal?.throwIfAborted();
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  /** The signal of a call together with that of all calls. */
  #either(given: AbortSignal | undefined): AbortSignal | undefined {
    const { signal } = this.options;
    return given && signal && given !== signal ? AbortSignal.any([given, signal]) : (given ?? signal);
  }

  #headers(given?: HeadersInit): Headers {
    const headers = new Headers(given);
    if (!this.token || headers.has("authorization")) return headers;
    if (this.#exposed) {
      console.warn(`${this.#exposed} is not encrypted: others on the network can read the token; use https`);
      this.#exposed = undefined;
    }
    headers.set("authorization", `Bearer ${this.token}`);
    return headers;
  }
}

/** A random id of 32 characters. (`crypto.randomUUID` is not there in pages that came without TLS.) */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The request as a message, with an id if it can have one and has none. A value that its field does not take throws here. */
function named<I extends DescMessage>(schema: I, input: MessageInitShape<I>): MessageShape<I> {
  const request = create(schema, input);
  if ("requestId" in request && !request.requestId) Object.assign(request, { requestId: randomId() });
  toBinary(schema, request);
  return request;
}

/** One request as a stream. */
export async function* once<T>(request: T): AsyncGenerator<T, void, undefined> {
  yield request;
}

/** A stream whose errors are refusals. */
async function* refusing<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined) {
  try {
    yield* parts;
  } catch (error) {
    signal?.throwIfAborted();
    throw refusedBy(error);
  }
}
