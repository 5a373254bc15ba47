// pyproject.toml, setup.cfg, setup.py, requirements files and the lock files of Poetry, uv and Pipenv.

import { asConfigObject, asString, readConfig } from "../modules/config-text.ts";
import { allowed, defined, locked, NO_FACTS } from "./manifest-row.ts";
import type { ManifestFacts, RequiredPackage } from "./package-facts.ts";
import {
  listIn,
  lockedPackages,
  readTomlValues,
  tableIn,
  tomlTextIn,
  type TomlValue,
} from "./toml-values.ts";

/** `name[extra]>=1.0; python_version < "3.8"`. */
const REQUIREMENT =
  /^(?<name>[A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?(?<versions>[^;#@)]*)\)?(?:[;#@].*)?$/;

/** `Foo.Bar` and `foo-bar` are the same package: https://peps.python.org/pep-0503 */
function pythonName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

function requirement(text: string): readonly RequiredPackage[] {
  const { name, versions = "" } = REQUIREMENT.exec(text.trim())?.groups ?? {};
  return name === undefined ? [] : allowed("pypi", pythonName(name), versions);
}

function texts(values: readonly TomlValue[]): readonly string[] {
  return values.filter((one) => typeof one === "string");
}

export function readPyproject(text: string): ManifestFacts {
  const file = readTomlValues(text);
  const project = tableIn(file, "project");
  const poetry = tableIn(file, "tool", "poetry");
  const groups = [...tableIn(poetry, "group").values()];
  const tables = [
    tableIn(poetry, "dependencies"),
    tableIn(poetry, "dev-dependencies"),
    ...groups.map((group) => tableIn(group instanceof Map ? group : undefined, "dependencies")),
  ];
  const name = tomlTextIn(project, "name") ?? tomlTextIn(poetry, "name");
  const listed = [
    ...listIn(project, "dependencies"),
    ...[...tableIn(project, "optional-dependencies").keys()].flatMap((group) =>
      listIn(tableIn(project, "optional-dependencies"), group),
    ),
    ...[...tableIn(file, "dependency-groups").keys()].flatMap((group) =>
      listIn(tableIn(file, "dependency-groups"), group),
    ),
  ];
  return {
    defines: defined("pypi", name && pythonName(name), {
      version: tomlTextIn(project, "version") ?? tomlTextIn(poetry, "version") ?? "",
    }),
    requires: [
      ...texts(listed).flatMap(requirement),
      ...tables.flatMap((table) =>
        [...table].flatMap(([key, value]) => {
          const versions = value instanceof Map ? tomlTextIn(value, "version") : value;
          return key === "python"
            ? []
            : allowed("pypi", pythonName(key), typeof versions === "string" ? versions : "");
        }),
      ),
    ],
  };
}

export function readSetupCfg(text: string): ManifestFacts {
  const value = (key: string): string =>
    new RegExp(`^${key}\\s*=\\s*(?<value>.*(?:\\n[ \\t]+.*)*)`, "m").exec(text)?.groups?.[
      "value"
    ] ?? "";
  const name = value("name").trim();
  const version = value("version").trim();
  return {
    defines: defined("pypi", name === "" ? undefined : pythonName(name), {
      version: /^\d/.test(version) ? version : "",
    }),
    requires: value("install_requires").split("\n").flatMap(requirement),
  };
}

/** setup.py is not run: only names and versions that are written as strings are found. */
export function readSetupPy(text: string): ManifestFacts {
  if (!/\bsetup\s*\(/.test(text)) return NO_FACTS;
  const value = (key: string): string | undefined =>
    new RegExp(`\\b${key}\\s*=\\s*(["'])(?<value>[^"'\\n]+)\\1`, "i").exec(text)?.groups?.["value"];
  const name = value("name");
  const list = /\binstall_requires\s*=\s*\[(?<items>[^\]]*)\]/.exec(text)?.groups?.["items"] ?? "";
  return {
    defines: defined("pypi", name && pythonName(name), { version: value("version") ?? "" }),
    requires: [...list.matchAll(/["'](?<item>[^"'\n]+)["']/g)].flatMap(({ groups }) =>
      requirement(groups?.["item"] ?? ""),
    ),
  };
}

export function readRequirements(text: string): ManifestFacts {
  const rows = text.replaceAll("\\\n", " ").split("\n");
  const requires = rows.flatMap((row) =>
    /^\s*(?:-|#|$)/.test(row) ? [] : requirement(row.replace(/\s--hash.*$/, "")),
  );
  return { defines: [], requires };
}

/** poetry.lock and uv.lock. The project itself is in uv.lock, without a registry. */
export function readPythonLock(text: string): ManifestFacts {
  const requires: RequiredPackage[] = [];
  for (const one of lockedPackages(text)) {
    const isOwn = /\b(?:editable|virtual|workspace)\s*=/.test(one.get("source") ?? "");
    const name = one.get("name");
    if (!isOwn && name !== undefined)
      requires.push(...locked("pypi", pythonName(name), one.get("version")));
  }
  return { defines: [], requires };
}

export function readPipfileLock(text: string): ManifestFacts {
  const lock = readConfig(text);
  const requires = ["default", "develop"].flatMap((group) =>
    Object.entries(asConfigObject(lock[group])).flatMap(([name, value]) =>
      allowed("pypi", pythonName(name), asString(asConfigObject(value)["version"]) ?? ""),
    ),
  );
  return { defines: [], requires };
}

/** The headers of a distribution that is installed: https://packaging.python.org/en/latest/specifications/core-metadata/ */
export function readMetadata(text: string): ManifestFacts {
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}: *(?<value>\\S.*)$`, "m").exec(text)?.groups?.["value"]?.trim();
  const name = text.startsWith("Metadata-Version:") ? header("Name") : undefined;
  const version = header("Version") ?? "";
  return { defines: defined("pypi", name && pythonName(name), { version }), requires: [] };
}
