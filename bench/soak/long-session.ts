// One server over standard input that is queried while its files are edited: the memory of its process, and the
// time of its answers, at the beginning and at the end.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { wordOf } from "../freshness/project.ts";
import { Server, until } from "../freshness/server.ts";
import { residentBytes } from "../http/served.ts";
import { median, quantile } from "../report.ts";
import { homesIn, runSvc, withToken } from "../workspace.ts";
import { failures, wrongPassages, wrongRefusals } from "./check-answer.ts";
import { EditedProject } from "./edited-project.ts";

const FILES = 200;
export const QUERIES_PER_SECOND = 20;
const EDIT_EVERY_MS = 250;
/** Answers that lag behind the files for longer than this are wrong. */
const LAG_MS = 120_000;
/** How long the last run of the indexer may take after the last edit. */
const REST_MS = 60_000;
const MB = 1e6;
const HOUR_MS = 3_600_000;

interface Sample {
  readonly atMs: number;
  /** Open descriptors. */
  readonly fds: number;
  readonly rssBytes: number;
  /** Time of the previous answer. */
  readonly tookMs: number;
}

/** Figures of the second quarter of the session, when everything is warm, and of the last quarter. */
type Then = readonly [second: number, last: number];

export interface Session {
  readonly queries: number;
  readonly edits: number;
  /**
   * The maximum in the second quarter, and the minimum in the last quarter or after it: runs of the indexer hold some
   * for moments, and on a busy machine one run can last for a quarter of a short session.
   */
  readonly fds: Then;
  /** The minimum: what remains after garbage collection. */
  readonly rssMb: Then;
  readonly rssMbPerHour: number;
  readonly p95Ms: Then;
  readonly wrong: readonly string[];
  readonly errors: readonly string[];
}

/** A session of this many queries, 20 per second. Only Linux shows the descriptors of other processes. */
export async function longSession(queries: number): Promise<Session> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-soak-")));
  const root = join(base, "project");
  mkdirSync(root);
  const project = new EditedProject(root, FILES);
  const env = withToken(homesIn(base)());
  runSvc(["index", root], env);
  const server = await Server.start(root, env);
  try {
    // From here on the server has all its threads; on a busy machine a short session could end before that.
    const isReady = async (): Promise<boolean> =>
      ["watched", "polled"].includes((await server.freshness())?.mode ?? "");
    await until(isReady, { withinMs: REST_MS });
    const over = new AbortController();
    const editing = (async () => {
      for (; !over.signal.aborted; await wait(EDIT_EVERY_MS)) project.edit();
    })();
    const { samples, wrong } = await askAll(queries, server, project).finally(() => over.abort());
    await editing;
    const found = summary(samples);
    const [most, last] = found.fds;
    const atRest = last <= most ? last : await fewestDescriptors(server.pid, most);
    await server.close();
    const { edits } = project;
    const fds = [most, Math.min(last, atRest)] as const;
    return { ...found, fds, queries, edits, wrong, errors: server.warnings };
  } finally {
    await server.kill();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Returns the number of descriptors as soon as it is at most `wanted`, otherwise the fewest within REST_MS. */
async function fewestDescriptors(pid: number, wanted: number): Promise<number> {
  const end = performance.now() + REST_MS;
  let fewest = Infinity;
  while (fewest > wanted && performance.now() < end) {
    fewest = Math.min(fewest, descriptorsOf(pid));
    // oxlint-disable-next-line no-await-in-loop -- polling
    await wait(100);
  }
  return fewest;
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function askAll(
  queries: number,
  server: Server,
  project: EditedProject,
): Promise<{ wrong: string[]; samples: Sample[] }> {
  const [samples, wrong]: [Sample[], string[]] = [[], []];
  const pauseMs = 1000 / QUERIES_PER_SECOND;
  let next = performance.now();
  for (let nth = 0; nth < queries; nth += 1, next += pauseMs) {
    const from = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- one after the other, like a client
    const result = await server.call(...question(nth, project));
    const atMs = performance.now();
    const sinceMs = from - LAG_MS;
    wrong.push(...failures(result));
    wrong.push(...wrongPassages(result, project, sinceMs));
    wrong.push(...wrongRefusals(result, project, sinceMs));
    if (nth % 1000 === 999) project.forget(sinceMs);
    samples.push({
      atMs,
      tookMs: atMs - from,
      fds: descriptorsOf(server.pid),
      rssBytes: residentBytes(server.pid) ?? NaN,
    });
    // oxlint-disable-next-line no-await-in-loop -- as above
    await wait(Math.max(0, next + pauseMs - performance.now()));
  }
  return { wrong, samples };
}

function question(nth: number, project: EditedProject): [tool: string, input: unknown] {
  switch (nth % 4) {
    case 0:
      return ["read_context", { targets: [project.anyPath()] }];
    case 1:
      return ["search_text", { pattern: wordOf(nth % FILES), limit: 20 }];
    case 2:
      return ["find_symbol", { name: `balance${nth % FILES}` }];
    default:
      return ["search_context", { query: `the ${wordOf(nth % FILES)} of the ledger, ${nth}` }];
  }
}

function summary(
  samples: readonly Sample[],
): Pick<Session, "fds" | "rssMb" | "rssMbPerHour" | "p95Ms"> {
  const quarter = Math.floor(samples.length / 4);
  const of = (figure: (part: readonly Sample[]) => number): Then => [
    figure(samples.slice(quarter, 2 * quarter)),
    figure(samples.slice(-quarter)),
  ];
  const at = of((part) => median(part.map(({ atMs }) => atMs)));
  const rssMb = of((part) => Math.min(...part.map(({ rssBytes }) => rssBytes / MB)));
  return {
    fds: [
      quantile(
        samples.slice(quarter, 2 * quarter).map(({ fds }) => fds),
        1,
      ),
      quantile(
        samples.slice(-quarter).map(({ fds }) => fds),
        0,
      ),
    ],
    rssMb,
    rssMbPerHour: ((rssMb[1] - rssMb[0]) / (at[1] - at[0])) * HOUR_MS,
    p95Ms: of((part) =>
      quantile(
        part.map(({ tookMs }) => tookMs),
        0.95,
      ),
    ),
  };
}
