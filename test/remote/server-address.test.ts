import { expect, test } from "vitest";

import { parseServerAddress } from "../../src/remote/server-address.ts";

test.each(["https://svc.example.org", "https://SVC.example.org/", "https://svc.example.org/mcp/"])(
  "%s is one address, with an MCP endpoint and a health check",
  (text) => {
    expect(parseServerAddress(text)).toEqual({
      name: "https://svc.example.org",
      mcp: "https://svc.example.org/mcp",
      health: "https://svc.example.org/healthz",
    });
  },
);

test("a server may be below a path of a proxy", () => {
  const { name, mcp } = parseServerAddress("https://tools.example.org:8443/svc/mcp");
  expect([name, mcp]).toEqual([
    "https://tools.example.org:8443/svc",
    "https://tools.example.org:8443/svc/mcp",
  ]);
});

test("an address that would send the token in the open is refused, and a password in it is not shown", () => {
  expect(() => parseServerAddress("http://svc.example.org")).toThrow(/plain HTTP/);
  let message = "";
  try {
    parseServerAddress("https://ann:hunter2@svc.example.org");
  } catch (thrown) {
    message = String(thrown);
  }
  expect(message).toMatch(/contains a credential/);
  expect(message).not.toMatch(/hunter2/);
});
