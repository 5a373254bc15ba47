// These tests use small programs instead of svc: each is a real file that the system runs.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeEach, expect, test } from "vitest";

import { planUpgrade, platformName, type UpgradePlan } from "../../src/upgrade/plan-upgrade.ts";
import { releaseFolder } from "../../src/upgrade/release-folder.ts";
import type { ReleaseSource } from "../../src/upgrade/release-source.ts";
import { replaceProgram } from "../../src/upgrade/replace-program.ts";
import { needs } from "../helpers/needs.ts";
import { writeRelease } from "../helpers/signed-release.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-replace-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const BIN = join(BASE, "bin");
const PROGRAM = join(BIN, "svc");
const NEVER = new AbortController().signal;

beforeEach(() => {
  rmSync(BIN, { recursive: true, force: true });
  mkdirSync(BIN);
  writeFileSync(PROGRAM, program("1.0.0"), { mode: 0o751 });
});

/** Prints its version; its self-check ends with this code. */
function program(version: string, selfCheck = 0): Buffer {
  return Buffer.from(`#!/bin/sh\n[ "$1" != --self-check ] || exit ${selfCheck}\necho ${version}\n`);
}

async function prepare(
  bytes: Buffer,
  isRemote = false,
): Promise<{
  readonly source: ReleaseSource;
  readonly plan: UpgradePlan;
  readonly folder: string;
}> {
  const { folder } = writeRelease(mkdtempSync(join(BASE, "release-")), "2.0.0", bytes);
  const source = { ...releaseFolder(folder), isRemote };
  const platform = platformName(process.platform, process.arch);
  return {
    source,
    folder,
    plan: await planUpgrade(source, { current: "1.0.0", platform, key: undefined }),
  };
}

function running(): string {
  return execFileSync(PROGRAM, ["--version"], { encoding: "utf8" }).trim();
}

/** The old program runs, and nothing is left next to it. */
function expectUnchanged(): void {
  expect(running()).toBe("1.0.0");
  expect(readdirSync(BIN)).toEqual(["svc"]);
}

test.each([false, true])(
  "the new program is at the path, with the mode of the old one (compressed: %s)",
  async (isRemote) => {
    const { source, plan } = await prepare(program("2.0.0"), isRemote);
    await replaceProgram(source, plan, PROGRAM, NEVER);
    expect(running()).toBe("2.0.0");
    expect(statSync(PROGRAM).mode & 0o777).toBe(0o751);
    expect(readdirSync(BIN)).toEqual(["svc"]);
  },
);

test("a program that is running is replaced, and runs on", async () => {
  writeFileSync(
    PROGRAM,
    '#!/bin/sh\n[ "$1" = --version ] && exec echo 1.0.0\nread line\necho "$line from 1.0.0"\n',
  );
  const old = spawn(PROGRAM, { stdio: ["pipe", "pipe", "ignore"] });
  await once(old, "spawn");
  const { source, plan } = await prepare(program("2.0.0"));
  await replaceProgram(source, plan, PROGRAM, NEVER);
  old.stdin.end("hello\n");
  const [said] = await once(old.stdout.setEncoding("utf8"), "data");
  expect([said, running()]).toEqual(["hello from 1.0.0\n", "2.0.0"]);
});

test("a program whose self-check fails, or that cannot run here, is not installed", async () => {
  for (const bytes of [program("2.0.0", 2), Buffer.from("\u007fELF of another machine")]) {
    const { source, plan } = await prepare(bytes);
    await expect(replaceProgram(source, plan, PROGRAM, NEVER)).rejects.toMatchObject({
      code: "UPGRADE_FAILED",
      message: "svc 2.0.0 does not run on this machine, or is damaged.",
    });
    expectUnchanged();
  }
});

test("a file with another sum, damaged compression, or another program in it is refused", async () => {
  const plain = await prepare(program("2.0.0"));
  writeFileSync(join(plain.folder, plain.plan.file), program("6.6.6"));
  await expect(replaceProgram(plain.source, plain.plan, PROGRAM, NEVER)).rejects.toThrow(
    `${plain.plan.file} is damaged or not the released file: its SHA-256 is `,
  );
  const packed = await prepare(program("2.0.0"), true);
  const file = join(packed.folder, packed.plan.file);
  writeFileSync(file, readFileSync(file).subarray(0, 30));
  await expect(replaceProgram(packed.source, packed.plan, PROGRAM, NEVER)).rejects.toThrow(
    "it cannot be decompressed",
  );
  const other = await prepare(program("2.0.0"), true);
  const plan = { ...other.plan, programSum: "0".repeat(64) };
  await expect(replaceProgram(other.source, plan, PROGRAM, NEVER)).rejects.toThrow(
    "the program in it is another one than the uncompressed file",
  );
  expectUnchanged();
});

test("an interrupted upgrade leaves the old program and nothing else", async () => {
  const { source, plan } = await prepare(program("2.0.0"));
  const interrupt = new AbortController();
  const slow: ReleaseSource = {
    ...source,
    async *stream(file) {
      yield* source.stream(file);
      interrupt.abort();
      yield Buffer.from("more");
    },
  };
  await expect(replaceProgram(slow, plan, PROGRAM, interrupt.signal)).rejects.toThrow("aborted");
  expectUnchanged();
});

test("a process that is killed in the middle leaves a working program, and the next upgrade removes its file", async () => {
  const { source, plan, folder } = await prepare(program("2.0.0"));
  const src = join(import.meta.dirname, "../../src/upgrade");
  const script = `
    import { statSync } from "node:fs";
    import { releaseFolder } from "${src}/release-folder.ts";
    import { replaceProgram } from "${src}/replace-program.ts";
    const source = releaseFolder(${JSON.stringify(folder)});
    const stream = async function* () {
      yield Buffer.from("#!/bin/sh");
      const draft = ${JSON.stringify(PROGRAM)} + ".upgrade-" + process.pid;
      while (!(statSync(draft, { throwIfNoEntry: false })?.size > 0)) await new Promise(setImmediate);
      console.log("in the middle");
      await new Promise((resolve) => setInterval(resolve, 1e6));
      await new Promise(() => {});
    };
    await replaceProgram({ ...source, stream }, ${JSON.stringify(plan)}, ${JSON.stringify(PROGRAM)}, new AbortController().signal);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(running()).toBe("1.0.0");
  expect(readdirSync(BIN)).toEqual(["svc", `svc.upgrade-${child.pid}`]);
  await replaceProgram(source, plan, PROGRAM, NEVER);
  expect(running()).toBe("2.0.0");
  expect(readdirSync(BIN)).toEqual(["svc"]);
});

function mount(...words: readonly string[]): void {
  expect(spawnSync("mount", words).status).toBe(0);
}

needs(["mount"], () => {
  test("on a full or read-only disk the old program stays, with a remedy", async () => {
    const large = Buffer.concat([program("2.0.0"), Buffer.alloc(200_000, "#")]);
    const { source, plan } = await prepare(large);
    mount("-t", "tmpfs", "-o", "size=64k", "svc", BIN);
    try {
      writeFileSync(PROGRAM, program("1.0.0"), { mode: 0o755 });
      await expect(replaceProgram(source, plan, PROGRAM, NEVER)).rejects.toMatchObject({
        code: "STORAGE_FULL",
        detail: `The disk of ${PROGRAM} is full. Free some space; the program is unchanged.`,
      });
      expectUnchanged();
      mount("-o", "remount,ro", BIN);
      await expect(replaceProgram(source, plan, PROGRAM, NEVER)).rejects.toMatchObject({
        code: "UPGRADE_FAILED",
        detail: expect.stringMatching(
          /cannot be replaced \(EROFS\)\. Run the command as the owner/,
        ),
      });
      expectUnchanged();
    } finally {
      spawnSync("umount", ["-l", BIN]);
    }
  });
});
