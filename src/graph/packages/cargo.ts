// Cargo.toml and Cargo.lock.

import { allowed, defined, locked } from "./manifest-row.ts";
import {
  WORKSPACE_VERSION,
  type DefinedPackage,
  type ManifestFacts,
  type RequiredPackage,
} from "./package-facts.ts";
import {
  lockedPackages,
  readTomlValues,
  tableIn,
  tomlTextIn,
  type TomlValues,
  type TomlValue,
} from "./toml-values.ts";

const DEPENDENCIES = ["dependencies", "dev-dependencies", "build-dependencies"] as const;

export function readCargoToml(text: string): ManifestFacts {
  const manifest = readTomlValues(text);
  const about = tableIn(manifest, "package");
  const version = tomlTextIn(about, "version");
  const targets = [...tableIn(manifest, "target").values()];
  const tables = [manifest, tableIn(manifest, "workspace"), ...targets.map((one) => asTable(one))];
  return {
    defines: [
      ...ofWorkspace(tomlTextIn(tableIn(manifest, "workspace", "package"), "version")),
      ...defined("cargo", tomlTextIn(about, "name"), {
        version: version ?? (about.has("version") ? WORKSPACE_VERSION : ""),
        importName: tomlTextIn(tableIn(manifest, "lib"), "name") ?? "",
      }),
    ],
    requires: tables.flatMap((table) =>
      DEPENDENCIES.flatMap((name) => [...tableIn(table, name)].flatMap(requiredAs)),
    ),
  };
}

/** The version of a workspace has no name. */
function ofWorkspace(version: string | undefined): readonly DefinedPackage[] {
  if (version === undefined) return [];
  return [{ ecosystem: "cargo", name: "", version, folder: "", importName: "" }];
}

function asTable(value: TomlValue): TomlValues {
  return value instanceof Map ? value : new Map<string, TomlValue>();
}

function requiredAs([name, value]: readonly [string, TomlValue]): readonly RequiredPackage[] {
  if (typeof value === "string") return allowed("cargo", name, value);
  const table = asTable(value);
  const other = tomlTextIn(table, "package");
  return allowed("cargo", other ?? name, tomlTextIn(table, "version") ?? "", {
    alias: other === undefined ? "" : name,
  });
}

export function readCargoLock(text: string): ManifestFacts {
  const requires: RequiredPackage[] = [];
  for (const one of lockedPackages(text)) {
    // Those of the workspace itself come from nowhere.
    if (one.has("source")) requires.push(...locked("cargo", one.get("name"), one.get("version")));
  }
  return { defines: [], requires };
}
