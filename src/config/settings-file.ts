// Reads config.json. Every start reads it and it rarely exists, so this file loads no packages
// (docs/decisions/0016-settings-and-conf.md). settings-writer.ts writes it.
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";

/** The content of config.json. */
export interface SettingsFile {
  readonly path: string;
  /** Its entries by key, not validated; empty if the file does not exist or cannot be used. */
  readonly entries: ReadonlyMap<string, unknown>;
  /** Why the file cannot be used. */
  readonly problem: SvcError | undefined;
  /** The file is trusted and readable but not JSON. A writer may rename it and write a new one. */
  readonly isDamaged: boolean;
}

/** Far more than all settings need. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The path of config.json. */
export function settingsPath(configDirectory: string): string {
  return join(configDirectory, "config.json");
}

/** Reads config.json. Reports a failure as `problem`; never throws. */
export function readSettingsFile(path: string, userId = process.getuid?.()): SettingsFile {
  const none = { path, entries: NO_ENTRIES, isDamaged: false };
  let text: string | undefined;
  try {
    // The file rarely exists, and throwing an error takes longer than all the rest.
    const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
    text = exists ? readTrusted(path, userId) : undefined;
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

/** For an account without a settings directory. */
export const EMPTY_SETTINGS_FILE: SettingsFile = {
  path: "config.json",
  entries: NO_ENTRIES,
  problem: undefined,
  isDamaged: false,
};

/** Returns the entries of a JSON object by key. Throws SyntaxError, or TypeError for other JSON. */
export function parseEntries(text: string): ReadonlyMap<string, unknown> {
  // Editors on Windows write a byte order mark.
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("not an object");
  }
  return new Map(Object.entries(value));
}

/**
 * Refuses the file under the conditions of ssh (readconf.c): another user who can write it could choose the
 * folder to read and the file that opens the credentials. In a folder that others can write, they can create a
 * file, but not one that belongs to this user.
 */
function readTrusted(path: string, userId: number | undefined): string {
  // Without O_NONBLOCK, a pipe would block the program until another process writes to it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    const { mode, uid, size } = stat;
    if (!stat.isFile()) {
      throw refused(path, "is not a regular file", "Remove it, or replace it with a regular file.");
    }
    if (userId !== undefined && uid !== userId && uid !== 0) {
      throw refused(
        path,
        "belongs to another user",
        `Check its content, then run \`chown ${userId} FILE\`.`,
      );
    }
    if (userId !== undefined && (mode & 0o022) !== 0) {
      throw refused(
        path,
        "can be written by other users",
        "Check its content, then run `chmod 600 FILE`.",
      );
    }
    if (size > MAX_FILE_BYTES) {
      throw refused(path, "is larger than 1 MiB", "Replace it with the right file.");
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function refused(path: string, why: string, hint: string): SvcError {
  return new SvcError("INVALID_SETTINGS", `${path} ${why}, so svc does not use it.`, {
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

/** Reports where the file stops being JSON, but quotes none of it, because it may contain a secret. */
function damaged(path: string, thrown: unknown): SvcError {
  const message = thrown instanceof Error ? thrown.message : "";
  const position = /line (\d+) column (\d+)/.exec(message);
  const at = position === null ? "" : ` (line ${position[1]}, column ${position[2]})`;
  const what = thrown instanceof TypeError ? "a JSON object" : "JSON";
  return new SvcError("INVALID_SETTINGS", `${path} is not ${what}${at}.`, {
    hint: "Fix it in an editor, or start a new one with `svc config set NAME VALUE`, which keeps a copy of the old file.",
  });
}

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
