import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test, vi } from "vitest";

import type { Freshness } from "../../../src/engine/api/status.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { tree } from "../../helpers/tree.ts";
import type { Question, Reply } from "../fixtures/serve-on-command.ts";

const PROGRAM = bundledProgram(
  fileURLToPath(new URL("../fixtures/serve-on-command.ts", import.meta.url)),
);

interface Server {
  readonly pid: number;
  readonly ask: (question: Omit<Question, "id">) => Promise<unknown>;
  readonly search: (word: string) => Promise<unknown>;
  readonly freshness: () => Promise<Freshness>;
  readonly kill: () => Promise<void>;
}

interface Place {
  readonly root: string;
  readonly serve: () => Server;
}

function projectOf(files: Parameters<typeof tree>[0]): Place {
  const data = tree();
  const project = tree(files);
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
    data.dispose();
    project.dispose();
  });
  return {
    root: project.path,
    serve() {
      const child = fork(PROGRAM, [data.path, project.path]);
      children.push(child);
      return server(child);
    },
  };
}

function server(child: ChildProcess): Server {
  const waiting = new Map<number, (reply: Reply) => void>();
  let latest = 0;
  child.on("message", (reply: Reply) => waiting.get(reply.id)?.(reply));
  const ask: Server["ask"] = (question) =>
    new Promise((resolve, reject) => {
      latest += 1;
      waiting.set(latest, ({ result, error }) => {
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      child.send({ ...question, id: latest });
    });
  return {
    pid: child.pid ?? 0,
    ask,
    search: (word) => ask({ ask: "search", word }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the fixture
    freshness: async () => (await ask({ ask: "freshness" })) as Freshness,
    async kill() {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
}

function eventually(check: () => Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 45_000, interval: 25 });
}

/** The watching process, when it watches all folders. */
async function leaderOf(servers: readonly Server[]): Promise<Server> {
  const [first] = servers;
  let leader: Server | undefined;
  await eventually(async () => {
    const freshness = await first?.freshness();
    expect(freshness?.mode).toBe("watched");
    leader = servers.find(({ pid }) => pid === freshness?.pid);
    expect(leader).toBeDefined();
  });
  if (leader === undefined) throw new Error("nobody watches");
  return leader;
}

test("one of several processes watches, and the next queries of the others find saved files", async () => {
  const { root, serve } = projectOf({ "a/one.md": "wombat\n" });
  const servers = [serve(), serve(), serve()];
  await Promise.all(
    servers.map((one) => eventually(async () => void (await one.search("wombat")))),
  );
  const leader = await leaderOf(servers);
  for (const [at, asked] of servers.filter((one) => one !== leader).entries()) {
    writeFileSync(join(root, "a/one.md"), `quokka${at}\n`);
    // eslint-disable-next-line no-await-in-loop -- one after the other
    await eventually(async () => expect(await asked.search(`quokka${at}`)).toEqual(["a/one.md"]));
    // eslint-disable-next-line no-await-in-loop -- as above
    expect((await asked.freshness()).pid).toBe(leader.pid);
  }
  // The watcher does not block writers.
  expect(await Promise.all(servers.map((one) => one.ask({ ask: "index" })))).toEqual(
    servers.map(() => "done"),
  );
  for (const one of servers) expect(await one.ask({ ask: "problems" })).toEqual([]);
}, 120_000);

test("when the watcher is killed, another process takes over and sees missed changes", async () => {
  const { root, serve } = projectOf({ "a/one.md": "wombat\n", "b/two.md": "wombat\n" });
  let servers = [serve(), serve(), serve()];
  await Promise.all(
    servers.map((one) => eventually(async () => void (await one.search("wombat")))),
  );
  for (let round = 0; servers.length > 1; round += 1) {
    // eslint-disable-next-line no-await-in-loop -- one round after the other
    const leader = await leaderOf(servers);
    writeFileSync(join(root, "b/two.md"), `quokka${round}\n`);
    // eslint-disable-next-line no-await-in-loop -- as above
    await leader.kill();
    rmSync(join(root, "a"), { recursive: true, force: true });
    writeFileSync(join(root, `new${round}.md`), `numbat${round}\n`);
    servers = servers.filter((one) => one !== leader);
    // eslint-disable-next-line no-await-in-loop -- as above
    await leaderOf(servers);
    for (const one of servers) {
      // eslint-disable-next-line no-await-in-loop -- as above
      await eventually(async () => {
        expect(await one.search(`numbat${round}`)).toEqual([`new${round}.md`]);
        expect(await one.search(`quokka${round}`)).toEqual(["b/two.md"]);
        expect(await one.search("wombat")).toEqual([]);
      });
      // eslint-disable-next-line no-await-in-loop -- as above
      expect(await one.ask({ ask: "problems" })).toEqual([]);
    }
  }
}, 180_000);

test("after an engine closes, another one watches", async () => {
  const { root, serve } = projectOf({ "a/one.md": "wombat\n" });
  const servers = [serve(), serve()];
  await Promise.all(
    servers.map((one) => eventually(async () => void (await one.search("wombat")))),
  );
  const leader = await leaderOf(servers);
  const other = servers.filter((one) => one !== leader);
  await leader.ask({ ask: "close" });
  expect((await leaderOf(other)).pid).toBe(other[0]?.pid);
  writeFileSync(join(root, "a/one.md"), "quokka\n");
  await eventually(async () => expect(await other[0]?.search("quokka")).toEqual(["a/one.md"]));
}, 120_000);
