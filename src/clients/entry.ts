import { isDeepStrictEqual } from "node:util";

import type { ClientDefinition } from "./definitions.ts";

type Entry = Readonly<Record<string, unknown>>;

/** The command that starts svc, without the arguments of the server. */
export interface ProgramCommand {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** Options of `svc mcp`. Undefined keeps the value of an existing entry. */
export interface ServerEntryOptions {
  /** Absolute path, or a placeholder of the client. */
  readonly root: string | undefined;
  /** Root of an entry without one; called only then. */
  readonly defaultRoot: () => string | undefined;
  /** Namespace to serve. */
  readonly namespace: string | undefined;
  /** Address of a server that answers instead of this machine. */
  readonly remote: string | undefined;
  /** Address of a server from whose index that of this machine starts. Excludes `remote`. */
  readonly fromRemote?: string | undefined;
}

/** One value to write into the entry. */
export interface EntryChange {
  /** Keys within the entry. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Returns the entry that starts this program for this server. Flags that the present entry has are kept. */
export function buildEntry(
  { shape }: ClientDefinition,
  { command, args }: ProgramCommand,
  options: ServerEntryOptions,
  present: Entry = {},
): Entry {
  const existing = parseFlags(argumentsOf(present));
  const { fromRemote = options.remote === undefined ? existing.fromRemote : undefined } = options;
  const remote = options.remote ?? (fromRemote === undefined ? existing.remote : undefined);
  const words = flagArguments({
    root: options.root ?? existing.root ?? options.defaultRoot(),
    namespace: options.namespace ?? existing.namespace,
    isReadOnly: existing.isReadOnly,
    remote,
    isLocalFirst: remote !== undefined && existing.isLocalFirst,
    fromRemote,
  });
  const typed = shape.type === undefined ? {} : { type: shape.type };
  const all = [...args, ...words];
  const start = shape.command === "list" ? { command: [command, ...all] } : { command, args: all };
  return { ...typed, ...start, ...shape.more };
}

/** Returns the changes to an existing entry: svc's own values are set, accompanying ones are added where missing. */
export function entryChanges(
  present: Entry,
  { shape }: ClientDefinition,
  wanted: Entry,
): EntryChange[] {
  return Object.entries(wanted).flatMap(([key, value]) => {
    if (Object.hasOwn(shape.more ?? {}, key)) return missingChanges(present, key, value);
    return isDeepStrictEqual(present[key], value) ? [] : [{ path: [key], value }];
  });
}

/** True when the entry names a server that the client reaches over HTTP. `svc install` creates no such entry. */
export function isRemoteEntry(entry: Entry): boolean {
  const type = entry["type"];
  const isStarted = entry["command"] !== undefined;
  const isReached = ["url", "serverUrl", "httpUrl"].some((key) => typeof entry[key] === "string");
  return (
    isReached || (!isStarted && typeof type === "string" && !["stdio", "local"].includes(type))
  );
}

/** Returns the program that the entry starts; undefined when it names none. */
export function commandOf(entry: Entry): string | undefined {
  const command = entry["command"];
  const first: unknown = Array.isArray(command) ? command[0] : command;
  return typeof first === "string" ? first : undefined;
}

interface ServerFlags {
  readonly root?: string | undefined;
  readonly namespace?: string | undefined;
  readonly isReadOnly?: boolean | undefined;
  readonly remote?: string | undefined;
  readonly isLocalFirst?: boolean | undefined;
  readonly fromRemote?: string | undefined;
}

function flagArguments({
  root,
  namespace,
  isReadOnly = false,
  remote,
  isLocalFirst = false,
  fromRemote,
}: ServerFlags): string[] {
  return [
    "mcp",
    "--stdio",
    ...(root === undefined ? [] : ["--root", root]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
    ...(isReadOnly ? ["--read-only"] : []),
    ...(remote === undefined ? [] : ["--remote", remote]),
    ...(isLocalFirst ? ["--local-first"] : []),
    ...(fromRemote === undefined ? [] : ["--from-remote", fromRemote]),
  ];
}

/** Reads the flags of `svc mcp` from the arguments after `mcp`. */
function parseFlags(args: readonly string[]): ServerFlags {
  const words = args.slice(args.indexOf("mcp") + 1);
  const valueOf = (flag: string): string | undefined => {
    const joined = words.find((word) => word.startsWith(`${flag}=`));
    const at = words.indexOf(flag);
    return joined?.slice(flag.length + 1) ?? (at === -1 ? undefined : words[at + 1]);
  };
  return {
    root: valueOf("--root"),
    namespace: valueOf("--namespace"),
    isReadOnly: words.includes("--read-only"),
    remote: valueOf("--remote"),
    isLocalFirst: words.includes("--local-first"),
    fromRemote: valueOf("--from-remote"),
  };
}

function argumentsOf({ command, args }: Entry): string[] {
  const words: unknown[] = Array.isArray(args) ? args : Array.isArray(command) ? command : [];
  return words.filter((word) => typeof word === "string");
}

/** Returns the changes that add missing values. Existing values are kept. */
function missingChanges(present: Entry, key: string, value: unknown): EntryChange[] {
  const has = present[key];
  if (has === undefined) return [{ path: [key], value }];
  if (Array.isArray(value) && Array.isArray(has)) {
    const added = value.filter((item) => !has.includes(item));
    return added.length === 0 ? [] : [{ path: [key], value: [...has, ...added] }];
  }
  if (!isEntry(value) || !isEntry(has)) return [];
  return Object.entries(value)
    .filter(([inner]) => has[inner] === undefined)
    .map(([inner, item]) => ({ path: [key, inner], value: item }));
}

/** Returns true for an object that is not an array. */
export function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
