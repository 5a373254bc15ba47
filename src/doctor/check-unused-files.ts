import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

import { isLockHeld } from "../base/exclusive-lock.ts";
import { inspectIndex } from "../index/embedded/inspect.ts";
import { listNames } from "./check-permissions.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { counted, firstFew, type Finding, sizeText, createReporter } from "./finding.ts";
import { indexCommand, type Inventory, type ListedNamespace } from "./inventory.ts";

const CHECK = "leftovers";
const { ok, warning } = createReporter(CHECK);

/** A file that is just being written is there for less. */
const ABANDONED_MS = 60_000;
const TEMPORARY = /\.tmp$/;

/** Files that a killed process has left, or that belong to nothing any more. They do no harm but take room. */
export const checkUnusedFiles: Check = {
  name: CHECK,
  async run(examination, inventory) {
    const findings = [
      ...temporaryFiles(examination),
      ...(await Promise.all(inventory.namespaces.map(unpublished))).flat(),
      // Without the list nobody knows what belongs to nothing.
      ...(inventory.problem === undefined ? unlisted(examination, inventory) : []),
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
  const what = `${firstFew(found)}: half-written files of a process that was killed`;
  return [warning(what, `Run \`rm ${found.map(quoted).join(" ")}\`.`)];
}

/** Segments that no catalogue lists, unless somebody is just writing them. */
async function unpublished(namespace: ListedNamespace): Promise<readonly Finding[]> {
  const { layout, name } = namespace;
  let published: ReadonlySet<string>;
  try {
    published = await inspectIndex(layout, ({ segments }) => Promise.resolve(segments));
  } catch {
    // What is wrong with it says another check.
    return [];
  }
  const left = listNames(layout.segments).filter((file) => !published.has(file));
  if (left.length === 0 || isLockHeld(layout.writerLock)) return [];
  const bytes = left.reduce((sum, file) => sum + sizeOf(join(layout.segments, file)), 0);
  const what = `${counted(left.length, "file")} (${sizeText(bytes)}) of an indexing run that was killed: ${firstFew(left)}`;
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
    .map(({ path }) => warning(`${path} belongs to nothing`, `Run \`rm -r ${quoted(path)}\`.`));
  if (removed.length > 0) {
    const what = `${join(dataDirectory, "removed")} holds ${counted(removed.length, "index")} that was being deleted`;
    findings.push(warning(what, "Run `svc status`, which goes on with that."));
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
  // Roots of sources are real paths.
  const real = realpathSync(directory);
  return names.map((name) => ({ name, path: join(real, name) }));
}

function isAbandoned(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS;
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
