// A team under kills: two machines that index one project, two read nodes that answer all the time, and the database.
// The bench kills each in turn. Changes that `svc index` acknowledged must not be lost, no answer may be wrong, and in
// the end all copies must be equal.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { startPostgres, type PostgresServer } from "../../test/helpers/postgres-server.ts";
import { runSvc, type Environment } from "../workspace.ts";
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
import { copyProblems, logProblems } from "./team-state.ts";
import { machinesOf, ReadNode, Run } from "./team-machines.ts";

const NAMESPACE = "team";
const WRITERS = 2;
const READERS = 2;
/** The duration of a writer's lease; a writer that was stopped for longer has lost it. */
const STALL_MS = 17_000;
/** Within this time after the last kill, a writer must save again. */
const RECOVERY_MS = 60_000;
/** Maximum age of an answer: a node without the database answers from its copy. */
const LAG_MS = 30_000;

export interface TeamEffort {
  /** Kills of a writer, a reader and the database in turn. */
  readonly kills: number;
  /** Writers that are stopped for longer than their lease lasts, and then go on. */
  readonly stalls: number;
}

export interface TeamOutcome {
  readonly kills: { writer: number; reader: number; database: number };
  /** Runs of `svc index` that ended with 0. */
  acknowledged: number;
  /** Runs that were refused, for example because the database was down. */
  refused: number;
  stalls: number;
  answers: number;
  /** Questions without an answer: the database or the node had just been killed. */
  unanswered: number;
  /** Number of commits in the end. */
  commits: number;
  /** Number of equal copies in the end. */
  copies: number;
  readonly wrong: string[];
  readonly errors: string[];
}

interface Writer {
  readonly env: Environment;
  readonly files: readonly EditedFile[];
  run: Run | undefined;
  wasKilled: boolean;
}

interface Scene {
  readonly outcome: TeamOutcome;
  readonly root: string;
  readonly server: PostgresServer;
  readonly writers: readonly Writer[];
  readonly readers: readonly ReadNode[];
  readonly key: string;
  isOver: boolean;
}

export async function teamKills({ kills, stalls }: TeamEffort): Promise<TeamOutcome> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-team-")));
  const server = await startPostgres();
  const outcome: TeamOutcome = {
    kills: { writer: 0, reader: 0, database: 0 },
    acknowledged: 0,
    refused: 0,
    stalls: 0,
    answers: 0,
    unanswered: 0,
    commits: 0,
    copies: 0,
    wrong: [],
    errors: [],
  };
  const readers: ReadNode[] = [];
  try {
    const url = server.freshUrl();
    const machine = machinesOf(base, url);
    const root = join(base, "project");
    mkdirSync(root);
    const writers = Array.from({ length: WRITERS }, (_, at) => ({
      env: machine(),
      files: newFiles(root, at),
      run: undefined,
      wasKilled: false,
    }));
    const [first] = writers;
    if (first === undefined) throw new Error("there is no writer");
    runSvc(["index", root, "--namespace", NAMESPACE], first.env);
    const words = ["auth", "keys", "create", "--name", "soak", "--namespace", NAMESPACE];
    const key = runSvc(words, first.env).trim();
    const readerHomes = Array.from({ length: READERS }, machine);
    readers.push(...readerHomes.map((env) => new ReadNode(env)));
    await Promise.all(readers.map((reader) => reader.start()));
    const scene: Scene = { outcome, root, server, writers, readers, key, isOver: false };
    const work = Promise.all([
      ...writers.map((writer) => writeAgainAndAgain(scene, writer)),
      ...readers.map((reader) => askAgainAndAgain(scene, reader)),
    ]);
    try {
      await killInTurn(scene, { kills, stalls });
      await recovered(scene);
    } finally {
      scene.isOver = true;
      await work;
    }
    await compare(scene, {
      url,
      homes: [...writers.map(({ env }) => env), ...readerHomes, machine()],
    });
    return outcome;
  } finally {
    await Promise.all(readers.map((reader) => reader.kill()));
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

async function writeAgainAndAgain(scene: Scene, writer: Writer): Promise<void> {
  const { outcome, root } = scene;
  while (!scene.isOver) {
    for (const file of picked(writer.files, 3)) save(root, file);
    const included = writer.files.map(({ version }) => version);
    writer.wasKilled = false;
    writer.run = new Run(["index", root, "--namespace", NAMESPACE], writer.env);
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const { exit, stderr } = await writer.run.ended;
    writer.run = undefined;
    if (writer.wasKilled) continue;
    if (exit === 0) {
      outcome.acknowledged += 1;
      const atMs = performance.now();
      for (const [at, file] of writer.files.entries())
        file.acknowledged.push({ version: included[at] ?? 0, atMs });
    } else if (exit === 2 && /database|lease|Another svc process|namespace/.test(stderr)) {
      outcome.refused += 1;
      // oxlint-disable-next-line no-await-in-loop -- as above
      await wait(100);
    } else outcome.errors.push(`svc index ended with ${exit}: ${stderr}`);
  }
}

async function askAgainAndAgain(scene: Scene, reader: ReadNode): Promise<void> {
  const { outcome, key, writers } = scene;
  const files = writers.flatMap((writer) => writer.files);
  while (!scene.isOver) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await wait(20);
    const [file] = picked(files, 1);
    if (file === undefined || !reader.isUp) continue;
    const oldest = acknowledgedBefore(file, performance.now() - LAG_MS);
    try {
      const query = `balance of ${nameOf(file.path)}`;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const passages = await reader.search(key, { query, limit: 3 });
      outcome.answers += 1;
      const problem = answerProblem(passages, file, oldest);
      if (problem !== undefined) outcome.wrong.push(problem);
    } catch {
      outcome.unanswered += 1;
    }
  }
}

/** Waits until a writer has saved something after the last kill. */
async function recovered({ outcome }: Scene): Promise<void> {
  const before = outcome.acknowledged;
  const until = performance.now() + RECOVERY_MS;
  while (outcome.acknowledged === before) {
    if (performance.now() > until) {
      outcome.errors.push(`nothing was saved for ${RECOVERY_MS} ms after the last kill`);
      return;
    }
    // oxlint-disable-next-line no-await-in-loop -- a poll
    await wait(50);
  }
}

async function killInTurn(scene: Scene, { kills, stalls }: TeamEffort): Promise<void> {
  const steps = [killWriter, killReader, killDatabase];
  for (let kill = 0; kill < kills; kill += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one kill after the other
    await wait(100 + Math.random() * 700);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await steps[kill % steps.length]?.(scene, kill);
    const isTimeToStall = stalls > 0 && kill % Math.ceil(kills / stalls) === 0;
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (isTimeToStall) await stallWriter(scene);
  }
}

async function killWriter({ outcome, writers }: Scene, kill: number): Promise<void> {
  const writer = writers[Math.floor(kill / 3) % writers.length];
  const run = writer?.run;
  if (writer === undefined || run === undefined) return;
  writer.wasKilled = true;
  outcome.kills.writer += 1;
  run.signal("SIGKILL");
  await run.ended;
}

async function killReader({ outcome, readers }: Scene, kill: number): Promise<void> {
  const reader = readers[Math.floor(kill / 3) % readers.length];
  if (reader === undefined) return;
  outcome.kills.reader += 1;
  await reader.kill();
  await reader.start();
}

async function killDatabase({ outcome, server }: Scene): Promise<void> {
  outcome.kills.database += 1;
  await server.kill();
  await wait(Math.random() * 500);
  await server.start();
}

/** Stops a writer while it writes, until another one has its lease. */
async function stallWriter({ outcome, writers }: Scene): Promise<void> {
  for (;;) {
    const run = writers.find((writer) => writer.run !== undefined)?.run;
    if (run === undefined) {
      // oxlint-disable-next-line no-await-in-loop -- until one runs
      await wait(5);
      continue;
    }
    run.signal("SIGSTOP");
    outcome.stalls += 1;
    // oxlint-disable-next-line no-await-in-loop -- once
    await wait(STALL_MS);
    run.signal("SIGCONT");
    return;
  }
}

/** Brings every copy up to date and compares the copies with each other, with the files and with the log. */
async function compare(
  scene: Scene,
  { url, homes }: { readonly url: string; readonly homes: readonly Environment[] },
): Promise<void> {
  const { outcome, root, writers, readers, server } = scene;
  // A killed run may have left work.
  for (const { env } of writers) runSvc(["index", root, "--namespace", NAMESPACE], env);
  await Promise.all(readers.map((reader) => reader.kill()));
  const files = writers.flatMap((writer) => writer.files);
  for (const env of homes) runSvc(["search", "balance", "--namespace", NAMESPACE], env);
  const wanted = new Map(files.map(({ path, version }) => [path, textOf(path, version)]));
  outcome.wrong.push(...copyProblems(homes, NAMESPACE, wanted));
  outcome.copies = homes.length;
  const log = await logProblems(server.open(url), NAMESPACE);
  outcome.commits = log.generation;
  outcome.wrong.push(...log.problems);
  const [first] = homes;
  if (first !== undefined) runSvc(["backend", "check"], first);
}
