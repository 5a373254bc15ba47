// Reads config.json. It is read at every start and hardly ever there: nothing is loaded for it
// (docs/decisions/0016-settings-and-conf.md). settings-writer.ts writes it.
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";

export interface SettingsFile {
  readonly path: string;
  /** What stands in it, unchecked, by key; empty where there is no file or it cannot be used. */
  readonly entries: ReadonlyMap<string, unknown>;
  /** Why nothing in it can be used. */
  readonly problem: SvcError | undefined;
  /** It is ours to read, but what it says is not JSON: it can be put aside and written anew. */
  readonly isDamaged: boolean;
}

/** Far above what all settings take together. */
const MAX_FILE_BYTES = 1024 * 1024;

export function settingsPath(configDirectory: string): string {
  return join(configDirectory, "config.json");
}

/** Never throws. */
export function readSettingsFile(path: string, userId = process.getuid?.()): SettingsFile {
  const none = { path, entries: NO_ENTRIES, isDamaged: false };
  let text: string | undefined;
  try {
    // Hardly ever is there one, and an error that is thrown takes longer than all the rest.
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    text = isThere ? readTrusted(path, userId) : undefined;
  } catch (thrown) {
    return { ...none, problem: asProblem(path, thrown) };
  }
  if (text === undefined) return { ...none, problem: undefined };
  try {
    return { ...none, entries: parseEntries(text), problem: undefined };
  } catch (thrown) {
    return { ...none, isDamaged: true, problem: damaged(path, thrown) };
  }
}

const NO_ENTRIES: ReadonlyMap<string, unknown> = new Map();

/** For an account whose settings have no place. */
export const EMPTY_SETTINGS_FILE: SettingsFile = {
  path: "config.json",
  entries: NO_ENTRIES,
  problem: undefined,
  isDamaged: false,
};

/** The entries of an object in JSON, by key. */
export function parseEntries(text: string): ReadonlyMap<string, unknown> {
  // Editors on Windows put a byte order mark first.
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("not an object");
  }
  return new Map(Object.entries(value));
}

/**
 * Refused as ssh refuses its own (readconf.c): whoever else can write it could name the folder that is
 * read and the file that opens the credentials. A folder that others can write to lets them put a file
 * there, but not one that belongs to this user.
 */
function readTrusted(path: string, userId: number | undefined): string {
  // A pipe would block the program until somebody writes to it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    const { mode, uid, size } = stat;
    if (!stat.isFile()) {
      throw refused(path, "is not a plain file", "Remove it, or put a file in its place.");
    }
    if (userId !== undefined && uid !== userId && uid !== 0) {
      throw refused(
        path,
        "belongs to another user",
        `Look at it, then run \`chown ${userId} FILE\`.`,
      );
    }
    if (userId !== undefined && (mode & 0o022) !== 0) {
      throw refused(
        path,
        "can be written by other users",
        "Look at it, then run `chmod 600 FILE`.",
      );
    }
    if (size > MAX_FILE_BYTES) {
      throw refused(path, "is longer than any settings are", "Put the right file in its place.");
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function refused(path: string, why: string, hint: string): SvcError {
  return new SvcError("INVALID_SETTINGS", `${path} ${why}; it is not used.`, {
    hint: hint.replace("FILE", path),
  });
}

function asProblem(path: string, thrown: unknown): SvcError {
  if (thrown instanceof SvcError) return thrown;
  return new SvcError(
    "INVALID_SETTINGS",
    `${path} cannot be read (${codeOf(thrown) ?? "unknown reason"}).`,
    {
      hint: "Make it readable for this user, or remove it.",
      cause: thrown,
    },
  );
}

/** Where it stops being JSON, and nothing of what stands there: it may be a secret. */
function damaged(path: string, thrown: unknown): SvcError {
  const message = thrown instanceof Error ? thrown.message : "";
  const position = /line (\d+) column (\d+)/.exec(message);
  const at = position === null ? "" : ` (line ${position[1]}, column ${position[2]})`;
  const what = thrown instanceof TypeError ? "an object in JSON" : "JSON";
  return new SvcError("INVALID_SETTINGS", `${path} is not ${what}${at}.`, {
    hint: "Mend it in an editor, or begin a new one with `svc config set NAME VALUE`, which keeps the old one beside it.",
  });
}

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
