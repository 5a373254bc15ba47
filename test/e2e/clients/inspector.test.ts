// The command line of MCP's Inspector, and its check that every model provider accepts our
// schemas.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { exitCode } from "../../spec/program.ts";
import { environmentOf, startTarget, SVC, type Target } from "./target.ts";

const INSPECTOR = join(
  import.meta.dirname,
  "../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

const START_MS = 60_000;
/** Its result is its exit code. */
const EXIT = { ok: 0, failed: 1, unauthorized: 3, toolError: 5 };

let target: Target;
let token = "";
beforeAll(async () => {
  target = await startTarget();
  ({ token } = await target.credential());
}, START_MS);
afterAll(() => target.close());

interface Said {
  readonly exit: number | null;
  /** Standard output, as JSON; undefined without any. */
  readonly result: unknown;
  readonly stderr: string;
}

async function inspect(...words: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [INSPECTOR, "--cli", ...words, "--format", "json"], {
    cwd: target.place.root,
    // Its catalogue of servers, and its cache of them, would be in the user's home.
    env: {
      PATH: process.env["PATH"],
      // The Inspector has many modules, and starts again for each call.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: target.place.home,
    },
  });
  child.stdin.end();
  const [exit, out, stderr] = await Promise.all([
    exitCode(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exit, result: out === "" ? undefined : JSON.parse(out), stderr };
}

/** Its server configuration for either transport, with a token. */
const WIRES: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  stdio: (secret) => [SVC, "mcp", "--stdio", ...variables(secret)],
  bridge: (secret) => [SVC, "mcp", "--stdio", "--remote", target.url, ...variables(secret)],
  HTTP: (secret) =>
    ["--server-url", `${target.url}/mcp`, "--transport", "http"].concat(
      secret === "" ? [] : ["--header", `Authorization: Bearer ${secret}`],
    ),
};

function variables(secret: string): readonly string[] {
  return Object.entries(environmentOf(target.place, secret))
    .filter(([, value]) => value !== "")
    .flatMap(([name, value]) => ["-e", `${name}=${value}`]);
}

/** The session of a bridge is that of standard input, and each start of the Inspector takes a second. */
const ERAS: Readonly<Record<string, readonly string[]>> = {
  stdio: ["legacy", "auto", "modern"],
  bridge: ["auto"],
  HTTP: ["legacy", "auto", "modern"],
};

function call(tool: string, argument: string): readonly string[] {
  return ["--method", "tools/call", "--tool-name", tool, "--tool-arg", argument];
}

/** What it makes of a call without a token, on either wire. */
const REFUSED: Readonly<Record<string, object>> = {
  stdio: {
    exit: EXIT.toolError,
    result: { result: { isError: true, structuredContent: { error_code: "UNAUTHENTICATED" } } },
  },
  bridge: {
    exit: EXIT.toolError,
    result: { result: { isError: true, structuredContent: { error_code: "UNAUTHENTICATED" } } },
  },
  HTTP: { exit: EXIT.unauthorized, stderr: expect.stringContaining("auth_required") },
};

const STRICT_LIST = ["--method", "tools/list", "--strict"];

describe.each(Object.entries(WIRES))("over %s", (wire, reach) => {
  test.each(ERAS[wire] ?? [])(
    "in era %s it finds every schema portable, calls tools, and reports failures",
    async (era) => {
      const server = [...reach(token), "--protocol-era", era];
      const [list, found, failed, refused] = await Promise.all([
        inspect(...server, ...STRICT_LIST),
        inspect(...server, ...call("search_context", "query=turn of the tide")),
        inspect(...server, ...call("search_context", "query=ab")),
        inspect(...server, ...call("outline", "path=nowhere")),
      ]);
      expect(list).toMatchObject({ exit: EXIT.ok, result: { result: { tools: { length: 12 } } } });
      // Errors would have another exit code; warnings are next to the result.
      expect(list.result).not.toHaveProperty("schemaFindings");
      expect(found.exit).toBe(EXIT.ok);
      expect(JSON.stringify(found.result)).toContain("The tide turns twice a day.");
      expect(failed).toMatchObject({ exit: EXIT.failed, result: undefined });
      expect(failed.stderr).toContain("Invalid params");
      expect(refused).toMatchObject({
        exit: EXIT.toolError,
        result: {
          result: { isError: true, structuredContent: { error_code: "PATH_NOT_FOUND" } },
        },
      });
    },
  );

  test("without a token it reports that one is needed", async () => {
    const answer = await inspect(...reach(""), ...call("outline", "path=docs"));
    expect(answer).toMatchObject(REFUSED[wire] ?? {});
  });
});

test("hundreds of calls, ten at a time, are all answered", async () => {
  const load = ["--load", "--load-requests", "300", "--load-concurrency", "10"];
  const reach = WIRES["HTTP"]?.(token) ?? [];
  const { exit, result } = await inspect(
    ...reach,
    ...call("search_context", "query=tide"),
    ...load,
  );
  expect(exit).toBe(EXIT.ok);
  expect(result).toMatchObject({ result: { requests: 300, ok: 300, errors: 0, toolErrors: 0 } });
});
