import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";
import { credentialMachine } from "../cli/credential-machine.ts";
import { complaintsAmong, findingsOn } from "./patient.ts";
import { needs } from "../helpers/needs.ts";

function mount(...words: readonly string[]): void {
  expect(spawnSync("mount", words).status).toBe(0);
}

/**
 * Mounts a disk of this size, unmounted when the test ends. Returns a function that remounts the disk as soon as no
 * ending thread has a file of it open.
 */
function mountDisk(path: string, kibibytes: number): (options: string) => Promise<void> {
  mkdirSync(path, { recursive: true });
  mount("-t", "tmpfs", "-o", `size=${kibibytes}k,mode=700`, "tmpfs", path);
  onTestFinished(() => void spawnSync("umount", ["-l", path]));
  return async (options) => {
    const remount = () => spawnSync("mount", ["-o", `remount,${options}`, path]).status;
    await expect.poll(remount, { timeout: 10_000 }).toBe(0);
  };
}

needs(["mount"], () => {
  test("a full disk", async () => {
    const bare = credentialMachine();
    mountDisk(bare.data, 1024);
    const [found, ...others] = complaintsAmong(await findingsOn(bare));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ check: "data directory", state: "failed" });
    expect(found?.what).toMatch(/MB free: the disk is full$/);
  });
});

test("a data directory that is a file", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "svc-file-")), "notes");
  onTestFinished(() => rmSync(join(file, ".."), { recursive: true }));
  writeFileSync(file, "mine\n", { mode: 0o600 });
  const bare = credentialMachine({ SERVICE_HOME: file });
  expect(complaintsAmong(await findingsOn(bare))).toContainEqual({
    check: "data directory",
    state: "failed",
    what: `${file} is not a folder`,
    mend: `Choose a folder with SERVICE_HOME, or run \`mv ${file} ${file}.old\` if the file is in the way.`,
  });
  const { code, err } = await bare.svc("index");
  expect([code, err]).toEqual([
    2,
    "svc: The data directory cannot be written.\n" +
      "Run `svc doctor` to find the cause, or set SERVICE_HOME to another directory.\n",
  ]);
});

test("a data directory whose parent is a file", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "svc-file-")), "notes");
  onTestFinished(() => rmSync(join(file, ".."), { recursive: true }));
  writeFileSync(file, "mine\n", { mode: 0o600 });
  const bare = credentialMachine({ SERVICE_HOME: join(file, "data") });
  expect(complaintsAmong(await findingsOn(bare))).toContainEqual(
    expect.objectContaining({ check: "data directory", what: `${file} is not a folder` }),
  );
});

needs(["mount"], () => {
  test("a data directory that cannot be created on a read-only disk", async () => {
    const bare = credentialMachine();
    const remount = mountDisk(bare.data, 8192);
    await remount("ro");
    const there = credentialMachine({ SERVICE_HOME: join(bare.data, "svc") });
    expect(complaintsAmong(await findingsOn(there))).toContainEqual(
      expect.objectContaining({ what: `${bare.data} is on a read-only disk` }),
    );
    const { code, err } = await there.svc("index");
    expect([code, err]).toEqual([
      2,
      "svc: The data directory cannot be written.\n" +
        "Run `svc doctor` to find the cause, or set SERVICE_HOME to another directory.\n",
    ]);
  });

  test("an almost full disk", async () => {
    const bare = credentialMachine();
    mountDisk(bare.data, 102_400);
    writeFileSync(join(bare.data, "big"), Buffer.alloc(97_700 * 1024), { mode: 0o600 });
    expect(complaintsAmong(await findingsOn(bare))).toEqual([
      expect.objectContaining({
        check: "data directory",
        state: "warning",
        what: expect.stringMatching(/almost full$/),
      }),
    ]);
  });
});

needs(["mount"], () => {
  test("a read-only disk", async () => {
    const bare = credentialMachine({}, { "a.md": "# A\n" });
    const remount = mountDisk(bare.data, 65_536);
    await bare.json("index", bare.root);
    await bare.json("auth", "token", "create", "--name", "laptop", "--save");
    await remount("ro");
    expect(complaintsAmong(await findingsOn(bare))).toEqual([
      {
        check: "data directory",
        state: "failed",
        what: `${bare.data} is on a read-only disk`,
        mend: expect.stringContaining("remount,rw"),
      },
    ]);
  });
});
