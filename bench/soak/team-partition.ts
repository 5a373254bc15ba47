// Two hosts of a team, each with a machine that indexes and a read node: one host has the primary, the other its
// synchronous standby. The bench cuts the cable of the first host while both index, first for some seconds, and then
// until after the promotion of the standby. Changes that `svc index` acknowledged must not be lost, no answer may be
// wrong, no client may continue with the former primary, and in the end all copies must be equal.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { parseDatabaseUrl } from "../../src/postgres/database-url.ts";
import { Database } from "../../src/postgres/database.ts";
import { certificate } from "../../test/helpers/certificate.ts";
import { startNetwork, type NetworkHost } from "../../test/helpers/network-hosts.ts";
import {
  startPostgres,
  startStandby,
  type PostgresStandby,
} from "../../test/helpers/postgres-server.ts";
import type { Environment } from "../workspace.ts";
import {
  acknowledgedBefore,
  answerProblem,
  nameOf,
  newFiles,
  picked,
  save,
  textOf,
  type EditedFile,
} from "./ledger.ts";
import { NetworkReadNode, passagesOf, runSvcOn } from "./network-nodes.ts";
import { machinesOf, Run } from "./team-machines.ts";
import { copyProblems, logProblems, staleFiles } from "./team-state.ts";

const NAMESPACE = "team";
const FILES = 10;
/** Pause between two runs of a machine, and between two questions to a node. */
const SAVE_PAUSE_MS = 2000;
const ASK_PAUSE_MS = 1000;
/** Number of files to query before copies are compared. */
const NEWEST = 4;
/** A queried node brings a copy of this age up to date. */
const COPY_AGE_MS = 1500;
/** Within this time after a change of the network, every machine must work as before. */
const RECOVERY_MS = 90_000;
/** A node with a database knows the earlier commits of other nodes. */
const LAG_MS = 10_000;
/** Error messages of svc with which a run or a question may end while the network is cut. */
const REFUSED =
  /The database at [\d.:, ]+ (?:cannot be reached|has given no answer|accepts no writes|took too long)|BACKEND_UNAVAILABLE|Another svc process/;

export interface PartitionEffort {
  /** Number of cuts that end before the standby is promoted. */
  readonly cuts: number;
  /** How long the cable is cut, in milliseconds. */
  readonly cutMs: number;
}

export interface PartitionOutcome {
  /** Runs of `svc index` that ended with 0, and those that were refused. */
  acknowledged: number;
  refused: number;
  /** Acknowledged saves that are missing after the promotion or in the end. */
  lost: number;
  answers: number;
  /** Answers of the host with the primary while it is cut off. */
  answersWhileCut: number;
  /** Questions that were refused because of the cut. */
  refusedAnswers: number;
  /** Commits in the end. */
  commits: number;
  /** Commits that do not follow their predecessor. */
  gaps: number;
  /** Copies that are equal in the end. */
  copies: number;
  readonly wrong: string[];
  readonly errors: string[];
}

/** One of the two hosts, with its machines. */
interface Site {
  readonly name: string;
  readonly host: NetworkHost;
  readonly env: Environment;
  readonly files: readonly EditedFile[];
  readonly node: NetworkReadNode;
  readonly nodeEnv: Environment;
  run: Run | undefined;
  /** The start of the last acknowledged run. */
  savedAtMs: number;
  refused: number;
  answers: number;
}

interface Scene {
  readonly outcome: PartitionOutcome;
  readonly root: string;
  readonly key: string;
  readonly sites: readonly [Site, Site];
  /** While it is cut, old answers are right. */
  joinedAtMs: number;
  isCut: boolean;
  isPaused: boolean;
  isOver: boolean;
}

export async function teamPartition(effort: PartitionEffort): Promise<PartitionOutcome> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-partition-")));
  const ends: Ends = [async () => rmSync(base, { recursive: true, force: true })];
  try {
    const { scene, standby, url, machine } = await startTeam(base, ends);
    const work = Promise.all(
      scene.sites.flatMap((site) => [
        writeAgainAndAgain(scene, site),
        askAgainAndAgain(scene, site),
      ]),
    );
    try {
      await everybodySaves(scene);
      for (let cuts = 0; cuts < effort.cuts; cuts += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one cut after the other
        await cutForAWhile(scene, effort.cutMs);
      }
      await cutAndPromote(scene, effort.cutMs, async () => {
        await standby.promote();
        await countLost(scene, machine());
      });
    } finally {
      scene.isOver = true;
      await work;
    }
    const newcomer = machine();
    await countLost(scene, newcomer);
    await compare(scene, { url, newcomer });
    return scene.outcome;
  } finally {
    for (const end of ends.toReversed()) {
      // oxlint-disable-next-line no-await-in-loop -- the network after its programs
      await end();
    }
  }
}

/** Cleanup functions, in the order of the starts. */
type Ends = (() => Promise<void>)[];

interface Team {
  readonly scene: Scene;
  readonly standby: PostgresStandby;
  /** Address of the standby for this process. */
  readonly url: string;
  /** Makes the environment of a machine. */
  readonly machine: () => Environment;
}

async function startTeam(base: string, ends: Ends): Promise<Team> {
  const network = await startNetwork(2);
  ends.push(network.remove);
  const [first, second] = network.hosts;
  if (first === undefined || second === undefined) throw new Error("there are two hosts");
  const trusted = certificate(network.names);
  const authority = join(base, "ca.pem");
  writeFileSync(authority, trusted.cert);
  const primary = await startPostgres(trusted, first);
  ends.push(primary.stop);
  const standby = await startStandby(primary, [first, second]);
  ends.push(standby.stop);
  const own = primary.freshUrl();
  const [one, other] = [first, second].map(({ address }) => `${address}:${primary.port}`);
  const both = own.replace(`${one}`, `${one},${other}`);
  const machine = machinesOf(base, `${both}&sslrootcert=${encodeURIComponent(authority)}`);
  const root = join(base, "project");
  mkdirSync(root);
  const siteOf = (name: string, host: NetworkHost, files: readonly EditedFile[]): Site => {
    const nodeEnv = machine();
    const node = new NetworkReadNode(host, nodeEnv, nodeEnv["HOME"] ?? "");
    ends.push(() => node.kill());
    const counts = { savedAtMs: 0, refused: 0, answers: 0 };
    return { name, host, env: machine(), files, node, nodeEnv, run: undefined, ...counts };
  };
  const sites = [
    siteOf("A", first, newFiles(root, 0, FILES)),
    siteOf("B", second, newFiles(root, 1, FILES)),
  ] as const;
  const [{ env }] = sites;
  runSvcOn(first, ["index", root, "--namespace", NAMESPACE], env);
  const words = ["auth", "keys", "create", "--name", "soak", "--namespace", NAMESPACE];
  const key = runSvcOn(first, words, env).trim();
  await Promise.all(sites.map(({ node }) => node.start()));
  const states = { isCut: false, isPaused: false, isOver: false, joinedAtMs: performance.now() };
  return {
    scene: { outcome: newOutcome(), root, key, sites, ...states },
    standby,
    url: own.replace(first.address, encodeURIComponent(standby.folder)),
    machine,
  };
}

function newOutcome(): PartitionOutcome {
  const counts = { acknowledged: 0, refused: 0, lost: 0, answers: 0, answersWhileCut: 0 };
  return { ...counts, refusedAnswers: 0, commits: 0, gaps: 0, copies: 0, wrong: [], errors: [] };
}

async function writeAgainAndAgain(scene: Scene, site: Site): Promise<void> {
  const { outcome, root } = scene;
  while (!scene.isOver) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    await wait(SAVE_PAUSE_MS);
    if (scene.isPaused) continue;
    for (const file of picked(site.files, 2)) save(root, file);
    const included = site.files.map(({ version }) => version);
    const begunAtMs = performance.now();
    site.run = new Run(["index", root, "--namespace", NAMESPACE], site.env, site.host);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { exit, stderr } = await site.run.ended;
    site.run = undefined;
    if (exit === 0) {
      outcome.acknowledged += 1;
      site.savedAtMs = begunAtMs;
      const atMs = performance.now();
      for (const [at, file] of site.files.entries())
        file.acknowledged.push({ version: included[at] ?? 0, atMs });
    } else if (exit === 2 && REFUSED.test(stderr)) {
      outcome.refused += 1;
      site.refused += 1;
    } else outcome.errors.push(`svc index on ${site.name} ended with ${exit}: ${stderr}`);
  }
}

async function askAgainAndAgain(scene: Scene, site: Site): Promise<void> {
  const { outcome, key, sites } = scene;
  const files = sites.flatMap((one) => one.files);
  while (!scene.isOver) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await wait(ASK_PAUSE_MS);
    const [file] = picked(files, 1);
    if (file === undefined) continue;
    const wasCut = scene.isCut;
    const askedAtMs = performance.now();
    try {
      const body = { query: `balance of ${nameOf(file.path)}`, limit: 3 };
      // oxlint-disable-next-line no-await-in-loop -- as above
      const reply = await site.node.ask(key, body);
      if (reply.status === 200) {
        outcome.answers += 1;
        site.answers += 1;
        const isJoined = !wasCut && !scene.isCut && askedAtMs - scene.joinedAtMs > LAG_MS;
        const oldest = isJoined ? acknowledgedBefore(file, askedAtMs - LAG_MS) : 0;
        const problem = answerProblem(passagesOf(reply), file, oldest);
        if (problem !== undefined) outcome.wrong.push(`${site.name}: ${problem}`);
      } else if (REFUSED.test(reply.body)) outcome.refusedAnswers += 1;
      else outcome.errors.push(`${site.name} answered with ${reply.status}: ${reply.body}`);
    } catch (thrown) {
      outcome.errors.push(`${site.name} gave no reply: ${String(thrown)}`);
    }
  }
}

/** Waits until each of these sites has saved, from the beginning of a run to its end, and answered. */
async function everybodySaves(scene: Scene, sites: readonly Site[] = scene.sites): Promise<void> {
  const nowMs = performance.now();
  const before = sites.map(({ answers }) => answers);
  await until(scene, "not every site saves and answers", () =>
    sites.every((site, at) => site.savedAtMs > nowMs && site.answers > (before[at] ?? 0)),
  );
}

async function until(scene: Scene, problem: string, isTrue: () => boolean): Promise<void> {
  const end = performance.now() + RECOVERY_MS;
  while (!isTrue()) {
    if (performance.now() > end) {
      scene.outcome.errors.push(`${problem} within ${RECOVERY_MS} ms`);
      return;
    }
    // oxlint-disable-next-line no-await-in-loop -- a poll
    await wait(50);
  }
}

/** Cuts the first host off while it commits. */
async function cut(scene: Scene): Promise<void> {
  const [first] = scene.sites;
  await until(scene, "no run begins", () => first.run !== undefined);
  await wait(Math.random() * 300);
  scene.isCut = true;
  first.host.cut();
}

/** Ends the cut. Then every machine must work as before, and the read nodes must have the same copies. */
async function joinAgain(scene: Scene): Promise<void> {
  const { outcome, sites } = scene;
  sites[0].host.plug();
  scene.isCut = false;
  scene.joinedAtMs = performance.now();
  await everybodySaves(scene);
  await nobodyWrites(scene, sites);
  await Promise.all(sites.map((site) => knowsEverything(scene, site)));
  outcome.wrong.push(...(await differences(scene)));
  scene.isPaused = false;
}

/** Compares the copies of the read nodes, which have some seconds to become equal while they are queried. */
async function differences(scene: Scene): Promise<readonly string[]> {
  const { sites } = scene;
  const nodes = sites.map(({ nodeEnv }) => nodeEnv);
  const end = performance.now() + LAG_MS;
  for (;;) {
    // The last commit of a run changes no answer. A node checks for it when its copy is a second old. One thread of the
    // node answers from the current copy while another brings it up to date.
    // oxlint-disable-next-line no-await-in-loop -- a poll
    await wait(COPY_AGE_MS);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await Promise.all(sites.map((site) => knowsEverything(scene, site)));
    const problems = copyProblems(nodes, NAMESPACE, new Map());
    if (problems.length === 0 || performance.now() > end) return problems;
  }
}

/** Pauses the runs, and waits for the runs of these sites. */
async function nobodyWrites(scene: Scene, sites: readonly Site[]): Promise<void> {
  scene.isPaused = true;
  await until(scene, "a run does not end", () => sites.every(({ run }) => run === undefined));
}

/** Waits until the node of a site answers with the versions that any site acknowledged last. */
async function knowsEverything(scene: Scene, { name, node }: Site): Promise<void> {
  const { outcome, key, sites } = scene;
  const lasts = sites
    .flatMap(({ files }) => files)
    .map((file) => ({ file, last: file.acknowledged.at(-1) }))
    .toSorted((one, other) => (other.last?.atMs ?? 0) - (one.last?.atMs ?? 0))
    .slice(0, NEWEST);
  const end = performance.now() + RECOVERY_MS;
  let problem: string | undefined = "there is no file";
  for (const { file, last } of lasts) {
    do {
      const body = { query: `balance of ${nameOf(file.path)}`, limit: 3 };
      // oxlint-disable-next-line no-await-in-loop -- one question after the other
      const reply = await node.ask(key, body);
      problem =
        reply.status === 200
          ? answerProblem(passagesOf(reply), file, last?.version ?? 0)
          : `the reply is ${reply.status}`;
    } while (problem !== undefined && performance.now() < end);
    if (problem !== undefined) outcome.wrong.push(`${name} lags behind: ${problem}`);
  }
}

async function cutForAWhile(scene: Scene, cutMs: number): Promise<void> {
  const { outcome, sites } = scene;
  await cut(scene);
  const [{ answers }] = sites;
  await wait(cutMs);
  outcome.answersWhileCut += sites[0].answers - answers;
  await joinAgain(scene);
}

/**
 * Cuts the first host off, promotes the standby on the second one, and joins them again while both accept writes. It
 * calls `promote` while no run on the second host writes.
 */
async function cutAndPromote(
  scene: Scene,
  cutMs: number,
  promote: () => Promise<void>,
): Promise<void> {
  const { outcome, sites } = scene;
  const [first, second] = sites;
  await cut(scene);
  const { answers } = first;
  await until(scene, "no run is refused on the second host", () => second.refused > 0);
  await nobodyWrites(scene, [second]);
  await promote();
  scene.isPaused = false;
  await everybodySaves(scene, [second]);
  await wait(cutMs);
  outcome.answersWhileCut += first.answers - answers;
  // Now both accept writes.
  await joinAgain(scene);
}

/** Counts the files of which a new copy has an older version than an acknowledged one. */
async function countLost({ outcome, sites }: Scene, env: Environment): Promise<void> {
  const acknowledged = sites.flatMap(({ files }) =>
    files.map((file) => ({ file, oldest: acknowledgedBefore(file, performance.now()) })),
  );
  const [, { host }] = sites;
  runSvcOn(host, ["search", "balance", "--namespace", NAMESPACE], env);
  const texts = new Map(
    acknowledged.map(({ file: { path, version }, oldest }) => {
      const versions = Array.from({ length: version - oldest + 1 }, (_, at) => oldest + at);
      return [path, versions.map((one) => textOf(path, one))] as const;
    }),
  );
  const stale = staleFiles(env, NAMESPACE, texts);
  outcome.lost += stale.length;
  outcome.wrong.push(...stale.map((path) => `an acknowledged version of ${path} is lost`));
}

/** Brings every copy up to date and compares the copies with each other, with the files and with the log. */
async function compare(
  { outcome, root, sites }: Scene,
  { url, newcomer }: { readonly url: string; readonly newcomer: Environment },
): Promise<void> {
  const [, { host }] = sites;
  await Promise.all(sites.map(({ node }) => node.kill()));
  const machines = [...sites.flatMap((site) => [site.env, site.nodeEnv]), newcomer];
  for (const { env, host: own } of sites)
    runSvcOn(own, ["index", root, "--namespace", NAMESPACE], env);
  for (const env of machines) runSvcOn(host, ["search", "balance", "--namespace", NAMESPACE], env);
  const files = sites.flatMap((site) => site.files);
  const wanted = new Map(files.map(({ path, version }) => [path, textOf(path, version)]));
  outcome.wrong.push(...copyProblems(machines, NAMESPACE, wanted));
  outcome.copies = machines.length;
  const database = new Database(parseDatabaseUrl(url), "svc");
  try {
    const log = await logProblems(database, NAMESPACE);
    outcome.commits = log.generation;
    outcome.gaps = log.problems.length;
    outcome.wrong.push(...log.problems);
  } finally {
    await database.close();
  }
  runSvcOn(host, ["backend", "check"], newcomer);
  runSvcOn(host, ["audit", "verify"], newcomer);
}
