// `svc upgrade` of the built program, from a folder and from a server of this machine.
import { execFile, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { createSigningKey, writeRelease, type ReleaseFolder } from "../helpers/signed-release.ts";

// On a busy machine the self-check of a program takes seconds.
vi.setConfig({ testTimeout: 120_000 });

const BASE = mkdtempSync(join(tmpdir(), "svc-upgrade-"));
const BUILT = join(import.meta.dirname, "../../dist/svc");
const SVC = join(BASE, "bin/svc");
const KEY = createSigningKey();
const KEY_FILE = join(BASE, "svc.pub");
/** A synchronous call that hangs would stop all tests of its file. */
const MAX_RUN_MS = 60_000;
const ENV = { HOME: join(BASE, "home"), PATH: process.env["PATH"] ?? "" };

let newer: ReleaseFolder;
beforeAll(() => {
  for (const folder of ["bin", "home"]) mkdirSync(join(BASE, folder));
  writeFileSync(KEY_FILE, KEY.publicKey);
  newer = writeRelease(join(BASE, "newer"), "99.0.0", readFileSync(BUILT));
  newer.sign(KEY);
});
beforeEach(() => copyFileSync(BUILT, SVC));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function upgrade(...args: readonly string[]): Run {
  const options = { cwd: BASE, env: ENV, timeout: MAX_RUN_MS } as const;
  return spawnSync(SVC, ["upgrade", ...args], { ...options, encoding: "utf8" });
}

/** Whether the file at the path differs from the one before. */
async function isReplaced(
  work: () => Run | Promise<Run>,
): Promise<{ run: Run; replaced: boolean }> {
  const { ino } = statSync(SVC);
  const run = await work();
  return { run, replaced: statSync(SVC).ino !== ino };
}

test("it installs a signed release from a folder; --check changes nothing", async () => {
  const check = await isReplaced(() => upgrade("newer", "--check", "--public-key", KEY_FILE));
  expect(check).toMatchObject({ replaced: false, run: { status: 0 } });
  expect(check.run.stdout).toMatch(
    /^Would install svc 99\.0\.0 \(svc-99\.0\.0-\S+\) in place of \d+\.\d+\.\d+: \S+\/bin\/svc\n$/,
  );
  expect(check.run.stderr).toBe("svc: Signed with the key 3736353433323130.\n");

  const done = await isReplaced(() => upgrade("newer", "--json", "--public-key", KEY_FILE));
  expect(done).toMatchObject({ replaced: true, run: { status: 0, stderr: "" } });
  expect(JSON.parse(done.run.stdout)).toMatchObject({
    version: "99.0.0",
    state: "newer",
    signed_by: "3736353433323130",
    program: SVC,
    installed: true,
  });
  expect(readFileSync(SVC).equals(readFileSync(BUILT))).toBe(true);
});

test("from a server it downloads the compressed file only", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end(readFileSync(join(BASE, "newer", request.url ?? "")));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const words = ["upgrade", `http://127.0.0.1:${port}`];
  const env = { ...ENV, SERVICE_RELEASE_KEY: KEY_FILE };
  const { promise, resolve } = Promise.withResolvers<Run>();
  const before = statSync(SVC).ino;
  const child = execFile(SVC, words, { cwd: BASE, env }, (_, stdout, stderr) => {
    resolve({ status: child.exitCode, stdout, stderr });
  });
  const { status, stdout, stderr } = await promise;
  expect([status, stderr]).toEqual([0, "svc: Signed with the key 3736353433323130.\n"]);
  expect(stdout).toMatch(/^Installed svc 99\.0\.0 in place of /);
  expect(statSync(SVC).ino).not.toBe(before);
  expect(requests).toEqual(["/SHA256SUMS", "/SHA256SUMS.minisig", `/${newer.program}.gz`]);
});

test("an older release needs --allow-older; without a key the report says that nothing was verified", async () => {
  writeRelease(join(BASE, "older"), "0.0.1", readFileSync(BUILT));
  const refused = await isReplaced(() => upgrade("older"));
  expect(refused).toMatchObject({ replaced: false, run: { status: 2, stdout: "" } });
  expect(refused.run.stderr).toContain("Add --allow-older to install the older version.");
  expect(upgrade("older", "--check").stdout).toContain(
    " with --allow-older, because it is older: ",
  );
  const allowed = await isReplaced(() => upgrade("older", "--allow-older"));
  expect(allowed).toMatchObject({ replaced: true, run: { status: 0 } });
  expect(allowed.run.stderr).toBe(
    "svc: Its checksums are not verified by a signature: no public key is known (--public-key).\n",
  );
});

test("a wrong signature, a changed file and a key that is none leave the program as it is", async () => {
  const other = createSigningKey();
  const wrong = await isReplaced(() =>
    upgrade("newer", "--public-key", other.publicKey.split("\n")[1] ?? ""),
  );
  expect(wrong).toMatchObject({ replaced: false, run: { status: 2, stdout: "" } });
  expect(wrong.run.stderr).toContain("SHA256SUMS.minisig does not fit SHA256SUMS.");
  writeFileSync(join(BASE, "empty.pub"), "");
  for (const name of ["no-such-file", "empty.pub"]) {
    const noKey = await isReplaced(() => upgrade("newer", "--public-key", name));
    expect(noKey).toMatchObject({ replaced: false, run: { status: 2, stdout: "" } });
    expect(noKey.run.stderr).toContain("The public key is neither a minisign key");
  }
  const changed = writeRelease(join(BASE, "changed"), "99.0.0", Buffer.from("#!/bin/sh\n"));
  writeFileSync(join(changed.folder, changed.program), "#!/bin/sh\necho changed\n");
  const damaged = await isReplaced(() => upgrade("changed"));
  expect(damaged).toMatchObject({ replaced: false, run: { status: 2, stdout: "" } });
  expect(damaged.run.stderr).toContain("is damaged or not the released file");
});
