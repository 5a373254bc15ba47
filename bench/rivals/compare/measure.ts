// Runs every query on every tool for one corpus, in turn, so that load on the machine affects all of them.
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { scoreQuery } from "../../quality/metrics.ts";
import type { Question } from "../../quality/questions.ts";
import { corpusPathsOf } from "../../quality/corpus-paths.ts";
import { median, quantile } from "../../report.ts";
import { timed, type Usage } from "../../timed-child.ts";
import { filesBelow, runSvc, totalBytes } from "../../workspace.ts";
import { LIMIT, type Contender, type Spot } from "./contender.ts";
import type { Figures } from "./measured.ts";
import { peakOf, print, startServer } from "./processes.ts";

export interface Work {
  /** The corpus; the bench only copies it. */
  readonly folder: string;
  readonly questions: readonly Question[];
  /** An empty folder for the copies. */
  readonly scratch: string;
  /** How often each tool indexes and answers. */
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** A tool with its folder and its measurements. */
interface Entrant {
  readonly contender: Contender;
  readonly spot: Spot;
  readonly indexed: Usage[];
  readonly started: number[];
  readonly served: number[];
  readonly scores: ReturnType<typeof scoreQuery>[];
  peakBytes: number;
}

const PROTECTED_BY = "correct horse battery staple";
/** A tool with slower answers runs every query once. */
const SLOW_MS = 1000;
/** A server answers this many queries before its times count. */
const WARM_UP = 3;

export async function measure(
  contenders: readonly Contender[],
  work: Work,
): Promise<readonly Figures[]> {
  const entrants = contenders.map((contender) => entrantOf(contender, work));
  for (let round = 0; round < work.rounds; round += 1) {
    work.report(`index, ${round + 1} of ${work.rounds}`);
    for (const entrant of turned(entrants, round)) await indexOnce(entrant);
  }
  work.report("memory");
  for (const entrant of entrants) await lookAtMemory(entrant, work);
  for (let round = 0; round < work.rounds; round += 1) {
    work.report(`${work.questions.length} questions, ${round + 1} of ${work.rounds}`);
    askAtShell(entrants, work, round);
  }
  work.report("servers");
  await askServers(entrants, work);
  return entrants.map(figuresOf);
}

function entrantOf(contender: Contender, { folder, scratch }: Work): Entrant {
  const place = join(scratch, contender.name);
  const [root, state, home] = [join(place, "tree"), join(place, "state"), join(place, "home")];
  for (const directory of [state, home]) mkdirSync(directory, { recursive: true });
  cpSync(folder, root, { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    SERVICE_HOME: join(state, "svc"),
    SERVICE_PASSPHRASE: PROTECTED_BY,
    CSEARCHINDEX: join(state, "csearchindex"),
    // Requests no telemetry, no update check and no background process.
    DO_NOT_TRACK: "1",
    CODEGRAPH_NO_UPDATE_CHECK: "1",
    CODEGRAPH_NO_DAEMON: "1",
    NO_COLOR: "1",
  };
  const spot = { root, state, env, paths: corpusPathsOf(root, "") };
  return { contender, spot, indexed: [], started: [], served: [], scores: [], peakBytes: 0 };
}

/** Another tool begins each time. */
function turned<T>(all: readonly T[], by: number): readonly T[] {
  const at = by % Math.max(1, all.length);
  return [...all.slice(at), ...all.slice(0, at)];
}

function forget({ contender, spot }: Entrant): void {
  const kept = contender.keeps?.(spot);
  if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
  rmSync(join(spot.state, "svc"), { recursive: true, force: true });
}

async function indexOnce(entrant: Entrant): Promise<void> {
  const { contender, spot, indexed } = entrant;
  if (contender.index === undefined) return;
  forget(entrant);
  indexed.push(await timed(contender.index(spot), { env: spot.env }));
}

/** In separate runs, because checking memory costs processor time. */
async function lookAtMemory(entrant: Entrant, { questions }: Work): Promise<void> {
  const { contender, spot } = entrant;
  const query = questions[0]?.query ?? "";
  const commands = [contender.index?.(spot), contender.ask(query, spot)];
  forget(entrant);
  for (const command of commands) {
    const peak = command === undefined ? 0 : await peakOf(command, spot);
    entrant.peakBytes = Math.max(entrant.peakBytes, peak ?? 0);
  }
}

function askAtShell(entrants: readonly Entrant[], { questions }: Work, round: number): void {
  const chosen = entrants.filter(({ started }) => round === 0 || median(started) < SLOW_MS);
  for (const [at, { query, gold }] of questions.entries()) {
    for (const { contender, spot, started, scores } of turned(chosen, at)) {
      const { output, ms } = print(contender.ask(query, spot), spot);
      started.push(ms);
      if (round > 0) continue;
      const files = contender.filesIn(output, query, spot);
      const mentions = files.map((path) => ({ path, from: 0, to: 0 }));
      scores.push(scoreQuery(gold, { mentions, characters: output.length }));
    }
  }
}

async function askServers(
  entrants: readonly Entrant[],
  { questions, rounds }: Work,
): Promise<void> {
  const servers = [];
  for (const { contender, spot, served } of entrants) {
    const server = await startServer(contender, withToken(contender, spot));
    if (server !== undefined) servers.push({ server, served });
  }
  for (let round = -1; round < rounds; round += 1) {
    const chosen = round < 0 ? questions.slice(0, WARM_UP) : questions;
    for (const [at, { query }] of chosen.entries()) {
      for (const { server, served } of turned(servers, at)) {
        // Another limit each time, so that no answer comes from a cache.
        const ms = await server.ask(query, LIMIT + round + 1);
        if (round >= 0) served.push(ms);
      }
    }
  }
  for (const { server } of servers) await server.close();
}

function withToken({ name }: Contender, spot: Spot): Spot {
  if (name !== "svc") return spot;
  const credential = `bench ${randomUUID()}`;
  const token = runSvc(["auth", "token", "create", "--name", credential], spot.env).trim();
  return { ...spot, env: { ...spot.env, SERVICE_TOKEN: token } };
}

function figuresOf({ contender, spot, ...seen }: Entrant): Figures {
  const { indexed, started, served, scores, peakBytes } = seen;
  return {
    tool: contender.name,
    indexMs: orNull(
      indexed.map(({ wallMs }) => wallMs),
      median,
    ),
    indexCpuMs: orNull(
      indexed.map(({ cpuMs }) => cpuMs),
      median,
    ),
    indexBytes: contender.keeps === undefined ? null : sizeOf(contender.keeps(spot)),
    peakBytes: peakBytes === 0 ? null : peakBytes,
    startP50Ms: rounded(median(started)),
    startP95Ms: rounded(quantile(started, 0.95)),
    serverP50Ms: orNull(served, median),
    serverP95Ms: orNull(served, (samples) => quantile(samples, 0.95)),
    recall: mean(scores.map(({ recall10 }) => recall10)),
    reciprocalRank: mean(scores.map(({ reciprocalRank }) => reciprocalRank)),
    first: mean(scores.map(({ hit1 }) => hit1)),
  };
}

function orNull(
  samples: readonly number[],
  of: (samples: readonly number[]) => number,
): number | null {
  return samples.length === 0 ? null : rounded(of(samples));
}

function rounded(number: number): number {
  return Number(number.toPrecision(4));
}

function mean(numbers: readonly number[]): number {
  return Number((numbers.reduce((sum, one) => sum + one, 0) / numbers.length).toFixed(3));
}

function sizeOf(place: string): number {
  return statSync(place).isFile() ? statSync(place).size : totalBytes(filesBelow(place));
}
