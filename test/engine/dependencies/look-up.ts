// Looks for the packages of a project with these files.
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { findDependencies } from "../../../src/engine/dependencies/find-dependencies.ts";
import {
  encodeEntries,
  encodeFacts,
  PackageFacts,
} from "../../../src/graph/packages/package-facts.ts";
import { readManifest } from "../../../src/graph/packages/read-manifest.ts";
import type { Source } from "../../../src/sources/registry/records.ts";
import { tree } from "../../helpers/tree.ts";

type Files = Readonly<Record<string, string>>;

/** Returns the packages found and their places, relative to the project. */
export function lookUp(
  files: Files,
  { env = {}, prepare }: { env?: Files; prepare?: (root: string) => void } = {},
) {
  const { path: root, dispose } = tree(files);
  onTestFinished(dispose);
  prepare?.(root);
  const entries = Object.entries(files)
    .filter(([path]) => !path.includes("node_modules/") && !path.includes("site-packages/"))
    .map(([path, text]) => {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      return { path, stamp: "", text: encodeFacts(readManifest(path, text), folder) };
    });
  const source: Source = {
    id: 1,
    namespace: "app",
    root,
    prefix: "",
    include: [],
    exclude: [],
    addedAt: "2026-01-01T00:00:00Z",
  };
  const { found, leftOut } = findDependencies({
    packages: new PackageFacts(encodeEntries(entries, new Map())),
    sources: [source],
    folders: {
      virtualEnvironment: env["venv"] && join(root, env["venv"]),
      goModules: join(root, "go/pkg/mod"),
      cargoSources: join(root, "cargo/registry/src"),
    },
    allowedRoots: [],
  });
  return {
    found: found.map(({ installed: { ecosystem, name, version, folder } }) => [
      `${ecosystem} ${name} ${version}`,
      folder.slice(root.length + 1),
    ]),
    uses: found.map(({ uses }) => uses.map(({ folder }) => folder)),
    leftOut: leftOut.map(({ name, reason }) => `${name}: ${reason}`),
    written: found.map(({ installed: { written } }) => [...(written?.keys() ?? [])]),
    files: found.map(({ installed }) => installed.files),
  };
}
