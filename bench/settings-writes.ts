// node bench/settings-writes.ts: measures the cost of config.json: the number of acknowledged changes that are lost
// when 20 processes change 20 settings each, with only conf and under svc's lock, and the time of a start that reads
// the file directly or through conf. docs/decisions/0016-settings-and-conf.md has the figures.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROCESSES = 20;
const WRITES = 20;
const STARTS = 15;

const [role, ...words] = process.argv.slice(2);
if (role === undefined) await main();
else await play(role, words);

async function main(): Promise<void> {
  for (const writer of ["only conf", "conf under the lock"]) {
    const start = performance.now();
    const { acknowledged, lost, failed } = await race(writer);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${writer.padEnd(20)} ${lost} of ${acknowledged} acknowledged changes lost, ${failed} refused, ${seconds} s`,
    );
  }
  console.log(`loading conf         ${costOf("load")} ms CPU`);
  for (const reader of ["conf", "own, first", "own, absent, first", "own", "own, absent"]) {
    console.log(`reading: ${reader.padEnd(20)} ${costOf("read", reader)} ms CPU`);
  }
}

/** Processes change their own settings in one file. Returns the number of changes missing from the file. */
async function race(writer: string) {
  const directory = mkdtempSync(join(tmpdir(), "svc-settings-"));
  try {
    const children = Array.from({ length: PROCESSES }, (_, at) =>
      output(["write", writer, directory, String(at)]),
    );
    const lines = (await Promise.all(children)).join("").split("\n");
    const acknowledged = lines.filter((line) => line !== "" && line !== "failed");
    const kept: object = JSON.parse(readFileSync(join(directory, "config.json"), "utf8"));
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((key) => !Object.hasOwn(kept, key)).length,
      failed: lines.filter((line) => line === "failed").length,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function play(name: string, [kind = "", directory = "", at = ""]: string[]): Promise<void> {
  if (name === "write") await write(kind, directory, at);
  else if (name === "load") await measured(() => import("conf"));
  else await read(kind);
}

async function write(writer: string, directory: string, at: string): Promise<void> {
  const path = join(directory, "config.json");
  const { default: Conf } = await import("conf");
  const { changeSettingsFile } = await import("../src/config/settings-writer.ts");
  const conf =
    writer === "only conf"
      ? new Conf({ cwd: directory, configName: "config", accessPropertiesByDotNotation: false })
      : undefined;
  for (let number = 0; number < WRITES; number++) {
    const key = `setting_${at}_${number}`;
    try {
      if (conf === undefined) changeSettingsFile(path, { key, value: true });
      else conf.set(key, true);
      console.log(key);
    } catch {
      console.log("failed");
    }
  }
}

async function read(reader: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "svc-settings-"));
  const path = join(directory, "config.json");
  if (!reader.includes("absent")) writeFileSync(path, '{"log_level":"debug"}', { mode: 0o600 });
  try {
    if (reader === "conf") {
      const { default: Conf } = await import("conf");
      await measured(() => new Conf({ cwd: directory, configName: "config" }).store);
      return;
    }
    const { readSettingsFile } = await import("../src/config/settings-file.ts");
    const rounds = reader.includes("first") ? 1 : 10_000;
    await measured(() => {
      for (let round = 0; round < rounds; round++) readSettingsFile(path);
    }, rounds);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(work: () => unknown, rounds = 1): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000 / rounds);
}

/** The median of some fresh processes, in milliseconds. */
function costOf(...args: readonly string[]): string {
  const figures = Array.from({ length: STARTS }, () => {
    const { stdout } = spawnSync(process.execPath, [import.meta.filename, ...args], {
      encoding: "utf8",
    });
    return Number(stdout);
  }).toSorted((a, b) => a - b);
  return (figures[Math.floor(STARTS / 2)] ?? Number.NaN).toFixed(3);
}

function output(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [import.meta.filename, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(text));
  });
}
