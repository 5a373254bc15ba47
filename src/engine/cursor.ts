import { createHash } from "node:crypto";

import { SvcError } from "../base/errors.ts";

/** Cursor of the next page of a listing. Bound to its query; opaque to the caller. */
export function encodeCursor(query: unknown, offset: number): string {
  return signCursor(query, String(offset));
}

/** The offset in `cursor`, 0 without one. Throws INVALID_CURSOR for a cursor of another query. */
export function decodeCursor(query: unknown, cursor: string | undefined): number {
  return cursor === undefined ? 0 : Number(verifyCursor(query, cursor));
}

/** A position in a listing sorted by path, with the counts of everything before it. */
export interface TextPlace {
  readonly path: string;
  /** Number of matches of the file already returned; undefined when all were, and the next file follows. */
  readonly given?: number | undefined;
  /** In the files before `path`, and in it when it is done. */
  readonly matches: number;
  readonly files: number;
}

export function encodeTextPlace(query: unknown, place: TextPlace): string {
  const { path, given = -1, matches, files } = place;
  return signCursor(query, JSON.stringify([path, given, matches, files]));
}

/** The position in `cursor`, undefined without one. Throws INVALID_CURSOR as decodeCursor does. */
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

/** Base64url text with a hash of the query, so that it cannot be used with another query by mistake. */
export function signCursor(query: unknown, content: string): string {
  return Buffer.from(`${fingerprint([query, content])}.${content}`).toString("base64url");
}

/** The content of `cursor`. Throws INVALID_CURSOR unless signCursor() made it for this query. */
export function verifyCursor(query: unknown, cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  const content = text.slice(text.indexOf(".") + 1);
  // Base64 decoding is lenient, so compare the whole cursor.
  if (signCursor(query, content) !== cursor) throw foreignCursor();
  return content;
}

export function foreignCursor(): SvcError {
  return new SvcError("INVALID_CURSOR", "The cursor does not belong to this query.", {
    hint: "Repeat the call without a cursor, and keep the other arguments the same for each page.",
  });
}

function fingerprint(query: unknown): string {
  return createHash("sha256").update(JSON.stringify(query)).digest("base64url").slice(0, 16);
}
