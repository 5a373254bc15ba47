import * as fc from "fast-check";
import { expect, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { Principal, localOwner } from "../../src/sources/principal.ts";

const here = new Set(["docs", "api", "secret"]);
const exists = (name: string): boolean => here.has(name);

function limited(...namespaces: readonly string[]): Principal {
  return new Principal({ id: "tok_1", namespaces, readOnly: false });
}

/** The authorized namespace, or the complete error that the caller gets. */
function accessResult(caller: Principal, namespace: string, isThere = exists): string {
  try {
    return caller.authorize(namespace, isThere);
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) throw thrown;
    return `${thrown.code}: ${thrown.detail}`;
  }
}

test("a caller may access the namespaces of its credential, the owner all existing ones", () => {
  expect(
    ["docs", "api", "secret"].map((name) => accessResult(limited("docs", "api"), name)),
  ).toEqual(["docs", "api", expect.stringMatching(/^NAMESPACE_NOT_FOUND/)]);
  expect(accessResult(localOwner(), "secret")).toBe("secret");
  expect(accessResult(localOwner(), "gone")).toMatch(/^NAMESPACE_NOT_FOUND/);
});

test("the error for a forbidden namespace equals that for a missing one", () => {
  const name = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/);
  fc.assert(
    fc.property(name, fc.array(name), (other, own) => {
      fc.pre(!own.includes(other));
      const caller = new Principal({ id: "key_1", namespaces: own, readOnly: true });
      const refusal = (isThere: boolean): string => accessResult(caller, other, () => isThere);
      expect(refusal(true)).toMatch(/^NAMESPACE_NOT_FOUND/);
      expect(refusal(true)).toBe(refusal(false));
    }),
  );
});

test("onlyNamespace is defined for a caller with a single namespace", () => {
  expect([limited("docs"), limited("docs", "docs")].map((one) => one.onlyNamespace)).toEqual([
    "docs",
    "docs",
  ]);
  expect([limited(), limited("docs", "api"), localOwner()].map((one) => one.onlyNamespace)).toEqual(
    [undefined, undefined, undefined],
  );
});

test("rights cannot be extended later", () => {
  const own = ["docs"];
  const caller = new Principal({ id: "tok_1", namespaces: own, readOnly: true });
  own.push("secret");
  expect(caller.canAccess("secret")).toBe(false);
  expect(caller.isUnrestricted).toBe(false);
});
