import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { createPlace } from "../spec/program.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");

test("a server does not repeatedly index its own log inside the project", async () => {
  const { root, home, remove } = createPlace({ "a.md": "wombat\n" });
  const log = join(root, "server.log");
  const output = openSync(log, "a");
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: home,
      SERVICE_HOME: join(home, "data"),
    },
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
    remove();
  });
  const runs = (): number => readFileSync(log, "utf8").split('"message":"indexed"').length - 1;
  const changedTo = async (text: string): Promise<void> => {
    const before = runs();
    writeFileSync(join(root, "a.md"), text);
    await vi.waitFor(() => expect(runs()).toBeGreaterThan(before), { timeout: 60_000 });
  };
  await vi.waitFor(() => expect(runs()).toBeGreaterThan(0), { timeout: 60_000 });
  await sleep(500);
  await changedTo("quokka\n");
  await changedTo("numbat\n");
  const before = runs();
  // Without the check there were thirty runs per second.
  await sleep(1000);
  expect(runs() - before).toBeLessThan(3);
}, 120_000);
