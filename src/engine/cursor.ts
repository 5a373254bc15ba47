import { createHash } from "node:crypto";

import { SvcError } from "../base/errors.ts";

/** Where a listing goes on. Bound to the question it belongs to; opaque to the caller. */
export function encodeCursor(query: unknown, offset: number): string {
  return signCursor(query, String(offset));
}

/** The offset in `cursor`, 0 without one. Throws INVALID_CURSOR unless it was made for this question. */
export function decodeCursor(query: unknown, cursor: string | undefined): number {
  return cursor === undefined ? 0 : Number(verifyCursor(query, cursor));
}

/** A place in a listing that is ordered by paths, and what had been counted before it. */
export interface TextPlace {
  readonly path: string;
  /** Matches of the file that have been given; undefined: all of them, the next file is next. */
  readonly given?: number | undefined;
  /** In the files before `path`, and in it when it is done. */
  readonly matches: number;
  readonly files: number;
}

export function encodeTextPlace(query: unknown, place: TextPlace): string {
  const { path, given = -1, matches, files } = place;
  return signCursor(query, JSON.stringify([path, given, matches, files]));
}

/** The place in `cursor`, undefined without one. Throws INVALID_CURSOR as decodeCursor does. */
export function decodeTextPlace(query: unknown, cursor: string | undefined): TextPlace | undefined {
  if (cursor === undefined) return undefined;
  const text = verifyCursor(query, cursor);
  const parts: unknown = text.startsWith("[") ? JSON.parse(text) : undefined;
  if (!Array.isArray(parts) || typeof parts[0] !== "string") throw foreignCursor();
  const [given, matches, files] = [1, 2, 3].map((at) => Number(parts[at]));
  const isValid = [given, matches, files].every((one) => Number.isSafeInteger(one));
  if (!isValid) throw foreignCursor();
  return {
    path: parts[0],
    given: given === undefined || given < 0 ? undefined : given,
    matches: matches ?? 0,
    files: files ?? 0,
  };
}

/** Bound to the question, so that it cannot be used for another by mistake. */
export function signCursor(query: unknown, content: string): string {
  return Buffer.from(`${fingerprint([query, content])}.${content}`).toString("base64url");
}

/** Throws INVALID_CURSOR unless it was sealed for this question. */
export function verifyCursor(query: unknown, cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  const content = text.slice(text.indexOf(".") + 1);
  // Decoding is lenient, so that only the whole tells whether the cursor is as it was issued.
  if (signCursor(query, content) !== cursor) throw foreignCursor();
  return content;
}

export function foreignCursor(): SvcError {
  return new SvcError("INVALID_CURSOR", "The cursor does not belong to this question.", {
    hint: "Ask again without a cursor, with the same arguments for each page.",
  });
}

function fingerprint(query: unknown): string {
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 16);
}
