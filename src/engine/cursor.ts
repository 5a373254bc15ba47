import { createHash } from "node:crypto";

import { SvcError } from "../base/errors.ts";

/** Where a listing goes on. Bound to the question it belongs to; opaque to the caller. */
export function encodeCursor(question: unknown, offset: number): string {
  return Buffer.from(`${fingerprint([question, offset])}.${offset}`).toString("base64url");
}

/** The offset in `cursor`, 0 without one. Throws INVALID_CURSOR unless it was made for this question. */
export function decodeCursor(question: unknown, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = Number(Buffer.from(cursor, "base64url").toString().split(".")[1]);
  // Decoding is lenient, so that only the whole tells whether the cursor is as it was issued.
  if (encodeCursor(question, offset) !== cursor) {
    throw new SvcError("INVALID_CURSOR", "The cursor does not belong to this question.", {
      hint: "Ask again without a cursor, with the same arguments for each page.",
    });
  }
  return offset;
}

function fingerprint(question: unknown): string {
  return createHash("sha256").update(JSON.stringify(question)).digest("base64url").slice(0, 16);
}
