import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach } from "vitest";

import { checkMcpServer } from "../../src/doctor/check-mcp-server.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { checksOf, runChecks } from "../../src/doctor/run-checks.ts";
import { indexLayout, type IndexLayout } from "../../src/index/embedded/layout.ts";
import type { CredentialMachine } from "../cli/credential-machine.ts";
import { createMachine, type CliRun, type Machine } from "../helpers/cli.ts";

export interface Patient extends CredentialMachine {
  readonly layout: IndexLayout;
  /** The findings that are not ok, of the checks that `findingsOn` runs. */
  readonly complaints: (...flags: readonly "--deep"[]) => Promise<readonly Finding[]>;
}

const NEVER = new AbortController().signal;

/**
 * A machine with one indexed project in the namespace "project", and a default token. Created once per test file and
 * restored before each test.
 */
export function patientWith(files: Readonly<Record<string, string>> = {}): Patient {
  const copies = mkdtempSync(join(tmpdir(), "svc-patient-"));
  const machine = createMachine(
    { "src/a.ts": "export function a(): void {}\n", "docs/b.md": "# About b\n\nText.\n", ...files },
    { SERVICE_PASSPHRASE: "", SERVICE_DATA_KEY_FILE: join(copies, "data.key") },
  );
  const json = async (...words: readonly string[]): Promise<unknown> =>
    jsonIn(await machine.svc(...words, "--json"));
  beforeAll(async () => {
    await json("index", machine.root);
    await json("auth", "token", "create", "--name", "laptop", "--save");
    copy(machine, copies);
  });
  beforeEach(() => {
    rmSync(machine.data, { recursive: true });
    rmSync(machine.config, { recursive: true });
    for (const name of ["data", "config", "data.key"]) {
      const to = { data: machine.data, config: machine.config }[name] ?? join(copies, name);
      cp(join(copies, "pristine", name), to);
    }
  });
  afterAll(() => {
    machine.dispose();
    rmSync(copies, { recursive: true });
  });
  return {
    ...machine,
    json,
    keyFile: join(copies, "data.key"),
    layout: indexLayout(machine.data, "project"),
    complaints: async (...flags) =>
      complaintsAmong(await findingsOn(machine, { isDeep: flags.length > 0 })),
  };
}

/**
 * The findings of the checks of `svc doctor` on that machine. It leaves out the check that starts the program, which
 * costs more than all others and has its own test.
 */
export async function findingsOn(
  { openApp }: Machine,
  { isDeep = false, backend }: { readonly isDeep?: boolean; readonly backend?: string } = {},
): Promise<readonly Finding[]> {
  const app = openApp("doctor", undefined, { backend });
  const quick = checksOf(app.settings).filter((check) => check !== checkMcpServer);
  try {
    return await runChecks({ ...app, isDeep, signal: NEVER }, quick);
  } finally {
    await app.close();
  }
}

/** The findings that are not ok. */
export function complaintsAmong(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ state }) => state !== "ok");
}

/** The findings of a run with --json that are not ok. */
export function complaintsIn(run: CliRun): readonly Finding[] {
  if (run.out === "") throw new Error(run.err);
  const { ok, findings }: { ok: boolean; findings: readonly Finding[] } = JSON.parse(run.out);
  const hasFailed = findings.some(({ state }) => state === "failed");
  if (ok === hasFailed || run.code !== (hasFailed ? 2 : 0)) {
    throw new Error(`exit code ${run.code} and ok: ${String(ok)} do not fit: ${run.out}`);
  }
  return complaintsAmong(findings);
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
