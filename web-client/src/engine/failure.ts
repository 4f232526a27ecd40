// What went wrong with a call, in the words of the contract.

import { Code, ConnectError } from '@connectrpc/connect';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from '../gen/google/rpc/error_details_pb';

/** A call that failed: why, for people and for programs. */
export class Failure extends Error {
  /** An ErrorReason without its prefix, "UNREACHABLE" if no engine answered. */
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** The field of the request at fault, if one is. */
  readonly field: string;
  /** How long to wait before the same call may be made again, if the engine says so. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    reason: string,
    metadata: Readonly<Record<string, string>> = {},
    field = '',
    retryAfter?: number,
  ) {
    super(message);
    this.reason = reason;
    this.metadata = metadata;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call, with the same request id, is worth making again. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.reason);
  }

  /** The rule that forbids it, if one does. */
  get rule(): string {
    return this.metadata['rule'] ?? '';
  }
}

const TRANSIENT = new Set([
  'UNREACHABLE',
  'RATE_LIMITED',
  'OVERLOADED',
  'JOURNAL_UNAVAILABLE',
  'DRAINING',
  'LOST_RACE',
]);

/** Reads what a call threw. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const error = ConnectError.from(thrown);
  const info = error.findDetails(ErrorInfoSchema)[0];
  const retry = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const field = error.findDetails(BadRequestSchema)[0]?.fieldViolations[0];
  if (info) {
    const after = retry && Number(retry.seconds) * 1000 + retry.nanos / 1e6;
    return new Failure(error.rawMessage, info.reason, info.metadata, field?.field ?? '', after);
  }
  // Only the engine's own errors carry a reason: all others come from the way to it.
  if (error.code === Code.Canceled) return new Failure('The call was given up.', 'CANCELED');
  return new Failure('The engine does not answer.', 'UNREACHABLE');
}
