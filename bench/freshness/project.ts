import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILES_PER_FOLDER = 20;

/** Only letters, so that it is one term. */
export function wordOf(number: number): string {
  const letters = number
    .toString(26)
    .replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  return `zq${letters}q`;
}

export function pathOf(at: number): string {
  const folder = Math.floor(at / FILES_PER_FOLDER);
  return `src/p${folder % 25}/m${folder}/file${at}.ts`;
}

export function textOf(at: number, version: number): string {
  return [
    `// Keeps the ${wordOf(at)} of the ledger, version ${version}.`,
    `import { entry${at % 97} } from "../m${at % 50}/file${at % 1000}";`,
    `export function balance${at}(account: string): number {`,
    `  const total = entry${at % 97}(account, ${version});`,
    `  return total + ${at};`,
    "}",
    `export const ${wordOf(at)}Limit = ${version};`,
    "",
  ].join("\n");
}

export function writeFile(root: string, at: number, version: number): void {
  writeFileSync(join(root, pathOf(at)), textOf(at, version));
}

export function makeProject(root: string, files: number): void {
  for (let at = 0; at < files; at += 1) {
    if (at % FILES_PER_FOLDER === 0) mkdirSync(join(root, pathOf(at), ".."), { recursive: true });
    writeFile(root, at, 0);
  }
}
