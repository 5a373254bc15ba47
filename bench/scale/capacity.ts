// Which part of the one database gives out first as a team grows, and what replaces it then.
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
  /** What the team needs of it, as a share of what there is. */
  readonly use: number;
  readonly replacement: string;
}

export interface DatabaseSize {
  /** After the first index of every repository. */
  readonly firstBytes: number;
  /** After some pushes to each: with commits and segments that the next base replaces. */
  readonly pushedBytes: number;
  /** The same with the indexes in a store of objects: texts and commits. */
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

/** The parts of the database, the one that gives out first at the beginning. */
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

/** How many repositories use a part as much as is safe, if the need of it grows in proportion. */
export function safeRepositories({ use }: Part, repositories: number): number {
  return (repositories * MAX_USE) / use;
}

/** Primaries for this size with the indexes in the database, and with them in a store of objects. */
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

/** The first index of everything: hours of a processor, and bytes of the log. */
export function firstIndexOf({ totalBytes }: Repositories): {
  readonly cpuMs: number;
  readonly logBytes: number;
} {
  return {
    cpuMs: totalBytes * FIRST_INDEX_CPU_MS_PER_BYTE,
    logBytes: totalBytes * FIRST_INDEX_LOG_SHARE,
  };
}
