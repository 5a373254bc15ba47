// Figures that nobody has measured: the repositories and their use, the machines, and the targets. A real team has
// other figures; most answers are in proportion to them.
import { GB, MB, SECOND_MS, TB } from "./constants.ts";
import type { LogNormal } from "./random.ts";

/** Repositories for each developer who works on them. */
export const REPOSITORIES_PER_DEVELOPER = 5;
/** Questions of a developer and of the developer's agents in a working day. */
export const QUESTIONS_OF_DAY = 600;
/** Share of a day's questions and pushes in its busiest hour. */
export const PEAK_HOUR_SHARE = 0.15;
/** Mean over all repositories, on a working day. */
export const PUSHES_OF_DAY = 1;
/** Size of the sources of a repository: median 2 MB, mean 10 MB, one in a hundred above 130 MB. */
export const REPOSITORY_BYTES: LogNormal = { median: 2 * MB, sigma: 1.8 };
/**
 * Exponents of the Zipf distributions of questions and of pushes over the repositories. Sizes do not depend on ranks.
 */
export const QUESTION_EXPONENT = 0.9;
export const PUSH_EXPONENT = 0.5;

/** A read or index node: cores, each with a process of svc, and the limit of its copies. */
export const NODE_CORES = 8;
export const NODE_COPIES_BYTES = 500 * GB;
/** How long the nodes have run before the model measures the steady state. */
export const UPTIME_DAYS = 7;

/** The machine of the primary; the standby has an equal one. */
export const DATABASE_CORES = 16;
/** Bandwidth of the database and of a node: 10 Gbit/s. */
export const NETWORK_BYTES_PER_MS = 1250e6 / SECOND_MS;
/** Log rate that the standby and the archive can sustain all day. */
export const LOG_BYTES_PER_MS = 200e6 / SECOND_MS;
/** A base backup of this size takes two hours at 500 MB/s. */
export const DATABASE_BYTES = 4 * TB;
/** Each takes about 10 MB of memory of the server. */
export const DATABASE_CONNECTIONS = 2000;
/** Processors and parts of the database are used up to this share: the busiest minute is worse than the busiest hour. */
export const MAX_USE = 0.7;
/** One spare node, so that one may be lost. */
export const MIN_NODES = 2;

/** The target of an answer, p95; the interface promises it for MCP calls. */
export const TARGET_MS = 250;
/** The target of an update, p95: from the push until the last commit of it. */
export const UPDATE_TARGET_MS = 5 * SECOND_MS;
/** A question to a node that is lost goes to another one after this time. */
export const RETRY_MS = 1 * SECOND_MS;
/** Nodes that keep the copy of a namespace, if the balancer knows the namespace. */
export const NODES_OF_NAMESPACE = 2;
