import { counted, sizeText } from "../base/amounts.ts";
import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";

import { isLockHeld } from "../base/exclusive-lock.ts";
import { realPath } from "../sources/confined-path.ts";
import { inspectIndex } from "../index/embedded/inspect.ts";
import { listNames } from "./check-permissions.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { firstFew, type Finding, createReporter } from "./finding.ts";
import { indexCommand, type Inventory, type ListedNamespace } from "./inventory.ts";

const CHECK = "leftovers";
const { ok, warning } = createReporter(CHECK);

/** Younger files may still be in use. */
const ABANDONED_MS = 60_000;
const TEMPORARY = /\.tmp$/;

/** Finds files left by a killed process or no longer used. They are harmless but take space. */
export const checkUnusedFiles: Check = {
  name: CHECK,
  async run(context, inventory) {
    const findings = [
      ...temporaryFiles(context),
      ...(await Promise.all(inventory.namespaces.map(unpublished))).flat(),
      // Without the registry, it is unknown which folders are used.
      ...(inventory.problem === undefined ? unlisted(context, inventory) : []),
    ];
    return findings.length > 0 ? findings : [ok("none")];
  },
};

function temporaryFiles({ settings }: CheckContext): readonly Finding[] {
  const { dataDirectory, configDirectory, keyDirectory } = settings;
  const folders = [
    dataDirectory,
    configDirectory,
    keyDirectory,
    join(dataDirectory, "credentials"),
  ];
  const found = folders.flatMap((folder) =>
    listNames(folder)
      .filter((name) => TEMPORARY.test(name))
      .map((name) => join(folder, name))
      .filter(isAbandoned),
  );
  if (found.length === 0) return [];
  const what = `${firstFew(found)}: incomplete files of a killed process`;
  return [warning(what, `Run \`rm ${found.map(quoted).join(" ")}\`.`)];
}

/** Segments that the catalog does not list, unless a writer is active. */
async function unpublished(namespace: ListedNamespace): Promise<readonly Finding[]> {
  const { layout, name } = namespace;
  let published: ReadonlySet<string>;
  try {
    published = await inspectIndex(layout, ({ segments }) => Promise.resolve(segments));
  } catch {
    // Another check reports the problem.
    return [];
  }
  const left = listNames(layout.segments).filter((file) => !published.has(file));
  if (left.length === 0 || isLockHeld(layout.writerLock)) return [];
  const bytes = left.reduce((sum, file) => sum + sizeOf(join(layout.segments, file)), 0);
  const what = `${counted(left.length, "file")} (${sizeText(bytes)}) of a killed indexing run: ${firstFew(left)}`;
  return [
    createReporter(CHECK, name).warning(
      what,
      `Run \`${indexCommand(namespace)}\`, which removes them.`,
    ),
  ];
}

/** Folders of namespaces and clones that the registry does not list. */
function unlisted(
  { settings: { dataDirectory } }: CheckContext,
  { namespaces }: Inventory,
): readonly Finding[] {
  const listed = new Set(namespaces.map(({ name }) => name));
  const roots = new Set(
    namespaces.flatMap(({ sources }) => sources.map(({ root }) => dirname(root))),
  );
  const indexes = entriesOf(dataDirectory, "namespaces").filter(({ name }) => !listed.has(name));
  const clones = entriesOf(dataDirectory, "clones").filter(({ path }) => !roots.has(path));
  const removed = entriesOf(dataDirectory, "removed");
  const findings = [...indexes, ...clones]
    .filter(({ path }) => isAbandoned(path))
    .map(({ path }) => warning(`${path} is unused`, `Run \`rm -r ${quoted(path)}\`.`));
  if (removed.length > 0) {
    const what = `${join(dataDirectory, "removed")} contains ${removed.length === 1 ? "1 index" : `${removed.length} indexes`} whose deletion was interrupted`;
    findings.push(warning(what, "Run `svc status`, which continues the deletion."));
  }
  return findings;
}

function entriesOf(
  dataDirectory: string,
  folder: string,
): readonly { readonly name: string; readonly path: string }[] {
  const directory = join(dataDirectory, folder);
  const names = listNames(directory);
  if (names.length === 0) return [];
  // Roots of sources are real paths, so compare real paths.
  const real = realPath(directory);
  return names.map((name) => ({ name, path: join(real, name) }));
}

function isAbandoned(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS;
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
