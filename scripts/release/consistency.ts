// Checks that every version number is the same, and that the release is built from a commit.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { firstVersion, sectionOf, UNRELEASED } from "./changelog.ts";

export interface Problem {
  /** The problem and its fix. */
  readonly text: string;
  /** A draft is still made, and is marked as one. */
  readonly passesInDraft: boolean;
}

export function releaseProblems(root: string): readonly Problem[] {
  const { version }: { readonly version: string } = JSON.parse(read(root, "package.json"));
  const wrong = [...lockFile(root, version), ...manPages(root, version), ...docs(root, version)];
  return [
    ...wrong.map((text) => ({ text, passesInDraft: false })),
    ...changelog(root, version),
    ...workingTree(root),
  ];
}

function lockFile(root: string, version: string): readonly string[] {
  const lock: { readonly version: string } = JSON.parse(read(root, "package-lock.json"));
  if (lock.version === version) return [];
  return [
    `package-lock.json has version ${lock.version}, package.json ${version}: run \`npm install --package-lock-only\`.`,
  ];
}

function manPages(root: string, version: string): readonly string[] {
  const pages = readdirSync(path.join(root, "man")).filter((name) => name.endsWith(".1"));
  if (pages.length === 0) return ["man/ is empty: run `npm run gen`."];
  const wrong = pages.flatMap((name) => {
    const said = /^\.TH .*"svc (?<version>\d[^"]*)"/m.exec(read(root, `man/${name}`));
    const found = said?.groups?.["version"] ?? "no version";
    return found === version ? [] : [`man/${name} says ${found}`];
  });
  if (wrong.length === 0) return [];
  const others = wrong.length === 1 ? "" : `, and ${wrong.length - 1} more`;
  return [`${wrong[0]}${others}, package.json ${version}: run \`npm run gen\`.`];
}

/** Installation instructions name the files of a release by version. */
function docs(root: string, version: string): readonly string[] {
  const pages = readdirSync(path.join(root, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...pages.map((name) => `docs/${name}`)].flatMap((file) => {
    const named = read(root, file).matchAll(/\bsvc-(?<version>\d+\.\d+\.\d+)/g);
    const other = Array.from(named, ({ groups }) => groups?.["version"]).find(
      (found) => found !== version,
    );
    if (other === undefined) return [];
    return [`${file} names svc-${other}, package.json ${version}: change the page.`];
  });
}

function changelog(root: string, version: string): readonly Problem[] {
  const text = read(root, "CHANGELOG.md");
  const newest = firstVersion(text);
  if (newest !== version) {
    const problem = `The newest version in CHANGELOG.md is ${newest ?? "missing"}, package.json has ${version}: make them the same.`;
    return [{ text: problem, passesInDraft: false }];
  }
  if ((sectionOf(text, UNRELEASED) ?? "") === "") return [];
  const problem =
    `CHANGELOG.md has changes under "${UNRELEASED}", which are not part of ${version}: ` +
    "put a version above them, and in package.json.";
  return [{ text: problem, passesInDraft: true }];
}

function workingTree(root: string): readonly Problem[] {
  const args = ["status", "--porcelain"];
  const changed = execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "");
  if (changed.length === 0) return [];
  const named = changed.slice(0, 3).map((line) => line.slice(3));
  const others = changed.length > named.length ? `, and ${changed.length - named.length} more` : "";
  const text = `Not committed: ${named.join(", ")}${others}. Commit, or stash it.`;
  return [{ text, passesInDraft: true }];
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}
