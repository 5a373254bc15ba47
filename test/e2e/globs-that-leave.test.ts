// A glob that leaves the source matches nothing. Every argument for a glob reports this, where svc would otherwise
// answer as if there were no such file.
// oxlint-disable no-await-in-loop -- one call after the other
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { servedHere } from "../spec/commands-here.ts";
import { svc } from "../spec/program.ts";
import { startServer, type Reply, type Server } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] ??= join(import.meta.dirname, "../../dist/svc");

const LEAVING = [
  "../x",
  "..",
  "../**/*.ts",
  "src/../../x",
  "{..,src}/x",
  "!../x",
  "./../x",
  "\\.\\./x",
];
const REFUSAL =
  /the glob ".+" leads out of the source\.\sGlobs are relative to the root of the source/;

const served = servedHere({
  "src/orbit.ts": "export function radius(): number {\n  return 1;\n}\n",
  "two../dots.ts": "export function dotted(): number {\n  return 2;\n}\n",
});

let server: Server;
beforeAll(() => {
  server = startServer(served().place, { SERVICE_TOKEN: served().token });
});
afterAll(async () => {
  const exit = await server.close();
  if (exit !== 0) throw new Error(`the server ended with ${exit}: ${server.stderr()}`);
});

/** Every argument of every tool that is a glob. */
const CALLS: readonly (readonly [tool: string, (glob: string) => object])[] = [
  ["search_context", (path) => ({ query: "radius of the orbit", path })],
  ["search_text", (path) => ({ pattern: "radius", path })],
  ["find_symbol", (path) => ({ name: "radius", path })],
  ["find_references", (path) => ({ symbol: "radius", path })],
  ["list_changes", (path) => ({ since: "1", path })],
  ["set_monitor", (path) => ({ action: "create", name: "any", path })],
  ["index_source", (glob) => ({ source: served().place.root, include: ["src/**", glob] })],
  ["index_source", (glob) => ({ source: served().place.root, exclude: [glob] })],
];

function refusal({ result }: Reply): string {
  const { error_code: code, detail } = result?.structuredContent ?? {};
  return `${String(result?.isError)} ${String(code)} ${String(detail)}`;
}

describe.each(CALLS)("%s", (tool, input) => {
  test("refuses a glob that leaves the source, over standard input and over HTTP", async () => {
    // Braces are letters in include and exclude, as in .gitignore.
    const globs = LEAVING.filter((glob) => tool !== "index_source" || !glob.includes("{"));
    for (const glob of globs) {
      const params = { name: tool, arguments: input(glob) };
      const replies = [
        await server.request("tools/call", params),
        (await served().call(tool, input(glob))).body,
      ];
      for (const reply of replies) {
        expect([glob, refusal(reply)]).toEqual([glob, expect.stringMatching(REFUSAL)]);
        expect(refusal(reply)).toMatch(/^true PATH_OUTSIDE_SOURCE /);
      }
    }
  });
});

test("POST /v1/search refuses one with 400", async () => {
  for (const path of LEAVING) {
    const { status, body } = await served().search<{ error?: Reply["error"] }>({
      query: "radius of the orbit",
      path,
    });
    expect([path, status, body.error?.data.error_code]).toEqual([path, 400, "PATH_OUTSIDE_SOURCE"]);
    expect(body.error?.data.detail).toMatch(REFUSAL);
  }
});

test.each([
  ["search", "radius of the orbit"],
  ["grep", "radius"],
  ["symbols", "radius"],
  ["refs", "radius"],
  ["changes"],
  ["monitors add", "any"],
])("svc %s ends with exit code 2 for one", async (command, ...words) => {
  const { exit, stderr } = await svc(
    served().place,
    ...command.split(" "),
    ...words,
    "--path",
    "../x",
  );
  expect([exit, stderr]).toEqual([2, expect.stringMatching(REFUSAL)]);
});

test("a name that ends with two dots is no way out", async () => {
  const { exit, stdout } = await svc(served().place, "grep", "dotted", "--path", "two../*.ts");
  expect([exit, stdout]).toEqual([0, expect.stringContaining("two../dots.ts")]);
});
