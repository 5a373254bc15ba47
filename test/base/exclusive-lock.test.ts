import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { isLockHeld, takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { tree } from "../helpers/tree.ts";

function lockFixture(): { path: string; take: () => (() => void) | undefined } {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const lock = join(path, "writer.lock");
  return { path: lock, take: () => takeExclusiveLock(lock, 0) };
}

test("one caller holds the lock at a time, and the next gets it after its release", () => {
  const { take } = lockFixture();
  const release = take();
  expect(release).toBeDefined();
  expect(take()).toBeUndefined();
  release?.();
  const again = take();
  expect(again).toBeDefined();
  again?.();
});

test("the lock of a killed process is released at once", async () => {
  const { path, take } = lockFixture();
  const module = JSON.stringify(new URL("../../src/base/exclusive-lock.ts", import.meta.url));
  const holder = `const { takeExclusiveLock } = await import(${module});
    // An unreferenced lock may be garbage collected, which releases it.
    globalThis.release = takeExclusiveLock(${JSON.stringify(path)}, 0);
    console.log("held");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", holder]);
  await once(child.stdout, "data");
  expect(take()).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "close");
  const release = take();
  expect(release).toBeDefined();
  release?.();
}, 20_000);

test("a second attempt in this process does not release the lock to others", () => {
  const { path, take } = lockFixture();
  const release = take();
  expect(take()).toBeUndefined();
  const module = JSON.stringify(new URL("../../src/base/exclusive-lock.ts", import.meta.url));
  const other = `const { takeExclusiveLock } = await import(${module});
    console.log(takeExclusiveLock(${JSON.stringify(path)}, 0) === undefined ? "busy" : "taken");`;
  const outcome = (): string =>
    spawnSync(process.execPath, ["--input-type=module", "-e", other], { encoding: "utf8" }).stdout;
  expect(outcome()).toBe("busy\n");
  release?.();
  expect(outcome()).toBe("taken\n");
}, 20_000);

test("only the owner can access the lock's file", () => {
  const { path, take } = lockFixture();
  take()?.();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a lock whose file another process removes is not held", async () => {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const files = Array.from({ length: 2000 }, (_, at) => join(path, `${at}.lock`));
  for (const file of files) writeFileSync(file, "");
  const remover = `const { rmSync } = await import("node:fs");
    for (let at = 0; at < 2000; at += 1) rmSync(${JSON.stringify(path)} + "/" + at + ".lock");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", remover]);
  const closed = once(child, "close");
  // Looks at the file that is removed next, so that most are removed during a look.
  for (const file of files) while (existsSync(file)) expect(isLockHeld(file)).toBe(false);
  await closed;
}, 20_000);
