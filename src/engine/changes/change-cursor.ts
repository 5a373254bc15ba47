// The start of a request for changes: the end of an earlier answer, a time, a generation or a commit.

import { SvcError } from "../../base/errors.ts";
import type { ChangeLogReader } from "../../index/port.ts";
import type { ChangeLogState } from "../../index/change-log/change-event.ts";
import { foreignCursor, signCursor, verifyCursor } from "../cursor.ts";

/** Distinguishes a cursor from a commit name. */
const CURSOR_PREFIX = "chg_";
const TIME_PATTERN = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

export type ChangePosition =
  | { readonly kind: "last" }
  /** `isReset`: the change log no longer has the changes in between. */
  | { readonly kind: "changeLog"; readonly seq: number; readonly isReset: boolean }
  /** `seq`: the last entry of the change log when the comparison began. */
  | {
      readonly kind: "commit";
      readonly name: string;
      readonly offset: number;
      readonly seq: number;
    };

type CursorContent =
  | readonly ["j", string, number]
  | readonly ["g", string, number, string, number];

export function changeLogCursor(namespace: string, { id }: ChangeLogState, seq: number): string {
  return encode(namespace, ["j", id, seq]);
}

/** Cursor of the next page of a comparison with a commit. */
export function commitCursor(
  namespace: string,
  { id }: ChangeLogState,
  { name, offset, seq }: { name: string; offset: number; seq: number },
): string {
  return encode(namespace, ["g", id, seq, name, offset]);
}

/**
 * Parses `since`. Throws INVALID_CURSOR for a malformed cursor or one of another namespace, and INVALID_PARAMS for a
 * future generation or an invalid time.
 */
export async function parseSince(
  since: string | undefined,
  namespace: string,
  { changeLog, generation }: { changeLog: ChangeLogReader; generation: number },
): Promise<ChangePosition> {
  if (since === undefined) return { kind: "last" };
  const state = await changeLog.state();
  if (since.startsWith(CURSOR_PREFIX)) return fromCursor(decode(namespace, since), state);
  if (/^\d{1,15}$/.test(since))
    return fromGeneration(Number(since), { changeLog, generation, state });
  if (TIME_PATTERN.test(since)) return fromTime(since, { changeLog, state });
  return { kind: "commit", name: since === "working" ? "HEAD" : since, offset: 0, seq: state.last };
}

function fromCursor(content: CursorContent, state: ChangeLogState): ChangePosition {
  const [kind, id, seq] = content;
  const isKnown = id === state.id && seq <= state.last;
  if (kind === "g") {
    const [, , , name, offset] = content;
    return { kind: "commit", name, offset, seq: isKnown ? seq : state.last };
  }
  if (isKnown && seq >= state.forgotten) return { kind: "changeLog", seq, isReset: false };
  return { kind: "changeLog", seq: state.forgotten, isReset: true };
}

async function fromGeneration(
  wanted: number,
  {
    changeLog,
    generation,
    state,
  }: { changeLog: ChangeLogReader; generation: number; state: ChangeLogState },
): Promise<ChangePosition> {
  if (wanted > generation) {
    throw new SvcError("INVALID_PARAMS", `since: the index is at generation ${generation}.`, {
      hint: "Give the generation of an earlier answer. For a commit whose name is only digits, write `NAME^0`.",
    });
  }
  const seq = await changeLog.seqAtGeneration(wanted);
  const [first] = await changeLog.after(state.forgotten, 1, []);
  const isReset = state.forgotten > 0 && wanted < (first?.generation ?? Infinity);
  return { kind: "changeLog", seq, isReset };
}

async function fromTime(
  text: string,
  { changeLog, state }: { changeLog: ChangeLogReader; state: ChangeLogState },
): Promise<ChangePosition> {
  // A time without a zone is UTC, like all times of svc.
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) || !/[T ]/.test(text);
  const atMs = Date.parse(hasZone ? text : `${text.replace(" ", "T")}Z`);
  if (Number.isNaN(atMs)) {
    throw new SvcError("INVALID_PARAMS", `since: "${text}" is not a valid time.`, {
      hint: "Write it like 2026-01-31T12:00:00Z.",
    });
  }
  return { kind: "changeLog", seq: await changeLog.seqBefore(atMs), isReset: atMs < state.sinceMs };
}

function encode(namespace: string, content: CursorContent): string {
  return CURSOR_PREFIX + signCursor(["changes", namespace], JSON.stringify(content));
}

function decode(namespace: string, cursor: string): CursorContent {
  const text = verifyCursor(["changes", namespace], cursor.slice(CURSOR_PREFIX.length));
  const parts = parsed(text);
  const [kind, id, seq, name, offset] = parts;
  const isPlace = typeof id === "string" && isCount(seq);
  if (isPlace && kind === "j" && parts.length === 3) return ["j", id, seq];
  if (isPlace && kind === "g" && typeof name === "string" && isCount(offset)) {
    return ["g", id, seq, name, offset];
  }
  // The signature uses no secret, so a forged cursor may get here. It is rejected like any other text.
  throw foreignCursor();
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
