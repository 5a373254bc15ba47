// Every command on a damaged registry: none answers from another folder, each reports the fix.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { createMachine } from "../helpers/cli.ts";
import { svcWith } from "../spec/program.ts";
import { promise } from "./promise.ts";

const COMMANDS: readonly (readonly string[])[] = [
  ["search", "siblingCanary", "--namespace", "ca"],
  ["grep", "Canary", "--namespace", "ca"],
  ["symbols", "siblingCanary", "--namespace", "ca"],
  ["outline", "--namespace", "ca"],
  ["refs", "siblingCanary", "--namespace", "ca"],
  ["changes", "--namespace", "ca"],
  ["status"],
  ["namespaces", "list"],
  ["index", "."],
  ["index", "--remove", "."],
  ["monitors", "list", "--namespace", "ca"],
];

promise([46], "every command on a damaged registry says so, and what helps", async () => {
  const machine = createMachine();
  onTestFinished(machine.dispose);
  const place = { root: machine.root, home: machine.home, remove: machine.dispose };
  const env = { SERVICE_HOME: machine.data, SERVICE_CONFIG_HOME: machine.config };
  const base = dirname(machine.root);
  for (const [name, word] of [
    ["ca", "ownWord"],
    ["cb", "siblingCanary"],
  ] as const) {
    mkdirSync(join(base, name));
    writeFileSync(join(base, name, "a.ts"), `export function ${word}(): void {}\n`);
  }
  // Its end leaves the whole registry in one file.
  const indexed = await svcWith(place, env, "index", join(base, "ca"), "--namespace", "ca");
  expect([indexed.exit, indexed.stderr]).toEqual([0, expect.any(String)]);
  const file = join(machine.data, "registry.db");
  const bytes = readFileSync(file);
  const swapped = Buffer.from(bytes.toString("latin1").replaceAll("/ca", "/cb"), "latin1");
  expect(swapped.equals(bytes)).toBe(false);
  let cases = 0;
  for (const damaged of [swapped, bytes.subarray(0, bytes.length / 2), bytes.subarray(0, 0)]) {
    for (const words of COMMANDS) {
      for (const end of ["-wal", "-shm"]) rmSync(file + end, { force: true });
      writeFileSync(file, damaged);
      // In this process, because a separate program would take ten times as long.
      // oxlint-disable-next-line no-await-in-loop -- one command after the other
      const { code, out, err } = await machine.svc(...words);
      expect([words, code, out, err]).toEqual([
        words,
        2,
        "",
        expect.stringMatching(/registry\.db\) is damaged[^]*backup[^]*svc doctor/),
      ]);
      cases += 1;
    }
    // oxlint-disable-next-line no-await-in-loop -- as above
    const doctor = await svcWith(place, env, "doctor", "--json");
    expect(JSON.parse(doctor.stdout)).toMatchObject({ ok: false });
    expect(doctor.stdout).toContain('"registry"');
    cases += 1;
  }
  return cases;
});
