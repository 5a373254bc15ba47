// Servers over standard input, one over HTTP and two that index, on one data directory, while the files are edited;
// the watching and the indexing processes are killed now and then.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { wordOf } from "../freshness/project.ts";
import { Server, until } from "../freshness/server.ts";
import { homesIn, runSvc, withToken, type Environment } from "../workspace.ts";
import { failures, wrongPassages, wrongRefusals } from "./check-answer.ts";
import { EditedProject, pick } from "./edited-project.ts";
import { HttpServer } from "./http-server.ts";
import { indexAgainAndAgain } from "./indexers.ts";

export interface Effort {
  /** Checked after each piece of work; true ends the run. */
  readonly isDone: (outcome: Outcome) => boolean;
  readonly killEveryMs: number;
  readonly servers: number;
  readonly files: number;
  /** Answers that lag behind the files for longer than this are wrong. */
  readonly lagMs: number;
}

export interface Outcome {
  readonly edits: number;
  /** Files that were saved and then searched in another process. */
  saves: number;
  /** Answers whose lines were compared with the file. */
  answers: number;
  /** Runs of `svc index`. */
  runs: number;
  /** Kills of the watching or indexing processes. */
  kills: number;
  readonly takeOversMs: number[];
  /** Generations of the index that were published, each by one process. */
  generations: number;
  readonly wrong: string[];
  readonly errors: string[];
}

const FORGET_EVERY = 200;

/** The running processes, and their results so far. */
interface Scene extends Outcome {
  readonly project: EditedProject;
  readonly env: Environment;
  readonly servers: Server[];
  serving: HttpServer;
  readonly published: number[];
  readonly lagMs: number;
}

export async function manyProcesses(effort: Effort): Promise<Outcome> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "svc-soak-")));
  const root = join(base, "project");
  mkdirSync(root);
  const project = new EditedProject(root, effort.files);
  const env = withToken(homesIn(base)());
  runSvc(["index", root], env);
  const scene: Scene = {
    project,
    env,
    servers: [],
    serving: await HttpServer.start(root, env),
    published: [],
    lagMs: effort.lagMs,
    get edits() {
      return project.edits;
    },
    saves: 0,
    answers: 0,
    runs: 0,
    kills: 0,
    takeOversMs: [],
    generations: 0,
    wrong: [],
    errors: [],
  };
  try {
    await Promise.all(Array.from({ length: effort.servers }, () => addServer(scene)));
    await work(scene, effort);
    await settle(scene);
  } finally {
    await Promise.all([scene.serving, ...scene.servers].map((server) => server.kill()));
    rmSync(base, { recursive: true, force: true });
  }
  return scene;
}

async function addServer({ project: { root }, env, servers }: Scene): Promise<void> {
  const server = await Server.start(root, env);
  await server.filesWith("ledger");
  servers.push(server);
}

async function work(scene: Scene, { isDone, killEveryMs }: Effort): Promise<void> {
  const isOver = (): boolean => isDone(scene);
  const { project, env } = scene;
  const again = async (act: (round: number) => Promise<void> | void, pauseMs: () => number) => {
    for (let round = 1; !isOver(); round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, until it is over
      await act(round);
      // oxlint-disable-next-line no-await-in-loop -- as above
      await wait(pauseMs());
    }
  };
  await Promise.all([
    again(
      () => project.edit(),
      () => Math.random() * 60,
    ),
    again(
      (round) => lookForSaved(scene, round),
      () => 50,
    ),
    again(
      (round) => lookAtLines(scene, round),
      () => 20,
    ),
    (async () => {
      await wait(killEveryMs);
      await again(
        () => killLeader(scene),
        () => killEveryMs,
      );
    })(),
    ...[0, 1].map(() => indexAgainAndAgain(project.root, env, { isOver, scene })),
  ]);
}

/** Saves a file that nothing else changes; another server must find this file and no other. */
async function lookForSaved(scene: Scene, round: number): Promise<void> {
  const { project, servers } = scene;
  scene.saves += 1;
  const word = `zqsoak${round}zq`;
  project.save(`checked/c${round % 40}.ts`, `export const ${word} = 1;\n`);
  const wanted = project.pathsWith(word);
  const server = pick(servers);
  let latest = "";
  try {
    await until(
      async () => {
        latest = (await server.filesWith(word)).join(" ");
        return latest === wanted;
      },
      { withinMs: scene.lagMs, everyMs: 20 },
    );
  } catch (thrown) {
    // A server that was killed meanwhile owes no answer.
    if (!servers.includes(server)) return;
    const text = String(thrown);
    if (/did not hold/.test(text)) scene.wrong.push(`${word}: "${latest}", not "${wanted}"`);
    else scene.errors.push(text);
  }
}

/** Queries a random server; each line that it shows must be in the file, at that line number. */
async function lookAtLines(scene: Scene, round: number): Promise<void> {
  const { project, servers, serving, lagMs } = scene;
  const chosen = round % 4 === 0 ? serving : pick(servers);
  const [name, input] =
    round % 2 === 0
      ? ["search_context", { query: `the ${wordOf(round % 100)} of the ledger` }]
      : ["read_context", { targets: [project.anyPath(), project.anyPath()] }];
  const sinceMs = performance.now() - lagMs;
  if (round % FORGET_EVERY === 0) project.forget(sinceMs);
  try {
    const result = await chosen.call(name, input);
    scene.answers += 1;
    scene.errors.push(...failures(result));
    scene.wrong.push(...wrongPassages(result, project, sinceMs));
    scene.wrong.push(...wrongRefusals(result, project, sinceMs));
  } catch (thrown) {
    if (chosen === scene.serving || servers.some((server) => server === chosen)) {
      scene.errors.push(`${name}: ${String(thrown)}`);
    }
  }
}

async function killLeader(scene: Scene): Promise<void> {
  const { servers, serving } = scene;
  let leader: Server | HttpServer | undefined;
  const isKnown = async (): Promise<boolean> => {
    const pid = (await pick(servers).freshness())?.pid;
    leader = [...servers, serving].find((server) => server.pid === pid);
    return leader !== undefined;
  };
  await until(isKnown, { withinMs: scene.lagMs }).catch(() =>
    scene.wrong.push("no process watches"),
  );
  if (leader === undefined) return;
  const { pid } = leader;
  scene.kills += 1;
  // From here on the server owes no answer, and its last requests fail.
  if (leader instanceof Server) servers.splice(servers.indexOf(leader), 1);
  else scene.serving = await HttpServer.start(scene.project.root, scene.env);
  await leader.kill();
  keep(scene, leader);
  const from = performance.now();
  const isTaken = async (): Promise<boolean> => {
    const now = await pick(servers).freshness();
    return typeof now?.pid === "number" && now.pid !== pid;
  };
  try {
    await until(isTaken, { withinMs: scene.lagMs, everyMs: 10 });
    scene.takeOversMs.push(performance.now() - from);
  } catch {
    scene.wrong.push("no process has taken over");
  }
  if (leader instanceof Server) await addServer(scene);
}

/** At the end every server finds all files, the index is intact, and no generation was published twice. */
async function settle(scene: Scene): Promise<void> {
  const { project, servers, serving, env, wrong } = scene;
  const texts = Array.from({ length: 30 }, (_, at) => `the ${wordOf(at * 19)} of`);
  await Promise.all(
    servers.map(async (server) => {
      const isRight = async (): Promise<boolean> => {
        const found = await Promise.all(texts.map((text) => server.filesWith(text)));
        return found.every((paths, at) => paths.join(" ") === project.pathsWith(texts[at] ?? ""));
      };
      await until(isRight, { withinMs: scene.lagMs, everyMs: 100 }).catch(() =>
        wrong.push("at the end a server does not find all files"),
      );
      await server.close();
      keep(scene, server);
    }),
  );
  await serving.close();
  keep(scene, serving);
  // The process that held the lock has ended, in any way.
  runSvc(["index", project.root], env);
  runSvc(["index", "--verify", project.root], env);
  const twice = scene.published.filter((one, at) => scene.published.indexOf(one) !== at);
  wrong.push(...twice.map((generation) => `two processes published generation ${generation}`));
  scene.generations = scene.published.length;
}

/** Leftovers of a server that has ended. */
function keep(scene: Scene, { warnings, published }: Server | HttpServer): void {
  scene.errors.push(...warnings);
  scene.published.push(...published);
}
