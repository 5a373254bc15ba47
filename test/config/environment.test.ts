import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { takeEnvironment } from "../../src/config/environment.ts";
import { createSettings, readConfiguration } from "../../src/config/settings.ts";
import { createPlace } from "../spec/program.ts";

const SECRETS = { SERVICE_TOKEN: "svt_of_this_test", SERVICE_PASSPHRASE: "a phrase of this test" };

test("secrets are removed from the environment, everything else stays", () => {
  const from = { ...SECRETS, SERVICE_NAMESPACE: "a", PATH: "/usr/bin" };
  expect(takeEnvironment(from)).toMatchObject({ ...SECRETS, SERVICE_NAMESPACE: "a" });
  expect(from).toEqual({ SERVICE_NAMESPACE: "a", PATH: "/usr/bin" });
  expect(takeEnvironment(from)).toMatchObject({
    SERVICE_NAMESPACE: "a",
    SERVICE_TOKEN: undefined,
    SERVICE_PASSPHRASE: undefined,
  });
});

test("a secret reaches the settings but not their resolution", () => {
  const env = takeEnvironment({ ...SECRETS, SERVICE_HOME: "/d", SERVICE_CONFIG_HOME: "/none" });
  const { token, passphrase, resolution } = createSettings(readConfiguration({ env }));
  expect({ token, passphrase }).toEqual({
    token: SECRETS.SERVICE_TOKEN,
    passphrase: SECRETS.SERVICE_PASSPHRASE,
  });
  expect(JSON.stringify(resolution)).not.toMatch(/of.this.test/);
});

test.each(["", "   ", "${SERVICE_TOKEN}", "${SERVICE_PASSPHRASE}", " ${env:X} "])(
  "S10 a secret that is %j counts as unset",
  (text) => {
    const env = { SERVICE_TOKEN: text, SERVICE_PASSPHRASE: text, SERVICE_CONFIG_HOME: "/none" };
    const settings = createSettings(readConfiguration({ env, home: "/home/ann" }));
    expect([settings.token, settings.passphrase]).toEqual([undefined, undefined]);
    const secrets = settings.resolution.settings.filter(({ name }) => /token|phrase/.test(name));
    expect(secrets.map(({ isSet, origin }) => [isSet, origin])).toEqual([
      [false, "default"],
      [false, "default"],
    ]);
  },
);

// Runs the program in its own process and keeps it alive, then reads the variables where later code, workers and
// children would.
const READ_AFTERWARDS = `
  import { spawnSync } from "node:child_process";
  import { once } from "node:events";
  import { Worker } from "node:worker_threads";
  const names = ["SERVICE_TOKEN", "SERVICE_PASSPHRASE", "SERVICE_NAMESPACE"];
  const read = "JSON.stringify(" + JSON.stringify(names) + ".map((name) => process.env[name] ?? null))";
  const ended = Promise.withResolvers();
  process.exit = ended.resolve;
  const { main } = await import(process.argv[1]);
  await main(["config", "get", "token"]);
  await ended.promise;
  const worker = new Worker(
    "process.getBuiltinModule('node:worker_threads').parentPort.postMessage(" + read + ")",
    { eval: true },
  );
  const [inWorker] = await once(worker, "message");
  const inChild = spawnSync(process.execPath, ["-p", read], { encoding: "utf8" }).stdout.trim();
  const inProcess = JSON.stringify(names.map((name) => process.env[name] ?? null));
  console.error(JSON.stringify({ inProcess, inWorker, inChild }));
`;

test("the program leaves no secret to later code, to its workers, or to its children", () => {
  const place = createPlace();
  onTestFinished(place.remove);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", READ_AFTERWARDS, join(import.meta.dirname, "../../src/main.ts")],
    {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: place.home, SERVICE_NAMESPACE: "a", ...SECRETS },
    },
  );
  expect(stdout).toBe("set\n");
  const rest = '[null,null,"a"]';
  expect(JSON.parse(stderr)).toEqual({ inProcess: rest, inWorker: rest, inChild: rest });
});
