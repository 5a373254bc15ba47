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

/** What was done to a file. */
export interface InstallResult {
  readonly state: "added" | "changed" | "unchanged" | "removed" | "absent";
  /** What is ours of the entry. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  /** The keys of the entry that got another value. */
  readonly changed: readonly string[];
  /** The keys of the entry that are not ours. */
  readonly unmanaged: readonly string[];
  /** The file with what was there before. */
  readonly backup: string | undefined;
}

export interface InstallOptions {
  readonly target: ConfigTarget;
  readonly program: ProgramCommand;
  readonly server: ServerEntryOptions;
  /** Held while the file is read and written: of two installers one comes after the other. */
  readonly lockFile: string;
  /** Called when the file can be written and before it is; what it throws leaves the file as it was. */
  readonly prepare: () => Promise<void>;
}

/** A file that its client writes all the time must not keep us for ever. */
const MAX_ATTEMPTS = 10;
const LOCK_TIMEOUT_MS = 30_000;

/** Puts svc into the file. Throws CLIENT_CONFIG; nothing is changed then. */
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

/** Takes svc out of the file. Throws CLIENT_CONFIG; nothing is changed then. */
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
  /** Undefined where the file is right as it is. */
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
    // What stands in a user's own file may be secret; a project's is for all who work on it.
    const written = tryWrite(file, text, scope === "user" ? 0o600 : 0o644);
    if (written !== undefined) return { ...plan, ...written };
  }
  throw new SvcError("CLIENT_CONFIG", `${path} keeps being written by another program.`, {
    hint: `Quit ${client.name} and try again; nothing was changed.`,
  });
}

/** Undefined when somebody else was faster: what they wrote has to be looked at first. */
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

/** An entry that is not about a program was not made by svc, and is not ours to change. */
function requireStarted(
  { client, path }: ConfigTarget,
  entry: Readonly<Record<string, unknown>>,
): void {
  if (!isRemoteEntry(entry)) return;
  throw new SvcError("CLIENT_CONFIG", `${path} has an entry "svc" for a server elsewhere.`, {
    hint: `Rename it or take it out in ${client.name}; nothing was changed.`,
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
