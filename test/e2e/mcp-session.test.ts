// Sessions with errors or unusual ends, with the shipped program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, exitCode, startProgram } from "../spec/program.ts";
import { startServer, type RpcError, type Server } from "../spec/stdio-client.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
process.env["SVC_BIN"] = SVC;

const INITIALIZE = { clientInfo: { name: "e2e" } };

const place = createPlace({
  "src/orbit.ts":
    "/** Radius at which a satellite keeps its place over the ground. */\n" +
    "export function geostationaryRadius(mass: number): number {\n  return mass;\n}\n",
});
let token = "";
let server: Server;
beforeAll(async () => {
  ({ token } = await createTokenFor(place));
  server = open();
  await server.request("initialize", INITIALIZE);
});
afterAll(async () => {
  await server.close();
  place.remove();
});

function open(SERVICE_TOKEN = token): Server {
  return startServer(place, { SERVICE_TOKEN });
}

async function failure(tool: string, input: unknown): Promise<RpcError | undefined> {
  return (await server.request("tools/call", { name: tool, arguments: input })).error;
}

/** The best answer. */
async function ask(of: Server, query: string): Promise<string> {
  return (await of.items("search_context", { query }))[0]?.text ?? "";
}

/** The answer of a server without a usable token to a call, after a handshake that lists the tools. */
async function refusal(unusable: string): Promise<unknown> {
  const stranger = open(unusable);
  const { result } = await stranger.request("initialize", INITIALIZE);
  expect(result?.serverInfo?.["name"]).toBe("svc");
  expect((await stranger.request("tools/list")).result?.tools).toHaveLength(12);
  const call = { name: "outline", arguments: {} };
  const refused = await stranger.request("tools/call", call);
  expect(await stranger.close()).toBe(0);
  expect(refused.result?.isError).toBe(true);
  return refused.result?.structuredContent;
}

test("an unknown tool is an error that names tools/list", async () => {
  expect(await failure("search_everything", {})).toMatchInlineSnapshot(`
    {
      "code": -32602,
      "data": {
        "detail": "Unknown tool "search_everything". tools/list lists the tools.",
        "error_code": "TOOL_NOT_FOUND",
      },
      "message": "Invalid params",
    }
  `);
});

test("a line that is not JSON is answered without an id, and the session continues", async () => {
  expect(await server.raw('{"jsonrpc": "2.0", "id": 7,')).toMatchInlineSnapshot(`
    {
      "error": {
        "code": -32700,
        "data": {
          "detail": "The message is not valid JSON.",
          "error_code": "PARSE_ERROR",
        },
        "message": "Parse error",
      },
      "id": null,
      "jsonrpc": "2.0",
    }
  `);
  expect(await server.request("ping")).toMatchObject({ result: {} });
});

test("a query of 2 characters is INVALID_QUERY", async () => {
  expect(await failure("search_context", { query: "ab" })).toMatchInlineSnapshot(`
    {
      "code": -32602,
      "data": {
        "detail": "query: must be 3 to 10,000 characters long.",
        "error_code": "INVALID_QUERY",
      },
      "message": "Invalid params",
    }
  `);
});

test("a query of 10,001 characters is INVALID_QUERY, one of 10,000 is answered", async () => {
  const query = "é".repeat(10_000);
  expect(await failure("search_context", { query: `${query}e` })).toMatchInlineSnapshot(`
    {
      "code": -32602,
      "data": {
        "detail": "query: must be 3 to 10,000 characters long.",
        "error_code": "INVALID_QUERY",
      },
      "message": "Invalid params",
    }
  `);
  expect(await failure("search_context", { query })).toBeUndefined();
});

test("an argument that the tool does not have is named", async () => {
  const { result } = await server.request("tools/call", {
    name: "search_context",
    arguments: { query: "orbit", colour: "red" },
  });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: {
      error_code: "INVALID_PARAMS",
      detail:
        'search_context has no argument "colour". It takes: query, path, language, kind, limit, max_tokens, cursor, rerank, namespace.',
    },
  });
});

test("without a token the tools are listed, and a call names the command that creates one", async () => {
  expect(await refusal("")).toMatchInlineSnapshot(`
    {
      "detail": "No access token was given. Run \`svc auth token create --name NAME --save\` once on this machine, or set SERVICE_TOKEN.",
      "error_code": "UNAUTHENTICATED",
    }
  `);
});

test("a token of another machine is refused", async () => {
  const other = createPlace();
  const { token: foreign } = await createTokenFor(other);
  other.remove();
  expect(await refusal(foreign)).toMatchInlineSnapshot(`
    {
      "detail": "The credential is not known on this machine. SERVICE_TOKEN holds it: set SERVICE_TOKEN to a new token from \`svc auth token create --name NAME\`, or remove SERVICE_TOKEN and run \`svc auth token create --name NAME --save\`. Then restart the server.",
      "error_code": "UNAUTHENTICATED",
    }
  `);
});

test("a mistyped token and a wrong one have different errors", async () => {
  const last = token.endsWith("0") ? "1" : "0";
  expect(await refusal(token.slice(0, -1) + last)).toMatchInlineSnapshot(`
    {
      "detail": "The credential is mistyped or cut short. SERVICE_TOKEN holds it: copy the token again as one word of 42 characters. If it is lost, set SERVICE_TOKEN to a new token from \`svc auth token create --name NAME\`, or remove SERVICE_TOKEN and run \`svc auth token create --name NAME --save\`. Then restart the server.",
      "error_code": "CREDENTIAL_MALFORMED",
    }
  `);
});

test("a cancelled call gets no reply, and the next one does", async () => {
  const cancelled = open();
  await cancelled.request("initialize", INITIALIZE);
  const call = { name: "index_source", arguments: { source: place.root } };
  const reply = cancelled.request("tools/call", call).then(
    () => "answered",
    () => "no reply",
  );
  // The second request of this session: `request` counts its ids from 1.
  cancelled.notify("notifications/cancelled", { requestId: 2 });
  expect(await cancelled.request("tools/call", call)).toMatchObject({
    id: 3,
    result: { structuredContent: { done: true } },
  });
  expect(await cancelled.close()).toBe(0);
  expect(await reply).toBe("no reply");
});

test("index_source reports increasing progress to a client that requests it", async () => {
  const folder = createPlace(
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.md`, `# Page ${at}\n`])),
  );
  const wide = startServer(place, { SERVICE_TOKEN: token }, ["--allow-root", folder.root]);
  const { result } = await wide.request("tools/call", {
    name: "index_source",
    arguments: { source: folder.root },
    _meta: { progressToken: "index" },
  });
  expect(await wide.close()).toBe(0);
  folder.remove();
  const messages = wide.lines.map((line): Progress => JSON.parse(line));
  const steps = messages.filter(({ method }) => method === "notifications/progress");
  expect(result).toMatchObject({ structuredContent: { done: true, added: 300 } });
  expect(steps.length).toBeGreaterThan(0);
  const counts = steps.map(({ params }) => params.progress);
  expect(counts).toEqual([...new Set(counts)].toSorted((one, other) => one - other));
  expect(new Set(steps.map(({ params }) => params.progressToken))).toEqual(new Set(["index"]));
});

test("two servers on one data directory answer at once, and each sees what the other has indexed", async () => {
  const fresh = createPlace({ "docs/bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
  const { token: SERVICE_TOKEN } = await createTokenFor(fresh);
  const [one, other] = [
    startServer(fresh, { SERVICE_TOKEN }),
    startServer(fresh, { SERVICE_TOKEN }),
  ];
  const first = await Promise.all([one, other].map((each) => ask(each, "winter honey")));
  expect(first.map((text) => text.split("\n")[0])).toEqual([
    "docs/bees.md:1-3  Bees",
    "docs/bees.md:1-3  Bees",
  ]);
  writeFileSync(join(fresh.root, "docs/ants.md"), "# Ants\n\nA colony milks its aphids.\n");
  await one.items("index_source", { source: fresh.root });
  expect(await ask(other, "colony aphids")).toMatch(/^docs\/ants\.md:1-3 /);

  expect(await Promise.all([one.close(), other.close()])).toEqual([0, 0]);
  fresh.remove();
});

test("the end of input ends the server", async () => {
  const ending = open();
  await ending.items("search_context", { query: "geostationary radius" });
  expect(await ending.close()).toBe(0);
});

test("SIGTERM ends the server, and its output is whole lines", async () => {
  const child = startProgram(place, ["mcp", "--stdio"], { SERVICE_TOKEN: token });
  const output: string[] = [];
  child.stdout.on("data", (text: string) => output.push(text));
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await exitCode(child)).toBe(130);
  expect(output.join("")).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n');
});

test("a server exits when its parent is killed", async () => {
  // The parent holds the other end of the server's input and output. Its standard error is also the server's, so that
  // it closes here only when both have ended.
  const script = `
    const { spawn } = require("node:child_process");
    const server = spawn(process.argv[1], ["mcp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    server.stdout.once("data", () => process.stdout.write("ready"));
    server.stdin.write('{"jsonrpc": "2.0", "id": 1, "method": "ping"}\\n');
  `;
  const parent = spawn(process.execPath, ["-e", script, SVC], {
    cwd: place.root,
    env: { PATH: process.env["PATH"], HOME: place.home, SERVICE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  parent.stderr.resume();
  await once(parent.stdout, "data");
  const ended = once(parent, "exit");
  parent.kill("SIGKILL");
  await once(parent.stderr, "close");
  expect(await ended).toEqual([null, "SIGKILL"]);
});

interface Progress {
  readonly method?: string;
  readonly params: { readonly progressToken: string; readonly progress: number };
}
