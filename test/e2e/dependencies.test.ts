// The shipped program in a project with installed packages: they are indexed when asked for, and searched when asked for.
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { BAKERY, ovenFiles } from "../engine/dependencies/installed-files.ts";
import { plant } from "../helpers/tree.ts";
import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, svc } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const QUESTION = "heats the stones before the dough";
const place = createPlace(BAKERY);
let server: Server;
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "index");
  if (exit !== 0) throw new Error(stderr);
  const { token } = await createTokenFor(place);
  server = startServer(place, { SERVICE_TOKEN: token });
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

async function textOf(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { result } = await server.request("tools/call", { name, arguments: input });
  return (result?.content ?? []).map(({ text }) => text).join("\n");
}

test("without them, --dependencies says how to index them", async () => {
  const { exit, stderr } = await svc(place, "search", QUESTION, "--dependencies");
  expect(exit).not.toBe(0);
  expect(stderr).toContain("No dependencies are indexed.");
  expect(stderr).toContain("svc index --dependencies");
});

test("svc index --dependencies indexes them, and says what it left out", async () => {
  const { stdout, stderr, exit } = await svc(place, "index", "--dependencies");
  expect(stderr).toBe("");
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^2 dependencies: 2 new, in \d+\.\d\d s\.$/m);
  expect(stdout).toContain("1 left out (not installed): missing.");
  const status = await svc(place, "status");
  expect(status.stdout).toContain(
    "2 dependencies, searched by name: npm-oven-1.2.0, npm-mill__flour-2.0.0",
  );
  expect(status.stdout.match(/ready/g)).toHaveLength(1);
});

test("search, grep, symbols and refs find them with --dependencies, or by the name of their namespace", async () => {
  const without = await svc(place, "search", QUESTION, "--all");
  expect(without.stdout).not.toContain("stones");
  const found = await svc(place, "search", QUESTION, "--dependencies");
  expect(found.stdout).toMatch(/README\.md:1-3 {2}Oven {2}\[npm-oven-1\.2\.0\]/);
  const named = await svc(place, "grep", "Heats", "--namespace", "npm-oven-1.2.0");
  expect(named.stdout).toContain("heat.d.ts:1:/** Heats an oven. */");
  const grep = await svc(place, "grep", "preheat\\(", "--dependencies");
  expect(grep.stdout).toContain("src/bake.ts:4:");
  expect(grep.stdout).toContain("dist/heat.d.ts:2:");
  const symbols = await svc(place, "symbols", "sieve", "--dependencies");
  expect(symbols.stdout).toContain("[npm-mill__flour-2.0.0]");
  const refs = await svc(place, "refs", "src/bake.ts#preheat", "--dependencies");
  expect(refs.stderr).toContain("[npm-oven-1.2.0]");
  expect(refs.stdout).toContain("[project]");
});

test("svc symbols finds what the project imports, and over MCP find_symbol does", async () => {
  const { stdout } = await svc(place, "symbols", "preheat");
  expect(stdout).toMatch(
    /^function preheat\(degrees: number\): number — Heats an oven\. .*\[npm-oven-1\.2\.0\]/,
  );
  expect(await textOf("find_symbol", { name: "preheat" })).toContain("[npm-oven-1.2.0]");
  expect(
    await textOf("search_context", { query: QUESTION, namespace: "project,npm-oven-1.2.0" }),
  ).toContain("[npm-oven-1.2.0]");
  const status = await textOf("index_status", {});
  expect(status).toContain(
    "2 dependencies, searched by name: npm-oven-1.2.0, npm-mill__flour-2.0.0",
  );
  expect(status).toContain('namespace "a,b"');
});

test("a package that is installed again is indexed by the next svc index; --json has what was done", async () => {
  plant(place.root, ovenFiles("1.3.0"));
  const { stdout } = await svc(place, "index", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    dependencies: {
      namespaces: ["npm-oven-1.3.0", "npm-mill__flour-2.0.0"],
      added: 1,
      removed: 1,
      left_out: [{ name: "missing", reason: "not installed" }],
    },
  });
});

test("flags that contradict each other are refused", async () => {
  const both = await svc(place, "index", "--dependencies", "--forget-dependencies");
  expect(both.exit).toBe(2);
  expect(both.stderr).toContain(
    "--dependencies and --forget-dependencies cannot be used together.",
  );
  const named = await svc(place, "index", "--dependencies", "oven");
  expect(named.stderr).toContain("svc index --dependency oven");
  const removal = await svc(place, "index", "--remove", "--dependency", "oven");
  expect(removal.stderr).toContain("--remove takes no --dependency.");
  const at = await svc(place, "search", "oven", "--dependencies", "--at", "HEAD");
  expect(at.stderr).toContain("Several namespaces have no commit in common.");
  const path = await svc(place, "search", "oven", "src", "--dependencies");
  expect(path.stderr).toContain("PATH limits a search to one project.");
});

test("they are forgotten with all that was kept of them", async () => {
  const { stdout } = await svc(place, "index", "--forget-dependencies");
  expect(stdout).toContain("Its dependencies are no longer indexed. 2 indexes removed.");
  const gone = await svc(place, "search", "oven", "--namespace", "npm-oven-1.3.0");
  expect(gone.stderr).toContain('There is no namespace "npm-oven-1.3.0".');
});
