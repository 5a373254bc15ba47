import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { lockHolderPid } from "../../src/base/lock-holder.ts";
import { tree } from "../helpers/tree.ts";

const isLinux = process.platform === "linux";
const MODULE = JSON.stringify(new URL("../../src/base/exclusive-lock.ts", import.meta.url));

function lockFile(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return join(path, "writer.lock");
}

test("the holder of a lock is known while it holds it", () => {
  const path = lockFile();
  expect(lockHolderPid(path)).toBeUndefined();
  const release = takeExclusiveLock(path, 0);
  expect(lockHolderPid(path)).toBe(isLinux ? process.pid : undefined);
  expect(lockHolderPid(lockFile())).toBeUndefined();
  release?.();
  expect(lockHolderPid(path)).toBeUndefined();
});

test("the holder may be another process, and its end frees the lock", async () => {
  const path = lockFile();
  const script = `const { takeExclusiveLock } = await import(${MODULE});
    const release = takeExclusiveLock(${JSON.stringify(path)}, 0);
    process.stdout.write("taken");
    setInterval(() => release, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(lockHolderPid(path)).toBe(isLinux ? child.pid : undefined);
  const ended = once(child, "close");
  child.kill("SIGKILL");
  await ended;
  expect(lockHolderPid(path)).toBeUndefined();
}, 20_000);
