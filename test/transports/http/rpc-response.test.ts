// The table of errors over HTTP: code, message and status of each, in both eras of the protocol.
import { describe, expect, test } from "vitest";

import { ERRORS, rpcMessage, SvcError, type ErrorCode } from "../../../src/base/errors.ts";
import { fixtureTool, modernParams } from "../../helpers/rpc.ts";
import { message, open, requestText, serve, type TestServer } from "./serve.ts";

const CODES = Object.keys(ERRORS).filter((name): name is ErrorCode => name in ERRORS);

const RESULTS = CODES.filter((code) => "asResult" in ERRORS[code]);
const FAILURES = CODES.filter((code) => !("asResult" in ERRORS[code]));

/** The five of the interface (section 7), word for word. */
const INTERFACE: Readonly<Record<number, readonly [string, number]>> = {
  [-32_700]: ["Parse error", 400],
  [-32_600]: ["Invalid request", 400],
  [-32_602]: ["Invalid params", 400],
  [-32_601]: ["Method not found", 404],
  [-32_603]: ["Internal error", 500],
};

const fail = fixtureTool("fail", async ({ code }) => {
  const known = CODES.find((one) => one === code) ?? "INTERNAL_ERROR";
  throw new SvcError(known, "What it was.", { hint: "How to fix it." });
});

interface HttpReply {
  readonly status: number;
  readonly type: string | undefined;
  readonly cache: string | undefined;
  readonly body: {
    readonly id: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
    readonly result?: { readonly isError?: boolean; readonly structuredContent?: unknown };
  };
}

/** The fields that a modern request repeats in its headers. */
const MIRRORED = {
  "MCP-Protocol-Version": "2026-07-28",
  "Mcp-Method": "tools/call",
  "Mcp-Name": "fail",
};

async function replyTo(
  server: TestServer,
  params: object,
  headers: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const wire = open(server);
  const body = message("tools/call", params, 7);
  wire.send(requestText(server, { body, headers: { Connection: "close", ...headers } }));
  const [head = "", text = ""] = (await wire.closed()).split("\r\n\r\n");
  return {
    status: Number(head.split(" ")[1]),
    type: /^content-type: (.*)$/im.exec(head)?.[1],
    cache: /^cache-control: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(text),
  };
}

describe.each([
  ["legacy", (params: Readonly<Record<string, unknown>>) => params, {}],
  ["modern", modernParams, MIRRORED],
] as const)("H4 in the %s era", (_era, paramsOf, headers) => {
  async function failureReply(server: TestServer, code: ErrorCode): Promise<HttpReply> {
    const answer = await replyTo(server, paramsOf({ name: "fail", arguments: { code } }), headers);
    expect([answer.type, answer.cache, answer.body.id]).toEqual([
      "application/json",
      "no-store",
      7,
    ]);
    return answer;
  }

  test.each(FAILURES)("%s has the code, the message and the status of the table", async (code) => {
    const { rpc, http } = ERRORS[code];
    const { status, body } = await failureReply(await serve([fail]), code);
    const [words, statusOfCode] = INTERFACE[rpc] ?? [rpcMessage(rpc), http];
    expect(body.error).toMatchObject({ code: rpc, message: words, data: dataOf(code) });
    // A body that is too long is an invalid request with its own status (product decisions, section 8).
    expect(status).toBe(code === "MESSAGE_TOO_LARGE" ? 413 : statusOfCode);
  });

  test.each(RESULTS)("%s concerns the arguments, and is a result", async (code) => {
    const { status, body } = await failureReply(await serve([fail]), code);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ isError: true, structuredContent: dataOf(code) });
  });
});

function dataOf(code: ErrorCode): object {
  return { error_code: code, detail: "What it was. How to fix it." };
}

test("H13 codes are those of JSON-RPC, those that the protocol reserves, or statuses of HTTP", () => {
  for (const { rpc, http } of Object.values(ERRORS)) {
    const isReserved = rpc <= -32_020 && rpc >= -32_099;
    expect(rpc in INTERFACE || isReserved || rpc === http).toBe(true);
  }
});
