// The shipped program in a library with two versions, and a project that uses it.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createPlace, svc } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const manifest = (version: string): string =>
  JSON.stringify({ name: "harbour", version, exports: { ".": "./dist/index.js" } });
const PORT =
  "export function openPort(name: string): void {}\nexport function closePort(name: string): void {}\n";
const place = createPlace({
  "harbour/package.json": manifest("1.2.0"),
  "harbour/src/index.ts": PORT,
  "harbour/src/use.ts": 'import { openPort } from "./index.ts";\nopenPort("north");\n',
  "shop/package.json": JSON.stringify({ name: "shop", dependencies: { harbour: "^1.0.0" } }),
  "shop/package-lock.json": JSON.stringify({
    name: "shop",
    lockfileVersion: 3,
    packages: { "": { name: "shop" }, "node_modules/harbour": { version: "1.2.0" } },
  }),
  "shop/src/shop.ts":
    'import { closePort } from "harbour";\nexport function close(): void {\n  closePort("north");\n}\n',
});
const library = join(place.root, "harbour");
afterAll(() => place.remove());

function git(...args: readonly string[]): void {
  const settings = ["user.name=Ann", "user.email=a@example.org", "maintenance.auto=false"];
  const options = settings.flatMap((one) => ["-c", one]);
  execFileSync("git", [...options, ...args], { cwd: library, stdio: "ignore" });
}

test("svc changes --api names what a version broke, and its users in other projects", async () => {
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "One");
  git("tag", "v1.2.0");
  writeFileSync(join(library, "package.json"), manifest("2.0.0"));
  writeFileSync(
    join(library, "src/index.ts"),
    "export function openPort(name: string, depth: number): void {}\n",
  );
  git("add", "-A");
  git("commit", "-q", "-m", "Two");
  git("tag", "v2.0.0");
  await svc(place, "index", "shop");

  const range = ["changes", "harbour", "--api", "--since", "v1.2.0..v2.0.0"] as const;
  const own = await svc(place, ...range);
  expect(own.exit).toBe(0);
  expect(own.stderr).toContain("v1.2.0..v2.0.0: 2 breaking changes, 0 compatible, 0 added\n");
  expect(own.stdout).toBe(
    [
      "Breaking",
      "  removed    function harbour.closePort  harbour/src/index.ts:2",
      "  signature  function harbour.openPort  harbour/src/index.ts:1",
      "    - export function openPort(name: string): void",
      "    + export function openPort(name: string, depth: number): void",
      "    parameter added depth",
      "    used by harbour/src/use.ts:2, exact",
      "",
    ].join("\n"),
  );
  expect((await svc(place, ...range, "--exit-code")).exit).toBe(1);
  expect((await svc(place, ...range, "--exit-code", "--path", "src/use.ts")).exit).toBe(0);

  const scope = ["--namespace", "harbour,shop", "--json"] as const;
  const all = await svc(place, "changes", "--api", "--since", "v1.2.0", "--at", "v2.0.0", ...scope);
  expect(JSON.parse(all.stdout)).toMatchObject({
    namespace: "harbour,shop",
    since: "v1.2.0",
    at: "v2.0.0",
    breaking: 2,
    changes: [
      {
        change: "removed",
        breaking: true,
        name: "harbour.closePort",
        old_signature: "export function closePort(name: string): void",
        users: [
          { namespace: "shop", line: 1, certainty: "exact", version: "1.2.0", locked: true },
          { namespace: "shop", line: 3, symbol: "close", certainty: "exact" },
        ],
        user_count: 2,
      },
      {
        change: "signature",
        name: "harbour.openPort",
        details: [{ what: "parameter added", breaking: true, parameter: "depth" }],
      },
    ],
    has_more: false,
  });
}, 120_000);

test("wrong flags are usage errors, and an unknown version is one of the request", async () => {
  const codes = await Promise.all(
    [
      ["--api"],
      ["--api", "--since", "a...b"],
      ["--api", "--since", "a..b", "--at", "c"],
      ["--api", "--docs", "--since", "a"],
      ["--exit-code"],
      ["--all"],
      ["--api", "--since", "nothing-has-it"],
    ].map(async (flags) => (await svc(place, "changes", "harbour", ...flags)).exit),
  );
  expect(codes).toEqual([2, 2, 2, 2, 2, 2, 2]);
}, 120_000);
