import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import type { CheckContext } from "../../src/doctor/check-context.ts";
import { checkIndexes } from "../../src/doctor/check-indexes.ts";
import type { Finding } from "../../src/doctor/finding.ts";
import { readInventory } from "../../src/doctor/inventory.ts";
import { manyWords } from "../helpers/many-words.ts";
import { promise, sized } from "../trust/promise.ts";
import { patientWith } from "./patient.ts";

// Large enough that its segment is a file.
const here = patientWith(manyWords());
const segment = (): string =>
  join(here.layout.segments, readdirSync(here.layout.segments)[0] ?? "");

const damaged = (what: RegExp | string, mend: string): unknown => ({
  check: "index",
  namespace: "project",
  state: "failed",
  what: typeof what === "string" ? what : expect.stringMatching(what),
  mend,
});

const rebuild = `Run \`svc index --rebuild ${here.root} --namespace project\`.`;

test("a truncated segment", async () => {
  truncateSync(segment(), 1000);
  expect(await here.complaints()).toEqual([
    damaged(/cannot be read: The index file \S+ is damaged/, rebuild),
  ]);
});

test("a missing segment", async () => {
  rmSync(segment());
  expect(await here.complaints()).toEqual([
    damaged(/cannot be read: The index file \S+ cannot be opened/, rebuild),
  ]);
});

promise([3], "`svc doctor --deep` finds a flipped bit anywhere in a segment", async () => {
  const whole = readFileSync(segment());
  const tries = sized({ quick: 20, full: 300, soak: 5000 });
  for (let at = 0; at < tries; at += 1) {
    // From the first section, because nothing before it is read, to the last byte.
    const place = 8 + Math.floor((at * (whole.length - 9)) / (tries - 1));
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (at % 8));
    writeFileSync(segment(), bytes);
    // oxlint-disable-next-line no-await-in-loop -- one fault at a time
    const found = at % 20 === 0 ? await here.complaints("--deep") : await deepFindings();
    expect([place, found]).toEqual([place, [damaged(/damaged|another format/, rebuild)]]);
  }
  return tries;
});

/** The findings of the index check of `svc doctor --deep`, without the other checks. */
async function deepFindings(): Promise<readonly Finding[]> {
  const context: Partial<CheckContext> = { isDeep: true, signal: new AbortController().signal };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that this check reads
  return checkIndexes.run(context as CheckContext, await readInventory(here.data));
}

test("a missing folder of segments, which doctor does not create", async () => {
  rmSync(here.layout.segments, { recursive: true });
  const what = `the index cannot be read: ${here.layout.segments} does not exist.`;
  expect(await here.complaints()).toEqual([damaged(what, rebuild)]);
  expect(existsSync(here.layout.segments)).toBe(false);
});

test("a catalog that is not a database", async () => {
  writeFileSync(here.layout.catalog, "no database ".repeat(1000));
  expect(await here.complaints()).toEqual([
    damaged(/cannot be read: file is not a database/, rebuild),
  ]);
});

test("a catalog with a page of zeroes, which --deep finds", async () => {
  const bytes = readFileSync(here.layout.catalog);
  bytes.fill(0, bytes.length - 4096);
  writeFileSync(here.layout.catalog, bytes);
  expect(await here.complaints("--deep")).toEqual([damaged(/./, rebuild)]);
});

test("an index of a newer version of svc", async () => {
  const db = new DatabaseSync(here.layout.catalog);
  db.exec("PRAGMA user_version = 99001");
  db.close();
  const [found] = await here.complaints();
  expect(found).toMatchObject({
    state: "failed",
    what: "written by a newer version of svc; this version cannot read it",
  });
  expect(found?.mend).toContain("Update svc");
});

test("the suggested command builds a missing index", async () => {
  rmSync(here.layout.directory, { recursive: true });
  const [found] = await here.complaints();
  expect(found).toMatchObject({ state: "warning", what: "nothing has been indexed yet" });
  await here.json("index", here.root, "--namespace", "project");
  expect(await here.complaints()).toEqual([]);
});

test("the suggested command repairs a damaged index", async () => {
  truncateSync(segment(), 1000);
  expect(await here.complaints()).toHaveLength(1);
  await here.json("index", "--rebuild", here.root, "--namespace", "project");
  expect(await here.complaints("--deep")).toEqual([]);
});

test("a missing source folder", async () => {
  renameSync(here.root, `${here.root}-moved`);
  const found = await here.complaints();
  renameSync(`${here.root}-moved`, here.root);
  expect(found).toEqual([
    {
      check: "sources",
      namespace: "project",
      state: "failed",
      what: `the folder ${here.root} does not exist; searches still find its old files`,
      mend: `Bring it back (a drive may not be mounted), or run \`svc index --remove ${here.root} --namespace project\`.`,
    },
  ]);
});

test("a registry that cannot be read", async () => {
  writeFileSync(join(here.data, "registry.db"), "no database ".repeat(1000));
  const [found, ...others] = await here.complaints();
  expect(others).toEqual([]);
  expect(found).toMatchObject({ check: "registry", state: "failed" });
  expect(found?.what).toContain("is damaged");
});
