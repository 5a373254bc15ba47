import { expect, test } from "vitest";

import { ERRORS, SvcError, type ErrorCode } from "../../src/base/errors.ts";
import { errorReply, errorResult, isInternalError, isRefusal } from "../../src/mcp/errors.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has exactly the codes
const CODES = Object.keys(ERRORS) as ErrorCode[];
const TOKEN = `svt_${"a1B2".repeat(12)}`;

test("a reply has the code and the message of the table, and the detail with its hint", () => {
  const error = new SvcError("INVALID_PATTERN", "It is wrong.", { hint: "Write another." });
  expect(errorReply(7, error)).toEqual({
    jsonrpc: "2.0",
    id: 7,
    error: {
      code: ERRORS.INVALID_PATTERN.rpc,
      message: expect.any(String),
      data: { error_code: "INVALID_PATTERN", detail: "It is wrong. Write another." },
    },
  });
  expect(errorResult(error)).toEqual({
    content: [{ type: "text", text: "It is wrong. Write another.", partial: false }],
    isError: true,
    structuredContent: { error_code: "INVALID_PATTERN", detail: "It is wrong. Write another." },
  });
});

test("a quoted credential is masked in both", () => {
  const error = new SvcError("USAGE", `There is no namespace "${TOKEN}".`);
  expect(JSON.stringify([errorReply(1, error), errorResult(error)])).not.toContain(TOKEN);
});

test("refusals are the errors that HTTP answers with 401 and 403", () => {
  const refusals = CODES.filter((code) => isRefusal(new SvcError(code, "No.")));
  expect(refusals).toEqual(CODES.filter((code) => [401, 403].includes(ERRORS[code].http)));
  expect(refusals).toContain("CREDENTIAL_REVOKED");
});

test("an internal error hides its cause; one of the same number without a cause has none to hide", () => {
  const cause = new Error("/secret/place");
  expect(isInternalError(new SvcError("INTERNAL_ERROR", "It failed."))).toBe(true);
  expect(isInternalError(new SvcError("INVALID_QUERY", "No.", { cause }))).toBe(false);
  const internal = CODES.filter((code) => ERRORS[code].rpc === -32603 && code !== "INTERNAL_ERROR");
  expect(internal.length).toBeGreaterThan(0);
  for (const code of internal) {
    expect(isInternalError(new SvcError(code, "It failed.", { cause }))).toBe(true);
    expect(isInternalError(new SvcError(code, "It failed."))).toBe(false);
  }
});
