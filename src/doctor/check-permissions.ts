import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { firstFew, type Finding, createReporter } from "./finding.ts";

const CHECK = "permissions";
const { ok, failed } = createReporter(CHECK);

const OTHERS = 0o077;
/** Not checked inside: work trees of fetched repositories have git's modes, and this folder itself is private. */
const CLONES = "clones";

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
}

/** Data and keys are owned by this account and private to it. Windows uses access lists instead. */
export const checkPermissions: Check = {
  name: CHECK,
  run({ settings: { dataDirectory, keyDirectory } }) {
    if (process.platform === "win32") return [];
    const roots = [dataDirectory, keyDirectory].map((root) => ({
      root,
      entries: entriesBelow(root),
    }));
    const findings = roots.flatMap(({ root, entries }) => problemsOf(root, entries));
    if (findings.length > 0) return findings;
    const files = roots.reduce((sum, { entries }) => sum + entries.length, 0);
    return [ok(`${files} files and folders, accessible only to this account`)];
  },
};

function problemsOf(root: string, entries: readonly Entry[]): readonly Finding[] {
  const user = process.getuid?.() ?? 0;
  const foreign = entries.filter(({ uid }) => uid !== user);
  const open = entries.filter(({ mode }) => (mode & OTHERS) !== 0);
  const findings: Finding[] = [];
  if (foreign.length > 0) {
    const names = firstFew(foreign.map(({ path }) => path));
    findings.push(
      failed(
        `${names}: owned by another account`,
        `Run \`sudo chown -R ${user} ${quoted(root)}\`.`,
      ),
    );
  }
  if (open.length > 0) {
    const names = firstFew(open.map(({ path, mode }) => `${path} (${octal(mode)})`));
    findings.push(
      failed(`${names}: open to other accounts`, `Run \`chmod -R go-rwx ${quoted(root)}\`.`),
    );
  }
  return findings;
}

/** Whether other accounts have any right on `path`. */
export function isOpenToOthers(path: string): boolean {
  if (process.platform === "win32") return false;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.mode & OTHERS) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

/** The folder and everything below it, without entries that vanish meanwhile or cannot be listed. */
function entriesBelow(path: string, isTop = true): readonly Entry[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // The mode of a symbolic link has no meaning.
  if (stat === undefined || stat.isSymbolicLink()) return [];
  const entry = { path, mode: stat.mode, uid: stat.uid };
  if (!stat.isDirectory()) return [entry];
  const names = listNames(path).filter((name) => !isTop || name !== CLONES);
  return [entry, ...names.flatMap((name) => entriesBelow(join(path, name), false))];
}

export function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
