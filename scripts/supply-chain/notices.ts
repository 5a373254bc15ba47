// THIRD_PARTY_NOTICES, which `svc --licenses` prints.
import type { Component } from "./components.ts";

const RULE = "=".repeat(80);

const KINDS: Readonly<Record<Component["kind"], string>> = {
  package: "npm package",
  grammar: "tree-sitter grammar",
  addon: "addon for the system's keychain",
  crate: "linked into the addon",
  runtime: "the runtime",
  model: "table of word vectors",
};

export function noticesText(components: readonly Component[]): string {
  const width = Math.max(
    ...components.map(({ name, version }) => name.length + version.length + 1),
  );
  const rows = components.map(({ name, version, license, kind }) =>
    [`${name} ${version}`.padEnd(width), license.padEnd(26), KINDS[kind]].join("  "),
  );
  const texts = components
    .filter(({ text }) => text !== "")
    .map(({ name, version, license, text }) => {
      const lines = text.split("\n").map((line) => line.trimEnd());
      return `${RULE}\n${name} ${version}\n${license}\n${RULE}\n\n${lines.join("\n")}\n`;
    });
  return [
    "svc is made by its authors under the MIT licence (LICENSE). Its executable holds works of others,",
    "which are listed here with their licences, and whose texts follow. What is linked into the addon",
    "has its texts under the addon's name.",
    "",
    ...rows,
    "",
    ...texts,
  ].join("\n");
}
