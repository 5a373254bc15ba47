import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createEngine } from "../../../src/engine/create-engine.ts";
import type { IndexProgress } from "../../../src/engine/api/index-report.ts";
import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { commandsIn, createMachine, type Machine } from "../../helpers/cli.ts";
import { manyWords } from "../../helpers/many-words.ts";
import { request } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { stagedTree } from "../../helpers/staged-tree.ts";

async function indexedMachine(more: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const machine = createMachine({
    "a.md": "one\n",
    "src/b.ts": "export const b = 1;\n",
    ".env": "SECRET=1\n",
    ...more,
  });
  onTestFinished(machine.dispose);
  await machine.svc("index", machine.root);
  return machine;
}

test("before anything is indexed it names the command to run", async () => {
  const machine = createMachine();
  onTestFinished(machine.dispose);
  expect(await machine.svc("status")).toEqual({
    code: 0,
    out: "Nothing is indexed yet. Run `svc index DIR`.\n",
    err: "",
  });
  expect(JSON.parse((await machine.svc("status", "--json")).out)).toEqual({ namespaces: [] });
});

test("each namespace is shown with its sources, size, age and skipped files", async () => {
  const here = await indexedMachine();
  const { code, out } = await here.svc("status", "--skipped");
  expect(code).toBe(0);
  const shown = out
    .replace(here.root, "ROOT")
    .replace(/\d{4}-\S+Z/g, "TIME")
    .replace(String(process.pid), "PID");
  expect(shown).toMatchInlineSnapshot(`
    "project  ready
      ROOT
      2 files, 24 bytes, 2 chunks, 1 symbol
      generation 1, TIME
      not watched; files are checked on each query
      checked TIME (index, process PID)
      skipped: 1 secret
        secret  .env
    "
  `);
});

test("--json has the shape of index_status", async () => {
  const here = await indexedMachine();
  const { out } = await here.svc("status", "--json");
  expect(JSON.parse(out)).toEqual({
    namespaces: [
      {
        name: "project",
        state: "ready",
        generation: 1,
        sources: [{ root: here.root, prefix: "", available: true }],
        files: 2,
        chunks: 2,
        symbols: 1,
        bytes: 24,
        stages: ["list", "words", "syntax"].map((name) => ({ name, done: 2, total: 2 })),
        skipped: { secret: 1 },
        indexed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        looked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        last_run: { by: "index", process: process.pid, warnings: [] },
        freshness: { mode: "asked", pid: null, folders: 0 },
      },
    ],
  });
});

test("a source that is not available is marked", async () => {
  const here = await indexedMachine();
  rmSync(here.root, { recursive: true });
  expect((await here.svc("status")).out).toContain(`${here.root}  (not available)`);
});

test("an interrupted index shows how to continue, until it is complete", async () => {
  const here = createMachine(stagedTree());
  onTestFinished(here.dispose);
  const engine = createEngine({
    dataDirectory: here.data,
    home: here.home,
    logger: recordingLogger().logger,
    workspace: () => here.root,
  });
  const broken = new AbortController();
  const onProgress = ({ stage, done }: IndexProgress): void => {
    if (stage === "syntax" && done > 0) broken.abort();
  };
  // With a limit, so that the run publishes words before syntax.
  await engine.index({ ...request(), waitMs: 60_000, signal: broken.signal, onProgress });
  await engine.close();
  const note = "Indexing was interrupted; run `svc index` to continue.";
  expect((await here.svc("status")).out).toContain(note);
  await here.svc("index", here.root);
  expect((await here.svc("status")).out).not.toContain(note);
  // The run has a low priority: on a busy machine it takes a minute.
}, 240_000);

test("--verify finds damage and shows the fix", async () => {
  const here = await indexedMachine(manyWords());
  expect((await here.svc("status", "--verify")).out).toContain("ready");
  const { segments } = indexLayout(here.data, "project");
  const [name = "none"] = readdirSync(segments);
  writeFileSync(join(segments, name), "damaged");
  expect((await here.svc("status", "--verify")).out).toMatch(/project {2}degraded\n[^]*--rebuild/);
});

test("a namespace that does not exist ends with 2", async () => {
  const here = await indexedMachine();
  const { code, err } = await here.svc("status", "--namespace", "nothing");
  expect(code).toBe(2);
  expect(err).toMatch(/no namespace "nothing"/);
});

test("the token in use is shown with its expiry, and how to renew one that ends soon", async () => {
  const here = await indexedMachine();
  await here.svc("auth", "token", "create", "--name", "mine", "--save");
  expect((await here.svc("status")).out).toMatch(
    /\n\nAccess token "mine", saved on this machine, expires \S+Z\.\n$/,
  );
  const { out } = await here.svc("auth", "token", "create", "--name", "ci", "--ttl", "6d");
  const { svc } = commandsIn({
    root: here.root,
    home: here.home,
    env: {
      SERVICE_HOME: here.data,
      SERVICE_CONFIG_HOME: here.config,
      SERVICE_DATA_KEY_FILE: join(here.data, "../data.key"),
      SERVICE_TOKEN: out.trim(),
    },
  });
  expect((await svc("status")).out).toMatch(
    /Access token "ci", from SERVICE_TOKEN, expires \S+Z\. Run `svc auth token renew tok_\w{16}` to renew it\.\n$/,
  );
  const shown = JSON.parse((await svc("status", "--json")).out);
  expect(shown.token).toMatchObject({ source: "SERVICE_TOKEN", name: "ci" });
  await here.svc("auth", "token", "revoke", shown.token.token_id);
  expect((await svc("status")).out).toContain(
    'Access token from SERVICE_TOKEN: The credential "ci" was revoked.',
  );
});
