// What went wrong with a call, in the words of the contract.

import { type Reason, Refused, Unreachable } from '@heliopause/client';

/** A call that failed: why, for people and for programs. */
export class Failure extends Error {
  readonly reason: Reason | 'UNREACHABLE' | 'CANCELED';
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether the same call, with the same request id, is worth making again. */
  readonly isTransient: boolean;
  /** How long to wait before that, if the engine says so. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    reason: Failure['reason'],
    metadata: Readonly<Record<string, string>> = {},
    from?: Refused,
  ) {
    super(message);
    this.reason = reason;
    this.metadata = metadata;
    this.isTransient = from?.mayRepeat ?? reason === 'UNREACHABLE';
    this.retryAfter = from?.retryAfter;
  }

  /** The rule that forbids it, if one does. */
  get rule(): string {
    return this.metadata['rule'] ?? '';
  }
}

/** Reads what a call threw. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof Unreachable) {
    return new Failure('The engine does not answer.', 'UNREACHABLE', {}, thrown);
  }
  if (thrown instanceof Refused) {
    return new Failure(thrown.message, thrown.reason, thrown.metadata, thrown);
  }
  if (thrown instanceof DOMException && thrown.name === 'AbortError') {
    return new Failure('The call was given up.', 'CANCELED');
  }
  if (thrown instanceof TypeError) return new Failure(thrown.message, 'INVALID_FIELD');
  return new Failure('The engine does not answer.', 'UNREACHABLE');
}
