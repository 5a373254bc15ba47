// Copies of an index between data directories and a database, some of which are killed.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { indexLayout } from "../../src/index/embedded/layout.ts";
import { startPostgres } from "../../test/helpers/postgres-server.ts";
import { runSvc, SVC, type Environment } from "../workspace.ts";

interface Attempt {
  readonly seconds: number;
  /** Processor time of svc, without that of PostgreSQL; undefined for a killed copy. */
  readonly cpuSeconds: number | undefined;
  readonly wasKilled: boolean;
}

interface Copy {
  readonly sum: string;
  readonly files: number;
  readonly attempts: readonly Attempt[];
}

export interface CopiesOutcome {
  readonly indexMB: number;
  readonly into: Copy;
  readonly outOf: Copy;
  /** The output of `svc backend check` for the database and for the new data directory. */
  readonly checks: readonly string[];
  readonly isEqual: boolean;
}

/** `home`: a data directory with an index of the namespace. `kills`: how many attempts in each direction are killed. */
export async function copyBothWays({
  home,
  namespace,
  kills,
}: {
  readonly home: string;
  readonly namespace: string;
  readonly kills: number;
}): Promise<CopiesOutcome> {
  const base = mkdtempSync(join(tmpdir(), "svc-copies-"));
  const server = await startPostgres();
  try {
    const url = server.freshUrl();
    const machine = (name: string, data = join(base, name, "data")): Environment => {
      mkdirSync(join(base, name));
      const keychain = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };
      return {
        PATH: process.env["PATH"] ?? "",
        HOME: join(base, name),
        SERVICE_HOME: data,
        ...keychain,
      };
    };
    const [owner, other] = [machine("owner", home), machine("other")];
    // The owner's copy of the data that it gives to the database stays outside its data directory.
    const env = { ...owner, SERVICE_CACHE: join(base, "cache") };
    const into = await copyDespiteKills(env, { from: "files", to: url, namespace, kills });
    const outOf = await copyDespiteKills(other, { from: url, to: "files", namespace, kills });
    const check = (one: Environment, ...flags: readonly string[]): string =>
      runSvc(["backend", "check", "--namespace", namespace, ...flags], one).trim();
    const checks = [check(env, "--backend", url), check(other)];
    const isEqual = into.sum === outOf.sum && checks[0] === checks[1];
    return { indexMB: megabytes(home, namespace), into, outOf, checks, isEqual };
  } finally {
    await server.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

interface Places {
  readonly from: string;
  readonly to: string;
  readonly namespace: string;
  readonly kills: number;
}

/** Kills this many attempts, each at a later moment, and lets the last one finish. */
async function copyDespiteKills(
  env: Environment,
  { from, to, namespace, kills }: Places,
): Promise<Copy> {
  const words = ["backend", "copy", "--from", from, "--to", to, "--namespace", namespace, "--json"];
  const attempts: Attempt[] = [];
  for (;;) {
    const isLast = attempts.length === kills;
    const killAfterMs = isLast ? undefined : 1000 + Math.random() * 4000 * 2 ** attempts.length;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { output, ...attempt } = await attemptOf(words, env, killAfterMs);
    attempts.push(attempt);
    if (attempt.wasKilled) continue;
    const [copied]: readonly { readonly sum: string; readonly files: number }[] =
      JSON.parse(output);
    if (copied === undefined) throw new Error("nothing was copied");
    return { sum: copied.sum, files: copied.files, attempts };
  }
}

async function attemptOf(
  words: readonly string[],
  env: Environment,
  killAfterMs: number | undefined,
): Promise<Attempt & { readonly output: string }> {
  const begun = performance.now();
  // The figures follow what svc prints.
  const timed = 'TIMEFORMAT="%3U %3S"; time "$@"';
  const child = spawn("bash", ["-c", timed, "bench", SVC, ...words], {
    env: { ...env, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding("utf8").on("data", (text: string) => out.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => err.push(text));
  const ended = new Promise<number | null>((end) => void child.once("close", end));
  // With its shell.
  const kill = (): void => void process.kill(-(child.pid ?? 0), "SIGKILL");
  const timer = killAfterMs === undefined ? undefined : setTimeout(kill, killAfterMs);
  const exit = await ended;
  clearTimeout(timer);
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  if (exit === null) return { seconds, cpuSeconds: undefined, wasKilled: true, output: "" };
  if (exit !== 0) throw new Error(err.join(""));
  const figures = err.join("").trim().split("\n").at(-1)?.split(" ").map(Number) ?? [];
  const cpuSeconds = figures.reduce((sum, one) => sum + one, 0);
  return { seconds, cpuSeconds, wasKilled: false, output: out.join("") };
}

function megabytes(home: string, namespace: string): number {
  const { catalog, segments } = indexLayout(home, namespace);
  const files = [catalog, ...readdirSync(segments).map((name) => join(segments, name))];
  return Math.round(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6);
}
