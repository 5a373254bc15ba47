// go.mod: its versions are the ones in use. https://go.dev/ref/mod

import { defined, locked } from "./manifest-row.ts";
import type { ManifestFacts, RequiredPackage } from "./package-facts.ts";

const PAIR = /^(?<path>[^\s()]+\.[^\s()]+)\s+(?<version>v\d\S*)/;
const REPLACED = /^(?<from>\S+)(?:\s+v\S+)?\s+=>\s+(?<to>[^\s.]\S*)\s+(?<version>v\d\S*)/;

export function readGoMod(text: string): ManifestFacts {
  const required = new Map<string, RequiredPackage>();
  let name: string | undefined;
  for (const { word, rest } of directivesIn(text)) {
    if (word === "module") name = unquoted(rest);
    else if (word === "require") {
      const { path = "", version } = PAIR.exec(rest)?.groups ?? {};
      for (const one of locked("go", path, plainVersion(version))) required.set(path, one);
    } else if (word === "replace") {
      const { from = "", to, version } = REPLACED.exec(rest)?.groups ?? {};
      for (const one of locked("go", to, plainVersion(version), { alias: from }))
        required.set(from, one);
    }
  }
  return { defines: defined("go", name), requires: [...required.values()] };
}

interface Directive {
  readonly word: string;
  readonly rest: string;
}

/** `require a v1` and each line of `require ( … )`. */
function* directivesIn(text: string): Generator<Directive> {
  let block = "";
  for (const row of text.split("\n")) {
    const plain = row.replace(/\/\/.*$/, "").trim();
    const opening = /^(?<word>\w+)\s*\($/.exec(plain)?.groups?.["word"];
    if (opening !== undefined) block = opening;
    else if (plain === ")") block = "";
    else if (block !== "") yield { word: block, rest: plain };
    else {
      const { word = "", rest = "" } = /^(?<word>\w+)\s+(?<rest>.*)$/.exec(plain)?.groups ?? {};
      yield { word, rest };
    }
  }
}

function unquoted(text: string): string {
  return text.replaceAll('"', "");
}

/** Registries write `v1.2.3` and `1.2.3` for the same version. */
export function plainVersion(version: string | undefined): string {
  return version?.replace(/^v(?=\d)/, "").replace(/\+incompatible$/, "") ?? "";
}
