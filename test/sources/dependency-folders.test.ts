import { expect, test } from "vitest";

import {
  dependencyNamespaces,
  isDependencyRoot,
  packagesDirectory,
} from "../../src/sources/dependency-folders.ts";
import { NO_RECORDS, type Source } from "../../src/sources/registry/records.ts";
import { RegistryState } from "../../src/sources/registry/registry-state.ts";

const DATA = "/nowhere/data";

function source(namespace: string, root: string): Source {
  return { id: 1, namespace, root, prefix: "", include: [], exclude: [], addedAt: "" };
}

test("a namespace of a package has its copy in the folder of its own name, and nothing else", () => {
  const state = new RegistryState({
    ...NO_RECORDS,
    sources: [
      source("npm-a-1.0.0", `${packagesDirectory(DATA, "npm-a-1.0.0")}/a@1.0.0`),
      source("mine", `${packagesDirectory(DATA, "npm-a-1.0.0")}/a@1.0.0`),
      source("other", "/home/me/other"),
      source("npm-b-1.0.0", `${packagesDirectory(DATA, "npm-b-1.0.0")}/b@1.0.0`),
      source("npm-b-1.0.0", "/home/me/b"),
    ],
  });
  expect([...dependencyNamespaces(state, DATA)]).toEqual(["npm-a-1.0.0"]);
  expect(isDependencyRoot(DATA, `${packagesDirectory(DATA, "npm-a-1.0.0")}/a@1.0.0`)).toBe(true);
  expect(isDependencyRoot(DATA, `${DATA}/dependencies-of-mine`)).toBe(false);
});
