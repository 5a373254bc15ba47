// package.json and the lock files of npm, pnpm and Yarn.

import {
  asConfigObject,
  asString,
  readConfig,
  type ConfigObject,
  type ConfigValue,
} from "../modules/config-text.ts";
import { allowed, defined, locked } from "./manifest-row.ts";
import type { ManifestFacts, RequiredPackage } from "./package-facts.ts";

const DEPENDENCIES = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/** `npm:other@^1.0.0`: a package under another name. */
const ALIAS = /^npm:(?<name>@?[^@]+)(?:@(?<versions>.*))?$/;

export function readPackageJson(text: string): ManifestFacts {
  const manifest = readConfig(text);
  const requires = DEPENDENCIES.flatMap((field) =>
    Object.entries(asConfigObject(manifest[field])).flatMap(([name, value]) =>
      requiredAs(name, asString(value) ?? ""),
    ),
  );
  const name = asString(manifest["name"]);
  return {
    defines: defined("npm", name, { version: asString(manifest["version"]) ?? "" }),
    requires,
  };
}

function requiredAs(name: string, versions: string): readonly RequiredPackage[] {
  const other = ALIAS.exec(versions)?.groups;
  if (other === undefined) return allowed("npm", name, versions);
  return allowed("npm", other["name"], other["versions"] ?? "", { alias: name });
}

/** package-lock.json and npm-shrinkwrap.json. A package inside of another one is not visible to the project. */
export function readPackageLock(text: string): ManifestFacts {
  const lock = readConfig(text);
  const packages = Object.entries(asConfigObject(lock["packages"]));
  const requires =
    packages.length > 0
      ? packages.flatMap(([place, value]) => requiredAt(place, asConfigObject(value)))
      : Object.entries(asConfigObject(lock["dependencies"])).flatMap(([name, value]) =>
          locked("npm", name, versionIn(value)),
        );
  return { defines: [], requires };
}

function requiredAt(place: string, value: ConfigObject): readonly RequiredPackage[] {
  const found = /^(?:(?<folder>.+)\/)?node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)$/.exec(place);
  const { folder = "", name = "" } = found?.groups ?? {};
  if (found === null || /(?:^|\/)node_modules(?:\/|$)/.test(folder) || value["link"] === true)
    return [];
  const own = asString(value["name"]);
  const isAlias = own !== undefined && own !== name;
  return locked("npm", own ?? name, asString(value["version"]), {
    folder,
    alias: isAlias ? name : "",
  });
}

function versionIn(value: ConfigValue | undefined): string | undefined {
  return asString(asConfigObject(value)["version"]);
}

/** pnpm-lock.yaml: written by pnpm, so each line has one form. */
export function readPnpmLock(text: string): ManifestFacts {
  const requires: RequiredPackage[] = [];
  const keys: string[] = [];
  for (const row of text.split("\n")) {
    const { indent = "", key = "", value = "" } = PNPM_ROW.exec(row)?.groups ?? {};
    if (key === "") continue;
    keys.length = indent.length / 2;
    keys.push(unquoted(key));
    requires.push(...requiredByPnpm(keys, unquoted(value), requires));
  }
  return { defines: [], requires };
}

const PNPM_ROW =
  /^(?<indent>(?: {2})*)(?<key>'[^']*'|"[^"]*"|[^\s:]+(?::[^\s:]+)*):(?:\s+(?<value>.*))?$/;

/** `keys`: those around the value, the outermost first. */
function requiredByPnpm(
  keys: readonly string[],
  value: string,
  known: readonly RequiredPackage[],
): readonly RequiredPackage[] {
  const [section = "", first = "", second = "", third = ""] = keys;
  if (section === "importers") {
    const folder = first === "." ? "" : first;
    return keys[4] === "version" ? lockedByPnpm(third, value, folder) : [];
  }
  if (section === "packages")
    return keys.length === 2 ? indirect(known, first.replace(/^\//, "")) : [];
  // Versions before 6 without workspaces list the direct ones at the top.
  if (!/[dD]ependencies$/.test(section) || value === "") return [];
  return keys.length === 2 || second === "version" ? lockedByPnpm(first, value, "") : [];
}

/** `4.1.0`, `4.1.0(peer@1.0.0)`, `/other@1.0.0`, `link:../a`. */
function lockedByPnpm(name: string, written: string, folder: string): readonly RequiredPackage[] {
  const version = written.replace(/[(_].*$/, "");
  const other = /^\/?(?<name>@?[^@/]+(?:\/[^@]+)?)@(?<version>.+)$/.exec(version)?.groups;
  if (other !== undefined)
    return locked("npm", other["name"], other["version"], { folder, alias: name });
  return /^\d/.test(version) ? locked("npm", name, version, { folder }) : [];
}

function indirect(direct: readonly RequiredPackage[], written: string): readonly RequiredPackage[] {
  const plain = written.replace(/[(_].*$/, "");
  const { name = "", version = "" } =
    /^(?<name>(?:@[^/]+\/)?[^/@]+)[@/](?<version>\d.*)$/.exec(plain)?.groups ?? {};
  const isDirect = direct.some((one) => one.name === name);
  return isDirect ? [] : locked("npm", name, version);
}

/** yarn.lock of all versions of Yarn. */
export function readYarnLock(text: string): ManifestFacts {
  const requires: RequiredPackage[] = [];
  let patterns: readonly string[] = [];
  for (const row of text.split("\n")) {
    if (/^\S.*:$/.test(row) && !row.startsWith("#"))
      patterns = row.slice(0, -1).replaceAll('"', "").split(/,\s*/);
    const version = /^ {2}version:?\s+"?(?<version>[^"\s]+)"?$/.exec(row)?.groups?.["version"];
    if (version === undefined) continue;
    if (version !== "0.0.0-use.local")
      requires.push(...patterns.flatMap((pattern) => lockedByYarn(pattern, version)));
    patterns = [];
  }
  return { defines: [], requires };
}

/** `lodash@^4.0.0`, `lodash@npm:^4.0.0`, `other-name@npm:lodash@^4.0.0`. */
function lockedByYarn(pattern: string, version: string): readonly RequiredPackage[] {
  const { alias = "", wanted = "" } =
    /^(?<alias>@?[^@]+)@(?<wanted>.*)$/.exec(pattern)?.groups ?? {};
  const other = ALIAS.exec(wanted)?.groups?.["name"];
  const isOther = other !== undefined && !/^[\^~*<>=\d]/.test(other);
  return locked("npm", isOther ? other : alias, version, { alias: isOther ? alias : "" });
}

function unquoted(text: string): string {
  return text.replace(/^(?<quote>['"])(?<text>.*)\k<quote>$/, "$<text>");
}
