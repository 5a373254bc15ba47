// The official clients of both eras, over HTTP: how they read the server's answers and errors.
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect } from "vitest";

import { servedHere } from "./commands-here.ts";
import { verifies } from "./verifies.ts";

const served = servedHere({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });

const INFO = { name: "ci", version: "1.0.0" };
const SHORT = { name: "search_context", arguments: { query: "ab" } };
const QUESTION = { name: "search_context", arguments: { query: "turn of the tide" } };
const NOWHERE = { name: "outline", arguments: { path: "nowhere" } };

/** The address and the headers. */
function target(): [URL, { requestInit: { headers: Record<string, string> } }] {
  const { server, token } = served();
  return [
    new URL(`${server.url}/mcp`),
    { requestInit: { headers: { Authorization: `Bearer ${token}` } } },
  ];
}

type Client = ClientV1 | ClientV2;

/** The error of a failed call. */
async function failureOf(client: Client): Promise<unknown> {
  return client.callTool(SHORT).then(
    () => "no failure",
    (error: unknown) => error,
  );
}

async function expectAnswers(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("search_context");
  expect(JSON.stringify(await client.callTool(QUESTION))).toContain("The tide turns twice a day.");
  expect(await client.callTool(NOWHERE)).toMatchObject({
    isError: true,
    structuredContent: { error_code: "PATH_NOT_FOUND" },
  });
}

verifies(
  ["1/tool-callers", "4.3/same-on-http", "7/error-data"],
  "clients of the older era list and call tools, and continue after an error with its text",
  async () => {
    const older = new ClientV1(INFO);
    await older.connect(new HttpV1(...target()));
    const newer = new ClientV2(INFO, { versionNegotiation: { mode: "legacy" } });
    await newer.connect(new HttpV2(...target()));
    for (const client of [older, newer]) {
      // These clients treat HTTP statuses other than 200 as transport failures (mcp.md, C7).
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(String(await failureOf(client))).toContain('"error_code":"INVALID_QUERY"');
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expectAnswers(client);
      expect(client.getServerVersion()).toMatchObject({ name: "svc", version: "0.8.0" });
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await client.close();
    }
  },
);

verifies(
  ["1/tool-callers", "2.5/error-response", "7/error-data"],
  "a client of 2026-07-28 detects that era, and reads code, error code and detail",
  async () => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new HttpV2(...target()));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await expectAnswers(client);
    expect(await failureOf(client)).toMatchObject({
      code: -32_602,
      message: "Invalid params",
      data: { error_code: "INVALID_QUERY", detail: expect.stringContaining("3 to 10,000") },
    });
    await client.close();
  },
);
