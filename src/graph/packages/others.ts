// Manifests and lock files of Composer, RubyGems, NuGet and Swift.

import {
  asConfigObject,
  asString,
  readConfig,
  type ConfigObject,
  type ConfigValue,
} from "../modules/config-text.ts";
import { plainVersion } from "./go.ts";
import { allowed, defined, locked } from "./manifest-row.ts";
import type { ManifestFacts, RequiredPackage } from "./package-facts.ts";

function objectsIn(value: ConfigValue | undefined): readonly ConfigObject[] {
  return Array.isArray(value) ? value.map((one: ConfigValue) => asConfigObject(one)) : [];
}

export function readComposerJson(text: string): ManifestFacts {
  const manifest = readConfig(text);
  const requires = ["require", "require-dev"].flatMap((field) =>
    Object.entries(asConfigObject(manifest[field])).flatMap(([name, versions]) =>
      name.includes("/") ? allowed("composer", name.toLowerCase(), asString(versions) ?? "") : [],
    ),
  );
  return {
    defines: defined("composer", asString(manifest["name"])?.toLowerCase(), {
      version: plainVersion(asString(manifest["version"])),
    }),
    requires,
  };
}

export function readComposerLock(text: string): ManifestFacts {
  const lock = readConfig(text);
  const requires = ["packages", "packages-dev"].flatMap((field) =>
    objectsIn(lock[field]).flatMap((one) =>
      locked(
        "composer",
        asString(one["name"])?.toLowerCase(),
        plainVersion(asString(one["version"])),
      ),
    ),
  );
  return { defines: [], requires };
}

export function readGemspec(text: string): ManifestFacts {
  const value = (key: string): string | undefined =>
    new RegExp(`\\.${key}\\s*=\\s*(["'])(?<value>[^"'#\\n]+)\\1`).exec(text)?.groups?.["value"];
  const rows = text.matchAll(
    /\.add_(?:(?:runtime|development)_)?dependency\s*\(?\s*["'](?<name>[\w.-]+)["'](?:\s*,\s*["'](?<versions>[^"']*)["'])?/g,
  );
  return {
    defines: defined("gem", value("name"), { version: value("version") ?? "" }),
    requires: [...rows].flatMap(({ groups }) =>
      allowed("gem", groups?.["name"], groups?.["versions"] ?? ""),
    ),
  };
}

export function readGemfile(text: string): ManifestFacts {
  const rows = text.matchAll(
    /^\s*gem\s*\(?\s*["'](?<name>[\w.-]+)["'](?:\s*,\s*["'](?<versions>[^"']*)["'])?/gm,
  );
  const requires = [...rows].flatMap(({ groups }) =>
    allowed("gem", groups?.["name"], groups?.["versions"] ?? ""),
  );
  return { defines: [], requires };
}

/** The section PATH of a Gemfile.lock lists the gems of the project itself. */
export function readGemfileLock(text: string): ManifestFacts {
  const requires = text
    .split(/^(?=[A-Z])/m)
    .filter((section) => /^(?:GEM|GIT)\b/.test(section))
    .flatMap((section) => [...section.matchAll(/^ {4}(?<name>[\w.-]+) \((?<version>[^)]+)\)$/gm)])
    .flatMap(({ groups }) => locked("gem", groups?.["name"], groups?.["version"]));
  return { defines: [], requires };
}

/** A project file of MSBuild. `name`: that of the file without its extension. */
export function readMsbuild(text: string, name: string): ManifestFacts {
  const value = (key: string): string | undefined =>
    new RegExp(`<${key}>\\s*(?<value>[^<$]+?)\\s*</${key}>`).exec(text)?.groups?.["value"];
  const rows = [...text.matchAll(/<Package(?:Reference|Version)\s(?<attributes>[^>]*)>/g)];
  const isProject = /<Project\b/.test(text) && !name.startsWith("Directory.");
  const own = value("PackageId") ?? value("AssemblyName") ?? name;
  return {
    defines: defined("nuget", isProject ? own.toLowerCase() : undefined, {
      version: value("Version") ?? value("VersionPrefix") ?? "",
    }),
    requires: rows.flatMap(({ groups: { attributes = "" } = {} }) =>
      allowed(
        "nuget",
        attribute(attributes, "Include")?.toLowerCase(),
        attribute(attributes, "Version") ?? "",
      ),
    ),
  };
}

function attribute(element: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*"(?<value>[^"]+)"`).exec(element)?.groups?.["value"];
}

/** packages.lock.json of NuGet. */
export function readNugetLock(text: string): ManifestFacts {
  const frameworks = Object.values(asConfigObject(readConfig(text)["dependencies"]));
  const requires = frameworks.flatMap((packages) =>
    Object.entries(asConfigObject(packages)).flatMap(([name, value]) =>
      asString(asConfigObject(value)["type"]) === "Project"
        ? []
        : locked("nuget", name.toLowerCase(), asString(asConfigObject(value)["resolved"])),
    ),
  );
  return { defines: [], requires };
}

/** A Swift package is known by the last part of its address. */
export function readPackageSwift(text: string): ManifestFacts {
  const name = /\bPackage\s*\(\s*name:\s*"(?<name>[^"]+)"/.exec(text)?.groups?.["name"];
  const rows = text.matchAll(
    /\.package\s*\([^)]*?url:\s*"(?<url>[^"]+)"(?:\s*,\s*(?:exact:|\.exact\()\s*"(?<version>[^"]+)")?/g,
  );
  return {
    defines: defined("swift", name?.toLowerCase()),
    requires: [...rows].flatMap(({ groups }) =>
      locked("swift", lastPart(groups?.["url"] ?? ""), groups?.["version"]),
    ),
  };
}

/** Package.resolved, in the forms of all versions of Swift. */
export function readPackageResolved(text: string): ManifestFacts {
  const file = readConfig(text);
  const pins = [...objectsIn(file["pins"]), ...objectsIn(asConfigObject(file["object"])["pins"])];
  const requires = pins.flatMap((pin): readonly RequiredPackage[] => {
    const url = asString(pin["location"]) ?? asString(pin["repositoryURL"]) ?? "";
    return locked("swift", lastPart(url), asString(asConfigObject(pin["state"])["version"]));
  });
  return { defines: [], requires };
}

function lastPart(url: string): string {
  return url
    .replace(/(?:\.git)?\/*$/, "")
    .replace(/^.*\//, "")
    .toLowerCase();
}
