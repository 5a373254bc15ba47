// Damaged files of a store: they are refused and left unchanged, or the damage has no effect.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { openOrCreateStore } from "../../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";
import { codeOf } from "../home.ts";
import { memoryHome } from "./programs.ts";
import {
  ANCHOR,
  contentOf,
  DATABASE,
  differences,
  type Files,
  filesOf,
  KEY,
  LOG,
  putFiles,
  sampleStore,
  type Sample,
} from "./stored-state.ts";

interface Damage {
  readonly what: string;
  readonly files: Files;
}

/** Opens a damaged store. Returns the problems in how it was handled, and whether it was refused. */
async function meet(
  { home, content }: Sample,
  { what, files }: Damage,
): Promise<{ readonly refused: boolean; readonly problems: readonly string[] }> {
  putFiles(home.root, files);
  const seen = await contentOf(home);
  if (seen.error === undefined) {
    if (seen.content !== content) return { refused: false, problems: [`${what}: other content`] };
    return { refused: false, problems: await goOn(home, { what, content }) };
  }
  const problems: string[] = [];
  const { code, hint } = seen.error;
  if (code !== "CREDENTIAL_STORE" || hint === undefined) problems.push(`${what}: ${code}, ${hint}`);
  const changed = differences(files, filesOf(home.root));
  if (changed.length > 0) problems.push(`${what}: refused, but changed ${changed.join()}`);
  return { refused: true, problems };
}

/** Changes a store whose damage had no effect so far, and returns the problems; this too may be refused. */
async function goOn(
  home: Sample["home"],
  { what, content }: { readonly what: string; readonly content: string },
): Promise<readonly string[]> {
  const code = await codeOf(async () => {
    const store = await openOrCreateStore(home);
    try {
      const { record } = await createToken(store, { name: "after" });
      await store.write(({ put }) => put({ ...record, revokedAt: 1 }));
    } finally {
      await store.close();
    }
  });
  const after = await contentOf(home);
  if (code !== "ok" && code !== "CREDENTIAL_STORE") return [`${what}: a change ends with ${code}`];
  if (after.error !== undefined) {
    return code === "ok" ? [`${what}: refused after a change, ${after.error.detail}`] : [];
  }
  const lacks = namesIn(content).filter((one) => !namesIn(after.content).includes(one));
  return lacks.length > 0 ? [`${what}: a change costs ${lacks.join()}`] : [];
}

/** Returns the name of each credential, and whether it is revoked. */
function namesIn(content = "[[]]"): readonly string[] {
  const [records]: [{ name: string; revokedAt?: number }[]] = JSON.parse(content);
  return records.map(({ name, revokedAt }) => `${name} ${revokedAt !== undefined}`);
}

async function meetAll(
  sample: Sample,
  damages: Iterable<Damage>,
): Promise<{ readonly refused: number; readonly problems: readonly string[] }> {
  let refused = 0;
  const problems: string[] = [];
  for (const damage of damages) {
    // oxlint-disable-next-line no-await-in-loop -- one after another in one place
    const met = await meet(sample, damage);
    if (met.refused) refused += 1;
    problems.push(...met.problems);
  }
  return { refused, problems };
}

/** Flips `count` random single bits of a file, spread over its length. */
function* flips(files: Files, path: string, count: number): Iterable<Damage> {
  const random = reportedRandom(`flips of ${path}`);
  const good = files.get(path) ?? Buffer.alloc(0);
  for (let nth = 0; nth < count; nth += 1) {
    const bytes = Buffer.from(good);
    const at = Math.floor(((nth + random()) / count) * bytes.length);
    const bit = Math.floor(random() * 8);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
    yield { what: `bit ${bit} of byte ${at} of ${path}`, files: new Map(files).set(path, bytes) };
  }
}

/** Yields `count` truncations of a file, including the empty one. */
function* truncations(files: Files, path: string, count: number): Iterable<Damage> {
  const random = reportedRandom(`truncations of ${path}`);
  const good = files.get(path) ?? Buffer.alloc(0);
  for (let nth = 0; nth < count; nth += 1) {
    const size = Math.floor(((nth + random() * Number(nth > 0)) / count) * good.length);
    const bytes = good.subarray(0, size);
    yield { what: `${path} cut to ${size} bytes`, files: new Map(files).set(path, bytes) };
  }
}

test("each of 1,000 flipped bits is refused or has no effect, and none is repaired", async () => {
  const sample = await sampleStore();
  const { closed, inUse } = sample;
  const { refused, problems } = await meetAll(sample, [
    ...flips(closed, DATABASE, 450),
    ...flips(inUse, DATABASE, 50),
    ...flips(inUse, LOG, 300),
    ...flips(closed, ANCHOR, 100),
    ...flips(closed, KEY, 100),
  ]);
  expect(problems).toEqual([]);
  // The others are in unused parts of pages.
  expect(refused).toBeGreaterThan(500);
}, 60_000);

test("each of 200 truncations is refused or has no effect", async () => {
  const sample = await sampleStore();
  const { closed, inUse } = sample;
  const { refused, problems } = await meetAll(sample, [
    ...truncations(closed, DATABASE, 80),
    ...truncations(inUse, DATABASE, 10),
    ...truncations(inUse, LOG, 60),
    ...truncations(closed, ANCHOR, 25),
    ...truncations(closed, KEY, 25),
  ]);
  expect(problems).toEqual([]);
  expect(refused).toBeGreaterThan(150);
}, 60_000);

test("a store found damaged while in use is left unchanged, too", async () => {
  const home = memoryHome();
  const store = await openOrCreateStore(home);
  await createToken(store, { name: "one" });
  const db = new DatabaseSync(join(home.root, DATABASE));
  db.exec("DELETE FROM sealed");
  db.close();
  const files = filesOf(home.root);
  expect(await codeOf(() => store.list())).toBe("CREDENTIAL_STORE");
  await store.close();
  expect(differences(files, filesOf(home.root))).toEqual([]);
});
