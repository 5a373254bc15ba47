// Changes config.json: one setting at a time, under a lock, by conf
// (docs/decisions/0016-settings-and-conf.md). Loaded only where something is changed.
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import Conf from "conf";

import { SvcError, sqliteCode } from "../base/errors.ts";
import { SETTING_NAMES } from "./setting-definitions.ts";
import type { SettingValue } from "./setting-values.ts";
import { parseEntries, readSettingsFile } from "./settings-file.ts";
import { takeSettingsLock } from "./settings-lock.ts";

export interface SettingsChange {
  readonly key: string;
  /** Undefined takes the key out. */
  readonly value: SettingValue | undefined;
}

export interface SettingsChangeResult {
  /** False where a key that should go was not there. */
  readonly isChanged: boolean;
  /** Where the file was put that was not JSON. */
  readonly damagedFile: string | undefined;
}

/**
 * Changes one key of the file and keeps the others, also those it does not know. Makes the folder
 * (0700) and the file (0600) where there are none. A file that others could have written to is refused.
 */
export function changeSettingsFile(path: string, change: SettingsChange): SettingsChangeResult {
  if (change.value === undefined && lacksKey(path, change.key)) {
    return { isChanged: false, damagedFile: undefined };
  }
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const release = takeSettingsLock(join(dirname(path), "config.lock"));
    try {
      return changeLocked(path, change);
    } finally {
      release();
    }
  } catch (thrown) {
    throw isReadOnly(thrown) ? readOnly(path, thrown) : thrown;
  }
}

/** Nothing to take out, so no folder is made. */
function lacksKey(path: string, key: string): boolean {
  const { entries, problem } = readSettingsFile(path);
  return problem === undefined && !entries.has(key);
}

function changeLocked(path: string, { key, value }: SettingsChange): SettingsChangeResult {
  const before = readSettingsFile(path);
  // Only a new value can take the place of what is damaged.
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
    // Left out here, because conf keeps a key for itself that it does not take out by its name.
    deserialize: (text) =>
      Object.fromEntries([...parseEntries(text)].filter(([name]) => name !== key)),
    serialize: orderedJson,
  });
  conf.store = value === undefined ? conf.store : { ...conf.store, [key]: value };
  return { isChanged: true, damagedFile };
}

/** What the user wrote is kept, whatever it is worth. Under the lock, so that no name is taken twice. */
function quarantineFile(path: string): string {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number++;
  const quarantinePath = `${path}.damaged-${number}`;
  renameSync(path, quarantinePath);
  return quarantinePath;
}

/** Settings in the order of the table, then what else there is, so that a change moves nothing. */
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
  // The lowest byte is the code, the others say more of it.
  const code = (sqliteCode(thrown) ?? 0) & 0xff;
  return READ_ONLY.includes(codeOf(thrown) ?? "") || READ_ONLY_SQLITE.includes(code);
}

function readOnly(path: string, cause: unknown): SvcError {
  const reason = sqliteCode(cause) === undefined ? codeOf(cause) : "its lock cannot be taken";
  return new SvcError("INVALID_SETTINGS", `${path} cannot be written (${reason}).`, {
    hint: "Make its folder writable for this user, or name another one with SERVICE_CONFIG_HOME.",
    cause,
  });
}

function codeOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
