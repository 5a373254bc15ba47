// Changes config.json with the package conf: one setting at a time, under a lock
// (docs/decisions/0016-settings-and-conf.md). Loaded only for a change.
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import Conf from "conf";

import { SvcError, sqliteCode } from "../base/errors.ts";
import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { createFolders, replaceFile } from "../base/files.ts";
import { SETTING_NAMES } from "./setting-definitions.ts";
import type { SettingValue } from "./setting-values.ts";
import { parseEntries, readSettingsFile } from "./settings-file.ts";

/** Only one process writes at a time; each needs some milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;

/** A change of one key. */
export interface SettingsChange {
  readonly key: string;
  /** Undefined removes the key. */
  readonly value: SettingValue | undefined;
}

/** Result of a change. */
export interface SettingsChangeResult {
  /** False if the key to remove did not exist. */
  readonly isChanged: boolean;
  /** New path of the old file if it was not JSON. */
  readonly damagedFile: string | undefined;
}

/**
 * Changes one key of the file and keeps all others, including unknown ones. Creates the folder (0700) and the
 * file (0600) if they do not exist. Throws INVALID_SETTINGS for a file that other users can write.
 */
export function changeSettingsFile(path: string, change: SettingsChange): SettingsChangeResult {
  if (change.value === undefined && lacksKey(path, change.key)) {
    return { isChanged: false, damagedFile: undefined };
  }
  try {
    createFolders(dirname(path));
    const release = takeLock(join(dirname(path), "config.lock"));
    try {
      return changeLocked(path, change);
    } finally {
      release();
    }
  } catch (thrown) {
    throw isReadOnly(thrown) ? readOnly(path, thrown) : thrown;
  }
}

/**
 * Takes the lock for changes of config.json and returns a function that releases it. Throws INVALID_SETTINGS
 * after 30 seconds.
 */
function takeLock(path: string): () => void {
  const release = takeExclusiveLock(path, LOCK_TIMEOUT_MS);
  if (release !== undefined) return release;
  throw new SvcError(
    "INVALID_SETTINGS",
    "Another process has been changing the settings for 30 seconds.",
    { hint: "Stop that process, or try again later." },
  );
}

/** Whether there is no key to remove, so that no folder is created. */
function lacksKey(path: string, key: string): boolean {
  const { entries, problem } = readSettingsFile(path);
  return problem === undefined && !entries.has(key);
}

function changeLocked(path: string, { key, value }: SettingsChange): SettingsChangeResult {
  const before = readSettingsFile(path);
  // Only setting a value replaces a damaged file.
  const isReplaced = before.isDamaged && value !== undefined;
  if (before.problem !== undefined && !isReplaced) throw before.problem;
  if (value === undefined && !before.entries.has(key)) {
    return { isChanged: false, damagedFile: undefined };
  }
  const damagedFile = isReplaced ? quarantineFile(path) : undefined;
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(path),
    configName: basename(path, ".json"),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // The key is removed here because conf reserves one key for itself and does not delete it by name.
    deserialize: (text) =>
      Object.fromEntries([...parseEntries(text)].filter(([name]) => name !== key)),
    serialize: orderedJson,
  });
  conf.store = value === undefined ? conf.store : { ...conf.store, [key]: value };
  return { isChanged: true, damagedFile };
}

/** Renames the damaged file, to keep the user's text. Runs under the lock, so no name is used twice. */
function quarantineFile(path: string): string {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number++;
  const quarantinePath = `${path}.damaged-${number}`;
  replaceFile(path, quarantinePath);
  return quarantinePath;
}

/** Settings in the order of SETTINGS, then unknown keys, so that a change reorders nothing. */
function orderedJson(store: Readonly<Record<string, unknown>>): string {
  const known = SETTING_NAMES.filter((name) => Object.hasOwn(store, name));
  const others = Object.keys(store).filter((key) => !known.some((name) => name === key));
  const entries = [...known, ...others].map((key) => [key, store[key]]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

const READ_ONLY = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"];
/** SQLITE_READONLY, SQLITE_CANTOPEN (sqlite.org/rescode.html). */
const READ_ONLY_SQLITE = [8, 14];

function isReadOnly(thrown: unknown): boolean {
  if (thrown instanceof SvcError) return false;
  // The lowest byte is the primary code; the others extend it.
  const code = (sqliteCode(thrown) ?? 0) & 0xff;
  return READ_ONLY.includes(codeOf(thrown) ?? "") || READ_ONLY_SQLITE.includes(code);
}

function readOnly(path: string, cause: unknown): SvcError {
  const reason = sqliteCode(cause) === undefined ? codeOf(cause) : "its lock cannot be taken";
  return new SvcError("INVALID_SETTINGS", `${path} cannot be written (${reason}).`, {
    hint: "Make its folder writable for this user, or choose another folder with SERVICE_CONFIG_HOME.",
    cause,
  });
}

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
