import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { programCommand } from "../../src/clients/program-command.ts";
import { tree } from "../helpers/tree.ts";

/** Creates a version of the program, and a link to it in a folder of PATH. */
function installed(): {
  home: string;
  version: string;
  link: string;
  start: (typed: string, searchPath?: string) => string;
} {
  const place = tree({ "opt/svc-0.8.0/svc": "", "other/svc": "" });
  onTestFinished(place.dispose);
  const version = join(place.path, "opt/svc-0.8.0/svc");
  const link = join(place.path, "bin/svc");
  mkdirSync(join(place.path, "bin"));
  symlinkSync(version, link);
  for (const file of [version, join(place.path, "other/svc")]) chmodSync(file, 0o755);
  const start = (typed: string, searchPath = `/nowhere:${place.path}/bin`): string =>
    programCommand(
      { command: version, args: [] },
      { typed, searchPath, workingDirectory: place.path },
    ).command;
  return { home: place.path, version, link, start };
}

test("the link that was typed is kept, because it will lead to the next version", () => {
  const { version, link, start } = installed();
  expect(start("svc")).toBe(link);
  expect(start(link)).toBe(link);
  expect(start("bin/svc")).toBe(link);
  expect(start("./bin/../bin/svc")).toBe(link);
  expect(start(version)).toBe(version);
});

test("another program of that name, or none, is not used in place of the program", () => {
  const { home, version, start } = installed();
  expect(start("svc", `${home}/other`)).toBe(version);
  expect(start("other/svc")).toBe(version);
  expect(start("svc", "")).toBe(version);
  expect(start("anything")).toBe(version);
});

test("from the sources, this Node starts the program", () => {
  const sources = { command: process.execPath, args: ["/src/main.ts"] };
  const start = { typed: "node", searchPath: "/bin", workingDirectory: "/" };
  expect(programCommand(sources, start)).toEqual(sources);
});
