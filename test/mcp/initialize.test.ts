import { describe, expect, test } from "vitest";
import { openSession } from "../helpers/rpc.ts";

async function negotiated(protocolVersion?: string): Promise<unknown> {
  const params = { clientInfo: { name: "test" }, protocolVersion };
  return (await openSession().request("initialize", params)).result?.["protocolVersion"];
}

describe("L1 initialize", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "echoes %s",
    async (version) => {
      expect(await negotiated(version)).toBe(version);
    },
  );

  test.each(["2026-07-28", "1999-01-01", ""])("answers 2025-11-25 to %j", async (version) => {
    expect(await negotiated(version)).toBe("2025-11-25");
  });

  test("answers the documented version to a client that names none, with the whole result", async () => {
    const { result } = await openSession().request("initialize", { clientInfo: { name: "test" } });
    expect(result).toEqual({
      protocolVersion: "2024-11-05",
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "svc", version: "0.8.0", protocolVersion: "2024-11-05" },
      instructions: "Ask for code.",
    });
  });

  test("serverInfo has the documented version with any negotiated version", async () => {
    const { result } = await openSession().request("initialize", { protocolVersion: "2025-06-18" });
    expect(result?.["serverInfo"]).toMatchObject({ protocolVersion: "2024-11-05" });
  });

  test.each([{ protocolVersion: 3 }, { clientInfo: "me" }])(
    "%j is INVALID_PARAMS",
    async (params) => {
      const { error } = await openSession().request("initialize", params);
      expect(error?.data.error_code).toBe("INVALID_PARAMS");
    },
  );
});

test("L3 a second initialize is answered, and its version is used from then on", async () => {
  const { request, exchange } = openSession();
  await request("initialize", { protocolVersion: "2025-11-25" });
  const again = await request("initialize", { protocolVersion: "2025-03-26" });
  expect(again.result?.["protocolVersion"]).toBe("2025-03-26");
  const [replies] = await exchange([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
  expect(replies).toMatchObject([{ id: 1, result: {} }]);
});
