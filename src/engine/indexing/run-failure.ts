import { SvcError, toSvcError, type ErrorCode } from "../../base/errors.ts";

/** The error of a run, as a message. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly stack: string;
}

export function runFailure(thrown: unknown): RunFailure {
  const { code, detail, stack = "", cause } = toSvcError(thrown);
  return { code, detail, stack: (cause instanceof Error ? cause.stack : undefined) ?? stack };
}

export function runError({ code, detail, stack }: RunFailure): SvcError {
  return new SvcError(code, detail, { cause: stack });
}

export function cancelled(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Indexing was cancelled.");
}

/** The run has more to read than `maxBytes` of its options. It has changed nothing. */
export class RunTooLarge extends Error {}
