// Finds the part of the single database that reaches its limit first as a team grows, and its replacement.
import {
  DATABASE_BYTES,
  DATABASE_CONNECTIONS,
  DATABASE_CORES,
  LOG_BYTES_PER_MS,
  MAX_USE,
  NETWORK_BYTES_PER_MS,
  NODE_CORES,
} from "./assumptions.ts";
import {
  DATABASE_CPU_MS,
  FIRST_INDEX_CPU_MS_PER_BYTE,
  FIRST_INDEX_LOG_SHARE,
  INDEX_SHARE,
  KEPT_COMMITS_BYTES,
  LISTEN_CONNECTIONS,
  POOL_CONNECTIONS,
  PUSHED_DATABASE_SHARE,
  TEXT_BYTES,
  TEXT_DATABASE_CPU_MS,
  TEXT_SHARE,
} from "./constants.ts";
import type { Plan, SteadyState } from "./plan.ts";
import { questionsPerMs, type Repositories } from "./repositories.ts";

/** A part of the database, in the busiest hour. */
export interface Part {
  readonly name: string;
  /** The team's need, as a share of the available capacity. */
  readonly use: number;
  readonly replacement: string;
}

export interface DatabaseSize {
  /** After the first index of every repository. */
  readonly firstBytes: number;
  /** After some pushes to each: with commits and segments that the next base replaces. */
  readonly pushedBytes: number;
  /** The same with the indexes in an object store: texts and commits. */
  readonly withoutIndexesBytes: number;
}

const BY_HASH = "several primaries by a hash of the namespace, each with its own nodes";
const IN_OBJECTS = "indexes as objects in S3";

export function sizeOfDatabase({ totalBytes, count }: Repositories): DatabaseSize {
  const texts = totalBytes * TEXT_SHARE;
  return {
    firstBytes: totalBytes * INDEX_SHARE + texts,
    pushedBytes: totalBytes * PUSHED_DATABASE_SHARE,
    withoutIndexesBytes: texts + count * KEPT_COMMITS_BYTES,
  };
}

/** The parts of the database, beginning with the one that reaches its limit first. */
export function partsOf(
  { repositories, readNodes, indexNodes }: Plan,
  steady: SteadyState,
): readonly Part[] {
  const questions = questionsPerMs(repositories.count);
  const cores = questions * (DATABASE_CPU_MS + TEXT_DATABASE_CPU_MS) + steady.databaseCpuShare;
  const processes = readNodes * NODE_CORES + indexNodes;
  const connections = processes * (POOL_CONNECTIONS + LISTEN_CONNECTIONS);
  const parts: readonly Part[] = [
    {
      name: "size",
      use: sizeOfDatabase(repositories).pushedBytes / DATABASE_BYTES,
      replacement: `${IN_OBJECTS}; then ${BY_HASH}`,
    },
    {
      name: "connections",
      use: connections / DATABASE_CONNECTIONS,
      replacement: "a pooler for everything but LISTEN",
    },
    {
      name: "commits with NOTIFY, one after the other",
      use: steady.commitLockShare,
      replacement: BY_HASH,
    },
    { name: "processors", use: cores / DATABASE_CORES, replacement: "texts from the standby" },
    {
      name: "network",
      use: (questions * TEXT_BYTES + steady.sentBytesPerMs) / NETWORK_BYTES_PER_MS,
      replacement: IN_OBJECTS,
    },
    { name: "log", use: steady.logBytesPerMs / LOG_BYTES_PER_MS, replacement: BY_HASH },
  ];
  return parts.toSorted((one, other) => other.use - one.use);
}

/** The number of repositories at which a part reaches its safe limit, if the need grows in proportion. */
export function safeRepositories({ use }: Part, repositories: number): number {
  return (repositories * MAX_USE) / use;
}

/** Primaries for this size with the indexes in the database, and with the indexes in an object store. */
export function neededPrimaries(
  plan: Plan,
  steady: SteadyState,
): { readonly whole: number; readonly withoutIndexes: number } {
  const parts = partsOf(plan, steady);
  const others = parts.filter(({ name }) => name !== "size").map(({ use }) => use);
  const { pushedBytes, withoutIndexesBytes } = sizeOfDatabase(plan.repositories);
  const needed = (bytes: number): number =>
    Math.ceil(Math.max(bytes / DATABASE_BYTES, ...others) / MAX_USE);
  return { whole: needed(pushedBytes), withoutIndexes: needed(withoutIndexesBytes) };
}

/** The first index of everything: processor hours, and bytes of the log. */
export function firstIndexOf({ totalBytes }: Repositories): {
  readonly cpuMs: number;
  readonly logBytes: number;
} {
  return {
    cpuMs: totalBytes * FIRST_INDEX_CPU_MS_PER_BYTE,
    logBytes: totalBytes * FIRST_INDEX_LOG_SHARE,
  };
}
