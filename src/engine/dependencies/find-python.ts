// Distributions in the site-packages of a virtual environment:
// https://packaging.python.org/en/latest/specifications/recording-installed-packages/

import { readdirSync } from "node:fs";
import { join } from "node:path";

import { readRegularFile } from "../../base/files.ts";
import { toFilePath } from "../../base/path-bytes.ts";
import type { RequiredPackage } from "../../graph/packages/package-facts.ts";
import { realPath } from "../../sources/confined-path.ts";
import { installStamp } from "./file-stamp.ts";
import {
  NOT_INSTALLED,
  LINKED_OUTSIDE,
  type FoundPackage,
  type LookupPlace,
} from "./installed-package.ts";

const MAX_RECORD_BYTES = 8 << 20;
const ENVIRONMENTS = [".venv", "venv"];
const ABOUT = /^(?<name>.+?)-(?<version>\d[^-]*)\.dist-info$/;

/** Looks in `.venv` and `venv` of the manifest's folder and of those around it, then in the active environment. */
export function findPython(
  { name }: Pick<RequiredPackage, "name">,
  { around, rootOf, folders }: Pick<LookupPlace, "around" | "rootOf" | "folders">,
): FoundPackage {
  const own = around.flatMap((folder) => ENVIRONMENTS.map((inner) => join(folder, inner)));
  const { virtualEnvironment } = folders;
  let isOutside = false;
  for (const environment of [...own, ...(virtualEnvironment ? [virtualEnvironment] : [])]) {
    for (const packages of sitePackagesOf(environment)) {
      // The active environment is what the user has chosen.
      if (environment !== virtualEnvironment && rootOf(packages) === undefined) {
        isOutside = true;
        continue;
      }
      const found = distributionIn(packages, name);
      if (found !== undefined) return found;
    }
  }
  return { leftOut: { name, reason: isOutside ? LINKED_OUTSIDE : NOT_INSTALLED } };
}

/** Real paths. */
function sitePackagesOf(environment: string): readonly string[] {
  const versions = namesIn(join(environment, "lib")).filter((name) => name.startsWith("python3"));
  const places = [
    ...versions.map((version) => join(environment, "lib", version, "site-packages")),
    join(environment, "Lib", "site-packages"),
  ];
  return places.flatMap((place) => {
    try {
      return [realPath(place)];
    } catch {
      return [];
    }
  });
}

function distributionIn(packages: string, name: string): FoundPackage | undefined {
  for (const about of namesIn(packages)) {
    const groups = ABOUT.exec(about)?.groups;
    if (groups === undefined || plainName(groups["name"]) !== plainName(name)) continue;
    return distribution(join(packages, about), {
      packages,
      name: plainName(name),
      version: groups["version"] ?? "",
    });
  }
  return undefined;
}

function distribution(
  about: string,
  {
    packages,
    name,
    version,
  }: { readonly packages: string; readonly name: string; readonly version: string },
): FoundPackage {
  const left = (reason: string): FoundPackage => ({ leftOut: { name, reason } });
  const text = (file: string): string | undefined =>
    readRegularFile(join(about, file), MAX_RECORD_BYTES)?.toString("utf8");
  if (/"dir_info"/.test(text("direct_url.json") ?? ""))
    return left("installed from a folder of this machine; index that folder");
  const record = text("RECORD");
  if (record === undefined) return left("without a list of its files (RECORD)");
  const files = record.split("\n").flatMap((row) => {
    const path = /^(?:"(?<quoted>[^"]+)"|(?<plain>[^,]+)),/.exec(row)?.groups;
    const file = path?.["quoted"] ?? path?.["plain"] ?? "";
    return isOfPackage(file) ? [file] : [];
  });
  const stamp = installStamp(join(about, "RECORD"));
  return {
    installed: {
      ecosystem: "pypi",
      name,
      version,
      folder: packages,
      files,
      written: new Map(describe(text("METADATA") ?? "")),
      stamp: `${packages} ${stamp}`,
    },
  };
}

/** Scripts lie outside of the folder, and what describes the package is read apart. */
function isOfPackage(path: string): boolean {
  return (
    path !== "" &&
    !path.startsWith("/") &&
    !/(?:^|\/)(?:\.\.|__pycache__|[^/]+\.dist-info)(?:\/|$)/.test(path)
  );
}

/** The headers of METADATA, and what follows them: the readme of the project. */
function* describe(metadata: string): Generator<readonly [string, string]> {
  const end = metadata.search(/\r?\n\r?\n/);
  const headers = end === -1 ? metadata : metadata.slice(0, end);
  yield ["METADATA", `${headers.trimEnd()}\n`];
  const readme = end === -1 ? "" : metadata.slice(end).trim();
  if (readme === "") return;
  const isMarkdown = /^Description-Content-Type:\s*text\/markdown/im.test(headers);
  yield [isMarkdown ? "README.md" : "README.rst", `${readme}\n`];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(toFilePath(folder));
  } catch {
    return [];
  }
}

/** `Foo_Bar.baz` and `foo-bar-baz` are one name. */
function plainName(name = ""): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
