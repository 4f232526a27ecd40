// Errors of calls, with the engine's reasons and details.

import { create } from '@bufbuild/protobuf';
import { durationMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from '../gen/google/rpc/error_details_pb.js';
import type { ErrorReason } from '../gen/heliopause/v1/errors_pb.js';
import { type Verdict, VerdictSchema } from '../gen/heliopause/v1/game_pb.js';

/**
 * The reason of an error, as listed in `errors.proto`. Empty if the engine gave none, as after a
 * lost connection. Reasons unknown to this version are kept unchanged.
 */
export type Reason = Exclude<keyof typeof ErrorReason, 'UNSPECIFIED'> | '' | (string & {});

export interface RefusedDetails {
  code?: Code;
  reason?: Reason;
  metadata?: Record<string, string>;
  field?: string;
  retryAfter?: number | undefined;
  verdicts?: readonly Verdict[];
  cause?: unknown;
}

/** A failed call. All errors of calls are of this class. */
export class Refused extends Error {
  override readonly name: string = 'Refused';
  readonly code: Code;
  readonly reason: Reason;
  /** Details by reason, as listed in `errors.proto`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The invalid field of the request, or an empty string if there is none. */
  readonly field: string;
  /** The number of the violated rule, or an empty string if there is none. */
  readonly rule: string;
  /** The identifier of the refusal in docs/refusals.md, or an empty string if there is none. */
  readonly refusal: string;
  /** The delay in ms before a retry, or undefined if the engine gives none. */
  readonly retryAfter: number | undefined;
  /** The invalid orders, with one verdict each. */
  readonly verdicts: readonly Verdict[];

  constructor(message: string, details: RefusedDetails = {}) {
    super(message, { cause: details.cause });
    this.code = details.code ?? Code.Unknown;
    this.reason = details.reason ?? '';
    this.metadata = details.metadata ?? {};
    this.field = details.field || (this.metadata['field'] ?? '');
    this.rule = this.metadata['rule'] ?? '';
    this.refusal = this.metadata['refusal'] ?? '';
    this.retryAfter = details.retryAfter;
    this.verdicts = details.verdicts ?? [];
  }

  /** Whether the same call may succeed later with the same request id. */
  get retryable(): boolean {
    return AGAIN.has(this.reason) || this.retryAfter !== undefined;
  }
}

/** An error if no engine answered in time. The call may have been executed. */
export class Unreachable extends Refused {
  override readonly name = 'Unreachable';

  override get retryable(): boolean {
    return true;
  }
}

const AGAIN: ReadonlySet<Reason> = new Set([
  'RATE_LIMITED',
  'OVERLOADED',
  'JOURNAL_UNAVAILABLE',
  'DRAINING',
  'LOST_RACE',
]);

// The engine gives a reason for every error, so these codes without a reason mean a lost
// connection.
const LOST: ReadonlySet<Code> = new Set([
  Code.Aborted,
  Code.Canceled,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Unavailable,
  Code.Unknown,
  Code.DataLoss,
]);

/** Converts a thrown value to an error of this module. */
export function refusedBy(error: unknown): Refused {
  if (error instanceof Refused) return error;
  const connect = ConnectError.from(error);
  const message = connect.rawMessage || Code[connect.code];
  const { reason, metadata, retryAfter, field } = detailsOf(connect);
  const details = { code: connect.code, reason, metadata, field, retryAfter, cause: error };
  if (reason === 'ORDER_REFUSED')
    return new Refused(message, { ...details, verdicts: [verdictOf(message, metadata)] });
  return !reason && LOST.has(connect.code)
    ? new Unreachable(message, details)
    : new Refused(message, details);
}

function detailsOf(error: ConnectError) {
  try {
    const [info] = error.findDetails(ErrorInfoSchema);
    const [retry] = error.findDetails(RetryInfoSchema);
    const [bad] = error.findDetails(BadRequestSchema);
    return {
      reason: info?.reason ?? '',
      metadata: info?.metadata ?? {},
      // Round up, so that a retry is never too early.
      retryAfter: retry?.retryDelay && Math.ceil(durationMs(retry.retryDelay)),
      field: bad?.fieldViolations[0]?.field ?? '',
    };
  } catch {
    // A proxy wrote unreadable details. Use only the status.
    return { reason: '', metadata: {}, retryAfter: undefined, field: '' };
  }
}

function verdictOf(message: string, metadata: Record<string, string>): Verdict {
  const { refusal = '', rule = '', field = '' } = metadata;
  return create(VerdictSchema, { message, refusal, rule, field });
}
