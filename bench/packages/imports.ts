// node bench/packages/imports.ts --home DIR --project DIR --truth FILE [--show 10]
// Compares the definitions that svc finds for imported names in the indexes of a project's dependencies with the truth
// in FILE. `--home`: a data directory in which `svc index --dependencies` has indexed the project.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { silentLogger } from "../../src/base/log.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import { packagesDirectory } from "../../src/sources/dependency-folders.ts";
import { localOwner } from "../../src/sources/principal.ts";

/** One line of the truth. Target paths begin with the name of the package, or are relative to site-packages. */
interface Import {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly module: string;
  readonly targets: readonly string[];
}

const { values } = parseArgs({
  options: {
    home: { type: "string", default: "" },
    project: { type: "string", default: "" },
    truth: { type: "string", default: "" },
    show: { type: "string", default: "0" },
  },
});
const principal = localOwner();
const dataDirectory = resolve(values.home);
const root = resolve(values.project);
const engine = createEngine({
  dataDirectory,
  home: "/",
  logger: silentLogger,
  workspace: () => root,
});
const namespace = (await engine.defaultNamespace({ principal })) ?? "";
const dependencies = await engine.dependencies({ principal, namespace });
const all = [namespace, ...dependencies].join(",");

/** `types__node/fs.d.ts`, as in the truth. */
function placeIn(of: string, path: string): string {
  const file = join(packagesDirectory(dataDirectory, of), "about.json");
  const about: { ecosystem: string; name: string } = JSON.parse(readFileSync(file, "utf8"));
  return about.ecosystem === "npm" ? `${about.name}/${path}` : path;
}

async function definitionAt(symbol: string): Promise<string | readonly [string, number, number]> {
  try {
    const { target } = await engine.references({
      symbol,
      relation: "references",
      depth: 1,
      limit: 1,
      namespace: all,
      principal,
      signal: new AbortController().signal,
    });
    const { namespace: of = "", startLine, endLine } = target;
    if (!dependencies.includes(of)) return `in ${of}`;
    return [placeIn(of, target.path), startLine, endLine];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** By name and, if a file has the name twice, by line. */
async function definitionOf({ path, name, line }: Import): ReturnType<typeof definitionAt> {
  const byName = await definitionAt(`${path}#${name}`);
  return typeof byName === "string" ? definitionAt(`${path}:${line}`) : byName;
}

const imports = readFileSync(resolve(values.truth), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line): Import => JSON.parse(line));
let [right, wrong] = [0, 0];
const missed: string[] = [];
const began = performance.now();
for (const one of imports) {
  const found = await definitionOf(one);
  const isRight =
    typeof found !== "string" &&
    one.targets.some((target) => {
      const [, path = "", line = ""] = /^(.*):(\d+)$/.exec(target) ?? [];
      return path === found[0] && Number(line) >= found[1] && Number(line) <= found[2];
    });
  if (isRight) right += 1;
  else {
    if (typeof found !== "string") wrong += 1;
    const said = typeof found === "string" ? found : `${found[0]}:${found[1]}`;
    missed.push(`${one.name} of ${one.module}: ${said}, not ${one.targets.join(" ")}`);
  }
}
const share = (part: number, whole: number): string => (part / whole).toFixed(3);
console.log(
  `${imports.length} imports: precision ${share(right, right + wrong)}, recall ${share(right, imports.length)}, ` +
    `${Math.round((performance.now() - began) / imports.length)} ms each`,
);
for (const line of missed.slice(0, Number(values.show))) console.log(line);
await engine.close();
