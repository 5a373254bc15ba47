import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach } from "vitest";

import type { Finding } from "../../src/doctor/finding.ts";
import { indexLayout, type IndexLayout } from "../../src/index/embedded/layout.ts";
import type { CredentialMachine } from "../cli/credential-machine.ts";
import { machine, type CliRun, type Machine } from "../helpers/cli.ts";

export interface Patient extends CredentialMachine {
  readonly layout: IndexLayout;
  /** The findings of `svc doctor` that are not ok. Throws when its exit code does not match them. */
  readonly complaints: (...flags: readonly string[]) => Promise<readonly Finding[]>;
}

/**
 * A machine with one indexed project in the namespace "project", and a default token. Created once per test file and
 * restored before each test.
 */
export function patientWith(files: Readonly<Record<string, string>> = {}): Patient {
  const copies = mkdtempSync(join(tmpdir(), "svc-patient-"));
  const made = machine(
    { "src/a.ts": "export function a(): void {}\n", "docs/b.md": "# About b\n\nText.\n", ...files },
    { SERVICE_PASSPHRASE: "", SERVICE_DATA_KEY_FILE: join(copies, "data.key") },
  );
  const json = async (...words: readonly string[]): Promise<unknown> =>
    jsonIn(await made.svc(...words, "--json"));
  beforeAll(async () => {
    await json("index", made.root);
    await json("auth", "token", "create", "--name", "laptop", "--save");
    copy(made, copies);
  });
  beforeEach(() => {
    rmSync(made.data, { recursive: true });
    rmSync(made.config, { recursive: true });
    for (const name of ["data", "config", "data.key"]) {
      const to = { data: made.data, config: made.config }[name] ?? join(copies, name);
      cp(join(copies, "pristine", name), to);
    }
  });
  afterAll(() => {
    made.dispose();
    rmSync(copies, { recursive: true });
  });
  return {
    ...made,
    json,
    keyFile: join(copies, "data.key"),
    layout: indexLayout(made.data, "project"),
    complaints: async (...flags) => complaintsIn(await made.svc("doctor", "--json", ...flags)),
  };
}

/** The findings of a run with --json that are not ok. */
export function complaintsIn(run: CliRun): readonly Finding[] {
  if (run.out === "") throw new Error(run.err);
  const { ok, findings }: { ok: boolean; findings: readonly Finding[] } = JSON.parse(run.out);
  const hasFailed = findings.some(({ state }) => state === "failed");
  if (ok === hasFailed || run.code !== (hasFailed ? 2 : 0)) {
    throw new Error(`exit code ${run.code} and ok: ${String(ok)} do not fit: ${run.out}`);
  }
  return findings.filter(({ state }) => state !== "ok");
}

function jsonIn({ code, out, err }: CliRun): unknown {
  if (code !== 0) throw new Error(`it ended with ${code}: ${err}`);
  return JSON.parse(out);
}

function copy({ data, config }: Machine, folder: string): void {
  const pristine = join(folder, "pristine");
  spawnSync("mkdir", [pristine]);
  cp(data, join(pristine, "data"));
  cp(config, join(pristine, "config"));
  cp(join(folder, "data.key"), join(pristine, "data.key"));
  chmodSync(pristine, 0o700);
}

/** Copies with modes and times. */
function cp(from: string, to: string): void {
  const { status } = spawnSync("cp", ["-a", "-T", from, to]);
  if (status !== 0) throw new Error(`${from} cannot be copied`);
}
