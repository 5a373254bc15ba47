// The faults that stop a release, each tried on a repository without other faults.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { releaseProblems } from "../../../scripts/release/consistency.ts";

const FILES = {
  "package.json": '{ "version": "1.2.3" }',
  "package-lock.json": '{ "version": "1.2.3" }',
  "CHANGELOG.md":
    "# Changelog\n\n## Unreleased\n\n## 1.2.3\n\n- All is new.\n\n## 1.2.2\n\n- Old.\n",
  "README.md": "# svc\n",
  "docs/guide.md": "Take `svc-1.2.3-linux-x64`.\n",
  "man/svc.1": '.TH SVC 1 "" "svc 1.2.3" "svc manual"\n',
  "man/svc-search.1": '.TH SVC\\-SEARCH 1 "" "svc 1.2.3" "svc manual"\n',
};

function repository(changes: Partial<Record<keyof typeof FILES, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "svc-release-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["docs", "man"]) mkdirSync(join(root, folder));
  for (const [file, text] of Object.entries({ ...FILES, ...changes }))
    writeFileSync(join(root, file), text);
  const git = (...args: readonly string[]): void => {
    const identity = ["-c", "user.name=svc", "-c", "user.email=svc@example.org"];
    execFileSync("git", [...identity, ...args], { cwd: root, stdio: "ignore" });
  };
  git("init");
  git("add", ".");
  git("commit", "-m", "All");
  return root;
}

test("with equal versions and everything committed, nothing stops it", () => {
  expect(releaseProblems(repository())).toEqual([]);
});

test.each([
  [
    "package-lock.json",
    '{ "version": "1.2.2" }',
    "package-lock.json has version 1.2.2, package.json 1.2.3: run `npm install --package-lock-only`.",
  ],
  [
    "man/svc-search.1",
    '.TH SVC 1 "" "svc 1.2.2" "svc manual"\n',
    "man/svc-search.1 says 1.2.2, package.json 1.2.3: run `npm run gen`.",
  ],
  [
    "man/svc.1",
    '.TH SVC 1 "" "" "svc manual"\n',
    "man/svc.1 says no version, package.json 1.2.3: run `npm run gen`.",
  ],
  [
    "docs/guide.md",
    "Take `svc-1.2.2-linux-x64`.\n",
    "docs/guide.md names svc-1.2.2, package.json 1.2.3: change the page.",
  ],
  [
    "README.md",
    "Take svc-1.2.3.tgz or svc-1.3.0.tgz.\n",
    "README.md names svc-1.3.0, package.json 1.2.3: change the page.",
  ],
  [
    "CHANGELOG.md",
    "# Changelog\n\n## 1.2.2\n\n- Old.\n",
    "The newest version in CHANGELOG.md is 1.2.2, package.json has 1.2.3: make them the same.",
  ],
  [
    "CHANGELOG.md",
    "# Changelog\n",
    "The newest version in CHANGELOG.md is missing, package.json has 1.2.3: make them the same.",
  ],
] as const)("%s that says otherwise stops it, and a draft", (file, text, problem) => {
  expect(releaseProblems(repository({ [file]: text }))).toEqual([
    { text: problem, passesInDraft: false },
  ]);
});

test("changes of no version stop it, but not a draft", () => {
  const text = "## Unreleased\n\n### Added\n\n- More.\n\n## 1.2.3 - 2026-01-01\n\n- All is new.\n";
  expect(releaseProblems(repository({ "CHANGELOG.md": text }))).toEqual([
    { text: expect.stringContaining('changes under "Unreleased"'), passesInDraft: true },
  ]);
});

test("uncommitted changes stop it, but not a draft", () => {
  const root = repository();
  writeFileSync(join(root, "README.md"), "# svc, changed\n");
  writeFileSync(join(root, "new.md"), "");
  expect(releaseProblems(root)).toEqual([
    { text: "Not committed: README.md, new.md. Commit, or stash it.", passesInDraft: true },
  ]);
});
