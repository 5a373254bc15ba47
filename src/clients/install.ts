import { dirname } from "node:path";

import { SvcError } from "../base/errors.ts";
import { takeExclusiveLock } from "../base/exclusive-lock.ts";
import { createPrivateDirectory } from "../base/files.ts";
import {
  ConcurrentChangeError,
  readConfigFile,
  requireWritable,
  writeConfigFile,
  type ConfigFile,
} from "./config-file.ts";
import { ConfigText } from "./config-text.ts";
import {
  entryChanges,
  isRemoteEntry,
  buildEntry,
  type ProgramCommand,
  type ServerEntryOptions,
} from "./entry.ts";
import type { ConfigTarget } from "./config-target.ts";

/** The change made to a file. */
export interface InstallResult {
  readonly state: "added" | "changed" | "unchanged" | "removed" | "absent";
  /** The members of the entry that svc manages. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  /** Keys of the entry that got another value. */
  readonly changed: readonly string[];
  /** Keys of the entry that svc does not manage. */
  readonly unmanaged: readonly string[];
  /** Path of the file with the previous content. */
  readonly backup: string | undefined;
}

/** One installation of svc into one file. */
export interface InstallOptions {
  readonly target: ConfigTarget;
  readonly program: ProgramCommand;
  readonly server: ServerEntryOptions;
  /** Locked while the file is read and written, so that two installations run one after the other. */
  readonly lockFile: string;
  /** Called after the file proved writable and before it is written. If it throws, the file is unchanged. */
  readonly prepare: () => Promise<void>;
}

/** Bounds the retries for a file that its client keeps writing. */
const MAX_ATTEMPTS = 10;
const LOCK_TIMEOUT_MS = 30_000;

/** Adds svc to the file. Throws CLIENT_CONFIG; then nothing is changed. */
export function install({
  target,
  program,
  server,
  ...options
}: InstallOptions): Promise<InstallResult> {
  return withLock(options.lockFile, () =>
    change(target, options.prepare, (text) => {
      const { client } = target;
      const present = text.entry;
      const entry = buildEntry(client, program, server, present);
      if (present === undefined) {
        return { text: text.withEntry(entry), state: "added", entry, changed: [], unmanaged: [] };
      }
      requireStarted(target, present);
      const changes = entryChanges(present, client, entry);
      return {
        text: changes.length === 0 ? undefined : text.withChanges(changes),
        state: changes.length === 0 ? "unchanged" : "changed",
        entry,
        changed: changes.map(({ path }) => path.join(".")),
        unmanaged: Object.keys(present).filter((key) => !Object.hasOwn(entry, key)),
      };
    }),
  );
}

/** Removes svc from the file. Throws CLIENT_CONFIG; then nothing is changed. */
export function uninstall(target: ConfigTarget, lockFile: string): Promise<InstallResult> {
  const nothing = { entry: undefined, changed: [], unmanaged: [] };
  return withLock(lockFile, () =>
    change(
      target,
      async () => {},
      (text) => {
        if (text.entry === undefined) return { text: undefined, state: "absent", ...nothing };
        requireStarted(target, text.entry);
        return { text: text.withoutEntry(), state: "removed", ...nothing };
      },
    ),
  );
}

interface Plan extends Omit<InstallResult, "backup"> {
  /** The new text; undefined when the file needs no change. */
  readonly text: string | undefined;
}

async function change(
  { client, path, below, scope }: ConfigTarget,
  prepare: () => Promise<void>,
  planFor: (text: ConfigText) => Plan,
): Promise<InstallResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const file = readConfigFile(path, below);
    const { text, ...plan } = planFor(new ConfigText(client, path, file.bytes));
    if (text !== undefined) requireWritable(file);
    if (attempt === 0) await prepare();
    if (text === undefined) return { ...plan, backup: undefined };
    // A user's own file may contain secrets; a project's file is shared by everybody who works on it.
    const written = tryWrite(file, text, scope === "user" ? 0o600 : 0o644);
    if (written !== undefined) return { ...plan, ...written };
  }
  throw new SvcError("CLIENT_CONFIG", `${path} keeps being written by another program.`, {
    hint: `Quit ${client.name} and try again; nothing was changed.`,
  });
}

/** Returns undefined when another program wrote the file first; then its content must be read again. */
function tryWrite(
  file: ConfigFile,
  text: string,
  modeOfNew: number,
): Pick<InstallResult, "backup"> | undefined {
  try {
    return { backup: writeConfigFile(file, text, modeOfNew) };
  } catch (thrown) {
    if (thrown instanceof ConcurrentChangeError) return undefined;
    throw thrown;
  }
}

/** svc never creates an entry without a program, so it must not change one. */
function requireStarted(
  { client, path }: ConfigTarget,
  entry: Readonly<Record<string, unknown>>,
): void {
  if (!isRemoteEntry(entry)) return;
  throw new SvcError("CLIENT_CONFIG", `${path} has an entry "svc" for a remote server.`, {
    hint: `Rename or remove it in ${client.name}; nothing was changed.`,
  });
}

async function withLock<Result>(lockFile: string, work: () => Promise<Result>): Promise<Result> {
  createPrivateDirectory(dirname(lockFile));
  const release = takeExclusiveLock(lockFile, LOCK_TIMEOUT_MS);
  if (release === undefined) {
    throw new SvcError("CLIENT_CONFIG", "Another process has been installing svc for 30 seconds.", {
      hint: "End it, or try again later.",
    });
  }
  try {
    return await work();
  } finally {
    release();
  }
}
