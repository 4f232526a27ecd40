// Calls and streams: retries, timeouts, and resuming after a lost connection.

import {
  create,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodStreaming,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { Code, type StreamResponse, type Transport, type UnaryResponse } from '@connectrpc/connect';
import { Backoff, sleep } from './backoff.js';
import type { Engines } from './engines.js';
import { type Refused, refusedBy, Unreachable } from './refused.js';
import type { Connection } from './transport/connection.js';

// The engine sends a heartbeat at least every 20 seconds.
const SILENCE_MS = 60_000;
// Calls that are never retried after an unknown outcome. Without a request id, a retry could act
// twice.
const NOT_IDEMPOTENT: ReadonlySet<string> = new Set(['RotateToken', 'CreateInvitation']);

/** Called before a retry with the call, the error, and the wait in milliseconds. */
export type Retry = (call: string, refused: Refused, wait: number) => void;

export interface CallOptions {
  /** The timeout of one attempt in milliseconds. */
  timeout: number;
  /** The time limit in milliseconds for all attempts of a call. */
  patience: number;
  /** How long a stream may be disconnected, in milliseconds, before it fails. */
  streamPatience: number;
  onRetry: Retry;
  /** Cancels all calls and streams when aborted. */
  signal: AbortSignal | undefined;
}

export interface ListenOptions {
  /** Ends the stream when aborted. */
  signal?: AbortSignal | undefined;
  /** Called when the connection breaks, with the wait in milliseconds before it is reopened. */
  onBreak?: ((refused: Refused, wait: number) => void) | undefined;
}

/** Calls to engines with a token, as a Connect transport for clients of any service. */
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
   * Makes a call and retries it where that is safe, until `patience` has elapsed. Requests with a
   * request id field get an id. The engine executes requests with the same id only once.
   */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    given: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: MessageInitShape<I>,
  ): Promise<UnaryResponse<I, O>> {
    const signal = this.#combined(given);
    const request = withRequestId(method.input, input);
    const pause = new Backoff(this.options.patience);
    for (;;) {
      let connection: Connection | undefined;
      let refused: Refused;
      try {
        signal?.throwIfAborted();
        connection = await this.engines.connection();
        const timeout = timeoutMs ?? this.options.timeout;
        return await connection.transport.unary(
          method,
          signal,
          timeout,
          this.#headers(header),
          request,
        );
      } catch (error) {
        signal?.throwIfAborted();
        refused = refusedBy(error);
      }
      const unsure = refused instanceof Unreachable && connection !== undefined;
      if (!refused.retryable || (unsure && NOT_IDEMPOTENT.has(method.name))) throw refused;
      const wait = pause.after(refused);
      await this.#again(method.name, connection, refused, wait, signal);
    }
  }

  /** Opens a stream without retries. A lost connection is an error. */
  async stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodStreaming<I, O>,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: HeadersInit | undefined,
    input: AsyncIterable<MessageInitShape<I>>,
  ): Promise<StreamResponse<I, O>> {
    try {
      const connection = await this.engines.connection();
      const answer = await connection.transport.stream(
        method,
        signal,
        timeoutMs,
        this.#headers(header),
        input,
      );
      return { ...answer, message: withRefusals(answer.message, signal) };
    } catch (error) {
      signal?.throwIfAborted();
      throw refusedBy(error);
    }
  }

  /** Reads an endless stream. Sends the current request again after every break. */
  async *listen<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: () => MessageInitShape<I>,
    { signal: given, onBreak }: ListenOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const signal = this.#combined(given);
    const pause = new Backoff(this.options.streamPatience);
    while (!signal?.aborted) {
      let connection: Connection | undefined;
      let refused: Refused;
      try {
        connection = await this.engines.connection();
        for await (const part of this.#read(connection, method, request(), signal)) {
          pause.reset();
          yield part;
        }
        refused = new Unreachable('the stream has ended', { code: Code.Unavailable });
      } catch (error) {
        if (signal?.aborted) return;
        refused = refusedBy(error);
      }
      if (signal?.aborted) return;
      if (!refused.retryable) throw refused;
      const wait = pause.after(refused);
      onBreak?.(refused, wait);
      try {
        await this.#again(method.name, connection, refused, wait, signal);
      } catch {
        return;
      }
    }
  }

  /** Ends all waits before retries, except those that the engine requested. */
  retryNow(): void {
    for (const waiting of this.#waiting) waiting.abort();
  }

  /** Switches to another engine if the current one cannot serve. */
  async failOver(refused: Refused): Promise<void> {
    this.engines.leave(await this.engines.connection().catch(() => undefined), refused);
  }

  /** Reads the stream of one connection. Throws `Unreachable` after a minute of silence. */
  async *#read<I extends DescMessage, O extends DescMessage>(
    connection: Connection,
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const attempt = new AbortController();
    const stop = () => attempt.abort(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
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
      const answer = await connection.transport.stream(
        method,
        attempt.signal,
        undefined,
        this.#headers(),
        once(request),
      );
      for await (const part of answer.message) {
        // Flow control stops the stream while the reader is busy, so silence is no sign of a break.
        clearTimeout(timer);
        yield part;
        listen();
      }
    } catch (error) {
      throw silent
        ? new Unreachable('the engine sent nothing for a minute', { code: Code.DeadlineExceeded })
        : error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      attempt.abort();
    }
  }

  /** Waits before a retry, and switches to another engine if this one is unavailable. */
  async #again(
    call: string,
    connection: Connection | undefined,
    refused: Refused,
    wait: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.options.onRetry(call, refused, wait);
    this.engines.leave(connection, refused);
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

  #combined(given: AbortSignal | undefined): AbortSignal | undefined {
    const { signal } = this.options;
    return given && signal && given !== signal
      ? AbortSignal.any([given, signal])
      : (given ?? signal);
  }

  #headers(given?: HeadersInit): Headers {
    const headers = new Headers(given);
    if (!this.token || headers.has('authorization')) return headers;
    if (this.#exposed) {
      console.warn(
        `The connection to ${this.#exposed} is not encrypted: others on the network can read the token. Use https://.`,
      );
      this.#exposed = undefined;
    }
    headers.set('authorization', `Bearer ${this.token}`);
    return headers;
  }
}

/** Returns a random id of 32 characters. Pages without TLS have no `crypto.randomUUID`. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the request as a message, with a request id if it has none. Throws on invalid values. */
function withRequestId<I extends DescMessage>(
  schema: I,
  input: MessageInitShape<I>,
): MessageShape<I> {
  const request = create(schema, input);
  if ('requestId' in request && !request.requestId)
    Object.assign(request, { requestId: randomId() });
  toBinary(schema, request);
  return request;
}

export async function* once<T>(request: T): AsyncGenerator<T, void, undefined> {
  yield request;
}

async function* withRefusals<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined) {
  try {
    yield* parts;
  } catch (error) {
    signal?.throwIfAborted();
    throw refusedBy(error);
  }
}
