import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { parsePublicKey } from "../../src/upgrade/minisign.ts";
import { planUpgrade, platformName, type UpgradePlan } from "../../src/upgrade/plan-upgrade.ts";
import { releaseFolder } from "../../src/upgrade/release-folder.ts";
import { createSigningKey, writeRelease, type ReleaseFolder } from "../helpers/signed-release.ts";

const BASE = mkdtempSync(join(tmpdir(), "svc-plan-"));
afterAll(() => rmSync(BASE, { recursive: true, force: true }));

const PLATFORM = platformName(process.platform, process.arch);
const KEY = createSigningKey();

function release(version: string): ReleaseFolder {
  return writeRelease(mkdtempSync(join(BASE, "release-")), version, Buffer.from("program"));
}

function plan(
  folder: string,
  more: { platform?: string; publicKey?: string } = {},
): Promise<UpgradePlan> {
  const key = more.publicKey === undefined ? undefined : parsePublicKey(more.publicKey);
  const platform = more.platform ?? PLATFORM;
  return planUpgrade(releaseFolder(folder), { current: "1.2.3", platform, key });
}

test.each([
  ["1.2.4", "newer"],
  ["1.2.3", "same"],
  ["1.2.3-rc.1", "older"],
])("version %s is %s", async (version, state) => {
  const { folder, program } = release(version);
  expect(await plan(folder)).toMatchObject({
    current: "1.2.3",
    version,
    state,
    file: program,
    signedBy: undefined,
  });
});

test("of a server, the compressed file is read", async () => {
  const { folder, program } = release("2.0.0");
  const source = { ...releaseFolder(folder), isRemote: true };
  const planned = await planUpgrade(source, {
    current: "1.2.3",
    platform: PLATFORM,
    key: undefined,
  });
  expect(planned.file).toBe(`${program}.gz`);
  expect(planned.fileSum).not.toBe(planned.programSum);
});

test("with a key, only a release that it signed is accepted", async () => {
  const { publicKey } = KEY;
  const { folder, sign } = release("2.0.0");
  await expect(plan(folder, { publicKey })).rejects.toThrow("The release is not signed: ");
  sign(createSigningKey());
  await expect(plan(folder, { publicKey })).rejects.toThrow("does not fit SHA256SUMS");
  sign(KEY);
  expect(await plan(folder, { publicKey })).toMatchObject({ signedBy: "3736353433323130" });
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
  writeFileSync(join(folder, "SHA256SUMS"), sums.replace("2.0.0", "2.0.1"));
  await expect(plan(folder, { publicKey })).rejects.toThrow("does not fit SHA256SUMS");
});

test("a folder without sums, without this platform, or with two releases is refused with a remedy", async () => {
  const empty = mkdtempSync(join(BASE, "empty-"));
  await expect(plan(empty)).rejects.toMatchObject({
    code: "UPGRADE_FAILED",
    detail: expect.stringMatching(
      / is not a release: it has no SHA256SUMS\. Name the folder or address/,
    ),
  });
  const { folder, program } = release("2.0.0");
  await expect(plan(folder, { platform: "darwin-arm64" })).rejects.toThrow(
    "has no executable for darwin-arm64",
  );
  const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
  writeFileSync(
    join(folder, "SHA256SUMS"),
    sums + sums.replaceAll(program, program.replace("2.0.0", "2.0.1")),
  );
  await expect(plan(folder)).rejects.toThrow(`has several executables for ${PLATFORM}`);
});
