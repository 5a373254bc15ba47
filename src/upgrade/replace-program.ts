// Puts another program in the place of the running one. A new file is complete, verified and tried before one rename puts it
// there, so at any moment the path holds a working program.

import { createHash, type Hash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  createWriteStream,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { SvcError, toSvcError } from "../base/errors.ts";
import { runProgram } from "../base/run-program.ts";
import { SUMS, type UpgradePlan } from "./plan-upgrade.ts";
import type { ReleaseSource } from "./release-source.ts";

const MAX_PROGRAM_BYTES = 1 << 30;
const CHECK_TIMEOUT_MS = 120_000;

/** Throws UPGRADE_FAILED or STORAGE_FULL; the program is then unchanged. */
export async function replaceProgram(
  source: ReleaseSource,
  plan: UpgradePlan,
  program: string,
  signal: AbortSignal,
): Promise<void> {
  // An executable of Windows needs its ending to run.
  const ending = process.platform === "win32" ? ".exe" : "";
  const draft = `${program}.upgrade-${process.pid}${ending}`;
  try {
    removeLeftovers(program);
    await writeDraft(source, plan, draft, signal);
    const { mode, uid, gid } = statSync(program);
    if (process.getuid?.() === 0) chownSync(draft, uid, gid);
    chmodSync(draft, mode & 0o777);
    sync(draft);
    await requireSelfCheck(draft, plan, signal);
    swap(draft, program);
  } catch (thrown) {
    throw failure(thrown, program);
  } finally {
    rmSync(draft, { force: true });
  }
}

async function writeDraft(
  source: ReleaseSource,
  plan: UpgradePlan,
  draft: string,
  signal: AbortSignal,
): Promise<void> {
  const [fileSum, programSum] = [createHash("sha256"), createHash("sha256")];
  const output = createWriteStream(draft, { flags: "wx", mode: 0o700 });
  const input = source.stream(plan.file);
  const isCompressed = plan.file.endsWith(".gz");
  try {
    await (isCompressed
      ? pipeline(input, counted(fileSum), createGunzip(), counted(programSum), output, { signal })
      : pipeline(input, counted(fileSum), counted(programSum), output, { signal }));
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
    throw code.startsWith("Z_") ? damaged(plan, "it cannot be decompressed") : thrown;
  }
  const actual = fileSum.digest("hex");
  if (actual !== plan.fileSum)
    throw damaged(plan, `its SHA-256 is ${actual}, ${SUMS} has ${plan.fileSum}`);
  if (programSum.digest("hex") !== plan.programSum)
    throw damaged(plan, "the program in it is another one than the uncompressed file");
}

/** Passes bytes on and adds them to the sum. */
function counted(sum: Hash): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      sum.update(chunk);
      if (bytes > MAX_PROGRAM_BYTES)
        done(new SvcError("UPGRADE_FAILED", "The file of the release has more than 1 GiB."));
      else done(null, chunk);
    },
  });
}

async function requireSelfCheck(
  draft: string,
  { version }: UpgradePlan,
  signal: AbortSignal,
): Promise<void> {
  const { outcome } = await runProgram(draft, ["--self-check"], {
    directory: dirname(draft),
    environment: {},
    signal,
    idleTimeoutMs: CHECK_TIMEOUT_MS,
    onLine: () => {},
  });
  if (outcome === "done") return;
  signal.throwIfAborted();
  throw new SvcError(
    "UPGRADE_FAILED",
    `svc ${version} does not run on this machine, or is damaged.`,
    {
      hint: "Its self-check failed, so it was not installed. Keep this version, or use the npm package.",
    },
  );
}

function swap(draft: string, program: string): void {
  if (process.platform !== "win32") {
    renameSync(draft, program);
    syncFolder(dirname(program));
    return;
  }
  // Windows does not replace a program that runs, but renames it.
  const old = `${program}.upgrade-0.exe`;
  rmSync(old, { force: true });
  renameSync(program, old);
  try {
    renameSync(draft, program);
  } catch (thrown) {
    renameSync(old, program);
    throw thrown;
  }
}

/** Removes what an upgrade that was killed has left. */
function removeLeftovers(program: string): void {
  const prefix = `${basename(program)}.upgrade-`;
  for (const name of readdirSync(dirname(program))) {
    const pid = name.startsWith(prefix)
      ? Number.parseInt(name.slice(prefix.length), 10)
      : Number.NaN;
    if (Number.isNaN(pid) || (pid !== 0 && isAlive(pid))) continue;
    rmSync(join(dirname(program), name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

function damaged({ file }: UpgradePlan, reason: string): SvcError {
  return new SvcError("UPGRADE_FAILED", `${file} is damaged or not the released file: ${reason}.`, {
    hint: "Download the release again.",
  });
}

function failure(thrown: unknown, program: string): unknown {
  if (thrown instanceof SvcError) return thrown;
  if (toSvcError(thrown).code === "STORAGE_FULL") {
    return new SvcError("STORAGE_FULL", `The disk of ${program} is full.`, {
      hint: "Free some space; the program is unchanged.",
      cause: thrown,
    });
  }
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (!["EACCES", "EPERM", "EROFS", "ETXTBSY"].includes(code)) return thrown;
  return new SvcError("UPGRADE_FAILED", `${program} cannot be replaced (${code}).`, {
    hint: "Run the command as the owner of its folder, or install the release with `sh install.sh --prefix DIR`.",
    cause: thrown,
  });
}
