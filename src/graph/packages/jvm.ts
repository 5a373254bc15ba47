// pom.xml, build.gradle, version catalogues and gradle.lockfile.

import { SaxesParser } from "saxes";

import { allowed, defined, locked, NO_FACTS } from "./manifest-row.ts";
import type { ManifestFacts, RequiredPackage } from "./package-facts.ts";
import { readTomlValues, tableIn, tomlTextIn } from "./toml-values.ts";

interface Pom {
  /** The texts of elements without children, by path: "project/artifactId". */
  readonly values: ReadonlyMap<string, string>;
  readonly dependencies: readonly ReadonlyMap<string, string>[];
}

function parsePom(text: string): Pom | undefined {
  const values = new Map<string, string>();
  const dependencies: Map<string, string>[] = [];
  const path: string[] = [];
  let content = "";
  let isValid = true;
  const parser = new SaxesParser();
  parser.on("error", () => void (isValid = false));
  parser.on("opentag", ({ name }) => {
    path.push(name);
    content = "";
    if (name === "dependency") dependencies.push(new Map());
  });
  parser.on("text", (more) => void (content += more));
  parser.on("closetag", ({ name }) => {
    const place = path.join("/");
    const isOfDependency = path.at(-2) === "dependency";
    if (isOfDependency) dependencies.at(-1)?.set(name, content.trim());
    else if (!values.has(place)) values.set(place, content.trim());
    content = "";
    path.pop();
  });
  parser.write(text);
  // The parser throws away what follows an error, which may be the half of the file.
  if (!isValid || values.get("project/artifactId") === undefined) return undefined;
  return { values, dependencies };
}

export function readPom(text: string): ManifestFacts {
  const pom = parsePom(text);
  if (pom === undefined) return NO_FACTS;
  const { values, dependencies } = pom;
  const own = (name: string): string =>
    values.get(`project/${name}`) ?? values.get(`project/parent/${name}`) ?? "";
  const filled = (value: string, depth = 0): string =>
    value.replaceAll(/\$\{(?<name>[^}]+)\}/g, (whole, name: string) => {
      if (/^(?:project\.|pom\.)?(?:version|groupId|artifactId)$/.test(name))
        return own(name.replace(/^.*\./, ""));
      const known = values.get(`project/properties/${name}`);
      return known === undefined || depth > 4 ? whole : filled(known, depth + 1);
    });
  const name = (group: string, artifact: string): string => `${filled(group)}:${filled(artifact)}`;
  const version = filled(own("version"));
  return {
    defines: defined("maven", name(own("groupId"), own("artifactId")), {
      version: version.includes("${") ? "" : version,
    }),
    requires: dependencies.flatMap((one) => {
      const wanted = filled(one.get("version") ?? "");
      const known = wanted.includes("${") ? "" : wanted;
      return allowed("maven", name(one.get("groupId") ?? "", one.get("artifactId") ?? ""), known);
    }),
  };
}

const COORDINATES =
  /["'](?<name>[\w.-]+\.[\w.-]+:[\w.-]+):(?<version>[\w.+-]+)(?:[:@][^"']*)?["']/g;

/** A build script is not run: only coordinates that are written as strings are found. */
export function readGradle(text: string): ManifestFacts {
  const group = /^\s*group\s*=?\s*["'](?<group>[\w.-]+)["']/m.exec(text)?.groups?.["group"];
  const version = /^\s*version\s*=?\s*["'](?<version>[\w.+-]+)["']/m.exec(text)?.groups?.[
    "version"
  ];
  const artifact =
    /\b(?:archivesBaseName|artifactId|archivesName)\s*(?:=|\.set\()\s*["'](?<name>[\w.-]+)["']/.exec(
      text,
    )?.groups?.["name"];
  const requires = [...text.matchAll(COORDINATES)].flatMap(({ groups }) =>
    locked("maven", groups?.["name"], groups?.["version"]),
  );
  const isNamed = group !== undefined && artifact !== undefined;
  return {
    defines: defined("maven", isNamed ? `${group}:${artifact}` : undefined, {
      version: version ?? "",
    }),
    requires,
  };
}

/** gradle.lockfile: `group:name:1.0=compileClasspath`. */
export function readGradleLock(text: string): ManifestFacts {
  const rows = text.matchAll(/^(?<name>[^:#\s]+:[^:\s]+):(?<version>[^=\s]+)=/gm);
  const requires = [...rows].flatMap(({ groups }) =>
    locked("maven", groups?.["name"], groups?.["version"]),
  );
  return { defines: [], requires };
}

/** gradle/libs.versions.toml. */
export function readVersionCatalogue(text: string): ManifestFacts {
  const file = readTomlValues(text);
  const versions = tableIn(file, "versions");
  const requires: RequiredPackage[] = [];
  for (const value of tableIn(file, "libraries").values()) {
    if (typeof value === "string") {
      const [group = "", artifact = "", version] = value.split(":");
      requires.push(...locked("maven", `${group}:${artifact}`, version));
    } else if (value instanceof Map) {
      const module =
        tomlTextIn(value, "module") ?? `${tomlTextIn(value, "group")}:${tomlTextIn(value, "name")}`;
      const reference = tomlTextIn(tableIn(value, "version"), "ref");
      const version =
        tomlTextIn(value, "version") ??
        (reference === undefined ? "" : tomlTextIn(versions, reference));
      requires.push(...allowed("maven", module, version ?? ""));
    }
  }
  return { defines: [], requires };
}
