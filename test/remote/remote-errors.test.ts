import { expect, test } from "vitest";

import { errorOfReply, errorOfStatus } from "../../src/remote/remote-errors.ts";

const SERVER = "https://svc.example.org";
const body = (code: number, errorCode: string, detail: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code, message: "…", data: { error_code: errorCode, detail } },
  });

test("an error keeps the code, the text and the data of the server", () => {
  const data = { error_code: "INVALID_QUERY", detail: "query has 2 characters.", limit: 3 };
  expect(errorOfReply({ code: -32_602, data })).toMatchObject({
    code: "INVALID_QUERY",
    detail: "query has 2 characters.",
    data: { limit: 3 },
  });
});

test("a code of a later version becomes a general one", () => {
  const data = { error_code: "SOME_LATER_CODE", detail: "why" };
  expect(errorOfReply({ code: -32_602, data }).code).toBe("INVALID_PARAMS");
  expect(errorOfReply({ code: -32_603, data }).code).toBe("INTERNAL_ERROR");
  expect(errorOfReply({ code: -32_603 }).detail).toMatch(/did not say why/);
});

test.each([
  ["TOKEN_EXPIRED", "login", /token for https:.* has expired.*svc auth login https/s],
  ["CREDENTIAL_REVOKED", "login", /was revoked.*svc auth login/s],
  ["UNAUTHENTICATED", "environment", /does not accept.*Set SERVICE_TOKEN/s],
] as const)("a refused token (%s, %s) has the remedy for this machine", (code, source, text) => {
  const error = errorOfStatus(SERVER, 401, body(401, code, "Run `svc auth token create`."), source);
  expect(error.code).toBe(code);
  expect(error.detail).toMatch(text);
  expect(error.detail).not.toMatch(/--save/);
});

test("an overloaded server says so itself; another program says nothing that svc understands", () => {
  const busy = body(503, "OVERLOADED", "The server is busy.");
  expect(errorOfStatus(SERVER, 503, busy, "login")).toMatchObject({
    code: "OVERLOADED",
    detail: "The server is busy.",
  });
  expect(errorOfStatus(SERVER, 502, "<html>Bad gateway</html>", "login")).toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    detail: expect.stringContaining("answered with the status 502"),
  });
  expect(errorOfStatus(SERVER, 301, "", "login").detail).toContain("redirect");
});
