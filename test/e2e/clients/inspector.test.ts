// The command line of MCP's Inspector, and its check that every model provider accepts our
// schemas.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { startHost, type Host } from "../../helpers/hosted-program.ts";
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
let host: Host;
beforeAll(async () => {
  target = await startTarget();
  ({ token } = await target.credential());
  host = startHost(join(import.meta.dirname, "fixtures/inspector-host.ts"), surroundings());
}, START_MS);
afterAll(async () => {
  await host.close();
  await target.close();
});

interface Said {
  readonly exit: number | null;
  /** Standard output, as JSON; undefined without any. */
  readonly result: unknown;
  readonly stderr: string;
}

/** Its home folder. Otherwise its server catalogue and cache would be in the user's home. */
function surroundings() {
  const { root, home } = target.place;
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { cwd: root, env: { PATH, NODE_COMPILE_CACHE, HOME: home } };
}

/** In a separate process, as a user starts it. */
async function start(...words: readonly string[]): Promise<Said> {
  const args = [INSPECTOR, "--cli", ...words, "--format", "json"];
  const child = spawn(process.execPath, args, surroundings());
  child.stdin.end();
  const [exit, stdout, stderr] = await Promise.all([
    exitCode(child),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exit, result: resultIn(stdout), stderr };
}

/** The same run in the shared process, because a start takes four times as long as a call. */
async function inspect(...words: readonly string[]): Promise<Said> {
  const { exit, stdout, stderr } = await host.run([...words, "--format", "json"]);
  return { exit, result: resultIn(stdout), stderr };
}

function resultIn(stdout: string): unknown {
  return stdout === "" ? undefined : JSON.parse(stdout);
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

/** A bridge's session uses standard input, so one era is enough there. */
const ERAS: Readonly<Record<string, readonly string[]>> = {
  stdio: ["legacy", "auto", "modern"],
  bridge: ["auto"],
  HTTP: ["legacy", "auto", "modern"],
};

function call(tool: string, argument: string): readonly string[] {
  return ["--method", "tools/call", "--tool-name", tool, "--tool-arg", argument];
}

/** Its handling of a call without a token, over either transport. */
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
    // One transport as a user starts it; the others handle an answer in the same way in either process.
    const ask = wire === "stdio" ? start : inspect;
    const answer = await ask(...reach(""), ...call("outline", "path=docs"));
    expect(answer).toMatchObject(REFUSED[wire] ?? {});
  });
});

test("hundreds of calls, ten at a time, are all answered", async () => {
  const load = ["--load", "--load-requests", "200", "--load-concurrency", "10"];
  const reach = WIRES["HTTP"]?.(token) ?? [];
  const { exit, result } = await inspect(
    ...reach,
    ...call("search_context", "query=tide"),
    ...load,
  );
  expect(exit).toBe(EXIT.ok);
  expect(result).toMatchObject({ result: { requests: 200, ok: 200, errors: 0, toolErrors: 0 } });
});
