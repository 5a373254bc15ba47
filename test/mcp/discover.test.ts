import { describe, expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { MODERN_RESULT_META, modernParams, openSession, recordingLogger } from "../helpers/rpc.ts";

describe("M3 server/discover", () => {
  test("answers without a credential, with the whole result and the string id of the client", async () => {
    const { request } = openSession({
      authorize: () => Promise.reject(new SvcError("UNAUTHENTICATED", "No credential.")),
    });
    expect(await request("server/discover", modernParams(), "server-discover-probe-1")).toEqual({
      jsonrpc: "2.0",
      id: "server-discover-probe-1",
      result: {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: { listChanged: true } },
        instructions: "Ask for code.",
        ttlMs: 300_000,
        cacheScope: "private",
        _meta: MODERN_RESULT_META,
      },
    });
  });

  test("logs the name of the client", async () => {
    const { logger, entries } = recordingLogger();
    await openSession({ logger }).request("server/discover", modernParams());
    expect(entries.filter(({ level }) => level === "info")).toEqual([
      {
        level: "info",
        message: "client connected",
        fields: { client: "claude-code", clientVersion: "2.1.329", protocolVersion: "2026-07-28" },
      },
    ]);
  });
});
