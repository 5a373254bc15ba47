// Measured figures, and limits from the sources. Each figure names its origin:
// - 0058: docs/decisions/0058-postgresql.md, "Figures": webpack 5.112.2 (897 files, 14 MB), two cores.
// - prototype: the prototype that 0058 mentions, mostly with Linux 6.1 (947 MB of text, 1.25 million chunks).
// - costs: `node bench/scale.ts --measure`, webpack as a git repository, two cores with other load.
// - growth: the table of bench/README.md, "Growth".
import { HTTP_LIMITS } from "../../src/transports/http/limits.ts";
import { logNormalOf, withMean } from "./random.ts";

export const KB = 1e3;
export const MB = 1e6;
export const GB = 1e9;
export const TB = 1e12;
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Source files of webpack; 0058. */
export const WEBPACK_BYTES = 14.1 * MB;
/** Its index, which a node copies; 0058. */
const WEBPACK_INDEX_BYTES = 6.5 * MB;
/** Linux 6.1; prototype. */
const LINUX_BYTES = 947 * MB;

/**
 * Runs of real nodes on two cores with the database and the clients: answers per second and CPU time of an answer;
 * 0058.
 */
export const REAL_RUNS = [
  { nodes: 1, answersPerSecond: 56, cpuMs: 21 },
  { nodes: 2, answersPerSecond: 72, cpuMs: 25 },
  { nodes: 4, answersPerSecond: 71, cpuMs: 26 },
] as const;
export const REAL_CORES = 2;
/** Clients of each of these nodes, which ask one question after the other; bench/team-scale.ts. */
export const REAL_CLIENTS = 4;
/** The first answer of a namespace that a node has never used; 0058. */
export const REAL_COLD_MS = { p50: 114, p95: 129 } as const;

/** A question of a client: writing it, and reading the answer; costs: 2.2 ms. */
export const CLIENT_CPU_MS = 2.2;
/** A question in the database: the newest state, credentials, and its share of the polling; costs: 0.49 ms. */
export const DATABASE_CPU_MS = 0.5;
/** Share of a question that the main thread of the node computes; costs: 21.7 of 24.0 ms. The rest is in other threads. */
export const MAIN_THREAD_SHARE = 0.9;
const [LIGHT_RUN, ...FULL_RUNS] = REAL_RUNS;
/** A question while one node answered, and while two and four nodes did, which kept all cores busy. */
const LIGHT_CPU_MS = LIGHT_RUN.cpuMs;
const FULL_CPU_MS = FULL_RUNS.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / FULL_RUNS.length;
/** Share of the cores that was busy while one node answered, with its clients and the database. */
const LIGHT_BUSY_SHARE =
  (LIGHT_RUN.answersPerSecond * (LIGHT_CPU_MS + CLIENT_CPU_MS + DATABASE_CPU_MS)) /
  (REAL_CORES * SECOND_MS);
/** One core of two is the lightest measured load. */
const MIN_BUSY_SHARE = 1 / REAL_CORES;

/** Processor time of a question if only one core is busy: a linear extrapolation from the two figures. */
export const QUESTION_CPU_MS =
  LIGHT_CPU_MS -
  ((FULL_CPU_MS - LIGHT_CPU_MS) * (LIGHT_BUSY_SHARE - MIN_BUSY_SHARE)) / (1 - LIGHT_BUSY_SHARE);

/** Busy cores slow each other down: they share caches, memory and the host machine. */
export function measuredSlowdown(busyShare: number): number {
  const share = Math.max(busyShare, MIN_BUSY_SHARE);
  const above = (share - MIN_BUSY_SHARE) / (1 - MIN_BUSY_SHARE);
  return 1 + above * (FULL_CPU_MS / QUESTION_CPU_MS - 1);
}

/** How questions differ, with a mean of 1: growth, "query, median / p95" of webpack, 2.1 and 7.2 ms. */
export const QUESTION_FACTOR = withMean(1, logNormalOf({ p50: 2.1, p95: 7.2 }));
/** A question on Linux; prototype, which was slower than svc, so this is a conservative figure. */
const LINUX_QUESTION_CPU_MS = 158;
/** Processor time that each byte of the repository adds to a question. */
export const QUESTION_CPU_MS_PER_BYTE =
  (LINUX_QUESTION_CPU_MS - LIGHT_CPU_MS) / (LINUX_BYTES - WEBPACK_BYTES);
/** Files whose text an answer with ten results shows, and the node's time for each; prototype: 0.09 ms. */
export const TEXT_CPU_MS = 10 * 0.09;
/** Bytes that the node receives for them, and the database's time; costs: 34 kB and 0.6 ms. */
export const TEXT_BYTES = 34 * KB;
export const TEXT_DATABASE_CPU_MS = 0.6;

/** Bytes of an index for each byte of the sources; 0058. */
export const INDEX_SHARE = WEBPACK_INDEX_BYTES / WEBPACK_BYTES;
/** Bytes of the texts for each byte of the sources; prototype. */
export const TEXT_SHARE = 0.284;
/**
 * Growth of the tables by pushes: commits and segments that the next base replaces. costs: 1.34 and 1.57 times the source
 * after 30 and 40 pushes, from 0.83, before the server had reused the space of deleted rows; 1.3 with reuse.
 */
export const PUSHED_DATABASE_SHARE = 1.3;
/** Bytes of the kept commits of a namespace, half of the 64 after which there is a new base; costs: 31 to 43 kB each. */
export const KEPT_COMMITS_BYTES = 32 * 37 * KB;

/** One transfer of an index to a node, including the node's work meanwhile; 0058. */
export const HYDRATE_BYTES_PER_MS = 79e6 / SECOND_MS;
/** Bytes of the transfer for each processor millisecond of the node; prototype. */
export const HYDRATE_BYTES_PER_CPU_MS = 330e6 / SECOND_MS;
/** The database's time for each byte; costs: 1.25 ms per MB. */
export const HYDRATE_DATABASE_CPU_MS_PER_BYTE = 1.25 / MB;

/** Time that the size of a repository adds to a push; growth, "no change": 148 ms for 12 MB, 1127 ms for 947 MB. */
export const PUSH_CPU_MS_PER_BYTE = (1127 - 148) / (935 * MB);
/** The rest of a push of three changed files: fetching and indexing on the index node; costs: 442 ms for webpack. */
export const PUSH_CPU_MS = 442 - WEBPACK_BYTES * PUSH_CPU_MS_PER_BYTE;
/** The database's cost of a push: processor time and bytes of its log; costs: 58 ms and 288 kB. */
export const PUSH_DATABASE_CPU_MS = 58;
export const PUSH_LOG_BYTES = 288 * KB;
/** Commits of a push; costs: 2.75. */
export const PUSH_COMMITS = 2.75;
/** A node's time until it answers from a push: changes of the catalogue, and refilling caches; costs: 34 ms. */
export const APPLY_CPU_MS = 34;
/** Time from a commit until another node finds its words; 0058. */
export const VISIBLE_MS = { p50: 5.4, p95: 13.7 } as const;

/** A first index; costs: 15.2 s of a processor and 11.8 MB of the database's log for webpack. */
export const FIRST_INDEX_CPU_MS_PER_BYTE = (15.2 * SECOND_MS) / WEBPACK_BYTES;
export const FIRST_INDEX_LOG_SHARE = 11.8 / 14.1;

/**
 * A commit with a synchronous standby on another host: p50 3.1 ms, p95 19.5 ms; prototype. PostgreSQL ends transactions
 * with NOTIFY one after the other: each holds a lock of the whole server until it has ended (async.c, PreCommit_Notify).
 */
export const COMMIT_MS = logNormalOf({ p50: 3.1, p95: 19.5 });
/** Commits of one namespace in a second; a limit of the design. */
export const MAX_COMMITS_PER_SECOND_OF_ONE = 10;

/** Concurrent calls of one process, waiting time until a call is refused, and maximum time of a call. */
export const MAX_CALLS_OF_PROCESS = HTTP_LIMITS.inFlight;
export const MAX_QUEUE_MS = HTTP_LIMITS.queueMs;
export const MAX_CALL_MS = HTTP_LIMITS.callMs;
/** Connections of one process to the database (MAX_CONNECTIONS, src/postgres/database.ts), and one for notifications. */
export const POOL_CONNECTIONS = 8;
export const LISTEN_CONNECTIONS = 1;
/** Maximum age of the state of a copy when it answers (MAX_AGE_MS, src/backend/postgres-backend.ts). */
export const MAX_AGE_MS = 1000;
/** How often an idle index node checks for updates (POLL_MS, src/engine/indexing/update-worker.ts). */
export const UPDATE_POLL_MS = 1000;
/** A copy that was used within this time is not deleted (src/index/postgres/copy-limit.ts). */
export const MIN_UNUSED_MS = 120_000;
/** The largest namespace of the design, 2.5 million chunks: 2.0 times the chunks of Linux. */
export const MAX_REPOSITORY_BYTES = 2 * LINUX_BYTES;
