import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { acceptedTypes, requireJsonAccepted } from "../../../src/transports/http/accept.ts";
import { exchangeWith } from "./exchange-with.ts";

function refusalOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (thrown) {
    return thrown instanceof SvcError ? thrown.code : String(thrown);
  }
}

test.each<[accept: string | undefined, json: boolean, events: boolean]>([
  [undefined, true, false],
  ["*/*", true, false],
  ["application/json", true, false],
  ["APPLICATION/JSON;charset=utf-8", true, false],
  ["application/*;q=0.5", true, false],
  ["text/event-stream", false, true],
  ["application/json, text/event-stream", true, true],
  ["text/html, */*;q=0", false, false],
  ["application/json;q=0.0", false, false],
  ["application/json;q=0.01", true, false],
  ["text/*", false, false],
  ["", false, false],
])("Accept: %s takes JSON: %s, events: %s", (accept, json, events) => {
  const exchange = exchangeWith(accept === undefined ? {} : { accept });
  expect(acceptedTypes(exchange)).toEqual({ json, events });
  expect(refusalOf(() => requireJsonAccepted(exchange))).toBe(json ? undefined : "NOT_ACCEPTABLE");
});
