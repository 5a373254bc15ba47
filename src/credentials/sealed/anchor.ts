// The highest generation of the store, kept in a file of its own: an earlier copy of the store has a lower one and
// is refused, although every seal in it is valid.
import { createHmac, timingSafeEqual } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { checkPrivateFile, readPrivateFile, replacePrivateFile } from "../private-files.ts";

/** The content of the anchor file when it was read. It is verified only when a member below is called. */
export interface AnchorReading {
  /** Undefined when there is no anchor. Throws CREDENTIAL_STORE when no line of it was written with this key. */
  readonly generation: () => number | undefined;
  /** True when the anchor holds this generation and nothing else. */
  readonly isExactly: (generation: number) => boolean;
}

/** Reads and writes the anchor file. */
export interface Anchor {
  /** Reads the file without verifying it. */
  readonly read: () => AnchorReading;
  /** Replaces the content with one line for this generation. */
  readonly write: (generation: number) => void;
  /**
   * Writes two lines: one for this state, one for the state under another data key. While the store moves from the
   * first state to the second, either one that a crash leaves behind is accepted.
   */
  readonly writeWith: (
    generation: number,
    other: { readonly key: Buffer; readonly generation: number },
  ) => void;
  /** Throws the file system's error when the directory of the anchor cannot be written to. */
  readonly requireWritable: () => void;
}

const LINE = /^(\d{1,15}) [0-9a-f]{64}$/;
/** A migration writes one line for each of its two keys. */
const MAX_LINES = 2;

/** Opens the anchor in `directory` (the key directory), with the store's MAC key. Does not read the file. */
export function openAnchor(directory: string, key: Buffer): Anchor {
  const path = anchorPath(directory);
  return {
    read() {
      const text = readPrivateFile(path);
      return {
        generation: () => (text === undefined ? undefined : highest(text, key, path)),
        isExactly: (generation) => text === line(key, generation),
      };
    },
    write(generation) {
      replacePrivateFile(path, line(key, generation));
    },
    writeWith(generation, other) {
      replacePrivateFile(path, line(key, generation) + line(other.key, other.generation));
    },
    requireWritable() {
      accessSync(directory, constants.W_OK);
    },
  };
}

/** Returns true when a store has been created here, even if its file is gone. */
export function hasAnchor(directory: string): boolean {
  return checkPrivateFile(anchorPath(directory));
}

function highest(text: string, key: Buffer, path: string): number {
  const lines = text.split("\n");
  const isWhole = lines.pop() === "" && lines.length <= MAX_LINES;
  const own = lines
    .map((each) => ({ each, generation: Number(LINE.exec(each)?.[1] ?? Number.NaN) }))
    .filter(({ each, generation }) => same(`${each}\n`, line(key, generation)))
    .map(({ generation }) => generation);
  if (isWhole && own.length > 0) return Math.max(...own);
  throw new SvcError("CREDENTIAL_STORE", "The anchor of the credential store was changed.", {
    hint: `Put ${path} back from a backup.`,
  });
}

function line(key: Buffer, generation: number): string {
  const mac = createHmac("sha256", key).update(`anchor:${generation}`).digest("hex");
  return `${generation} ${mac}\n`;
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function anchorPath(directory: string): string {
  return join(directory, "credentials.anchor");
}
