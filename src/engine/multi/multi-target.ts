// Finds the definition that a request about several namespaces names: in the first namespace that has it, or where an
// import leads.

import { SvcError, toSvcError } from "../../base/errors.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { OtherDefinition } from "../api/references.ts";
import type { OpenIndex } from "../open-indexes.ts";
import { definitionTarget } from "../symbols/find-references.ts";
import { definitionsMeant, lastPart } from "../symbols/named-definitions.ts";
import { isWholeFile, type ResolvedTarget } from "../symbols/resolve-target.ts";
import { projectPlace } from "../../graph/linked/linked-graph.ts";
import type { AcrossNamespaces, AskedNamespaces, Linked } from "./across-namespaces.ts";

/** A definition or a file in one of the namespaces. */
export interface MultiTarget {
  readonly home: OpenIndex;
  /** Its paths are those of the namespace. */
  readonly target: ResolvedTarget;
  /** Definitions of the name in other namespaces. */
  readonly others: readonly OtherDefinition[];
  /** True if it is a package, named by its manifest. */
  readonly isPackage: boolean;
}

/** Maximum namespaces in which other definitions of a name are looked for. */
const MAX_COMPARED = 16;

/** Throws what `definitionTarget` throws, of the namespace that is most likely meant. */
export async function findTarget(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  symbol: string,
): Promise<MultiTarget> {
  let problem: SvcError | undefined;
  let isOpen = false;
  let section: MultiTarget | undefined;
  for (const { namespace, name } of placesOf(asked, symbol)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first that has it wins
      const home = await across.open(asked, namespace);
      isOpen = true;
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (!(await mayHave(home, name))) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await targetIn(across, asked, home, name);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const others = await othersOf(across, asked, found, name);
      const all = { ...found, others, isPackage: false };
      // A key such as `compose` in package.json is not what its users call.
      if (found.target.definition?.kind !== "section") return all;
      section ??= all;
    } catch (thrown) {
      if (!isMissing(thrown) && isOpen) throw thrown;
      problem ??= toSvcError(thrown);
    }
  }
  const ofPackage = await packageNamed(across, asked, symbol);
  if (ofPackage !== undefined) return ofPackage;
  if (section !== undefined) return section;
  if (problem !== undefined) throw problem;
  throw new SvcError("SYMBOL_NOT_FOUND", `No symbol "${symbol}".`, {
    hint: "`find_symbol` (or `svc symbols`) finds similar names.",
  });
}

/** `gin/context.go#Context` is in the namespace gin; other names may be in each. */
function placesOf(
  { names }: AskedNamespaces,
  symbol: string,
): readonly { readonly namespace: string; readonly name: string }[] {
  const { project, path } = projectPlace(symbol);
  const own = names.find((name) => name === project);
  const all = names.map((namespace) => ({ namespace, name: symbol }));
  return own === undefined || path === "" ? all : [{ namespace: own, name: path }, ...all];
}

/** A cheap check that leaves out most of many namespaces. */
async function mayHave({ reader }: OpenIndex, name: string): Promise<boolean> {
  const path = /^(?<path>.+?\.\w+|.+?)(?:[:#].*)?$/s.exec(name)?.groups?.["path"] ?? name;
  if ((await reader.factsOf(path)) !== undefined) return true;
  return !path.includes("/") && (await reader.definitionsOf(lastPart(name))) > 0;
}

function isMissing(thrown: unknown): boolean {
  return (
    thrown instanceof SvcError &&
    ["SYMBOL_NOT_FOUND", "PATH_NOT_FOUND", "INDEX_EMPTY", "INDEX_UNAVAILABLE"].includes(thrown.code)
  );
}

type FoundTarget = Pick<MultiTarget, "home" | "target">;

/** A name that a file imports leads to its definition. */
async function targetIn(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  home: OpenIndex,
  name: string,
): Promise<FoundTarget> {
  const { reader, sources } = home;
  const texts = across.parts.textsOf(home);
  try {
    const target = await definitionTarget({ reader, sources, texts }, name);
    const { definition } = target;
    // `Query` that is imported from a package is not the project's `query`.
    const isOther =
      definition !== undefined && name.includes("#") && !name.endsWith(definition.name);
    const imported = isOther ? await importedTarget(across, asked, home, name) : undefined;
    return imported ?? { home, target };
  } catch (thrown) {
    if (!(thrown instanceof SvcError) || thrown.code !== "SYMBOL_NOT_FOUND") throw thrown;
    const found = await importedTarget(across, asked, home, name);
    if (found === undefined) throw thrown;
    return found;
  }
}

/** Follows the use of `path#name` or on the line of `path:line` to another namespace. */
export async function importedTarget(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  home: OpenIndex,
  name: string,
): Promise<FoundTarget | undefined> {
  const { path, line, used } =
    /^(?<path>.+?)(?::(?<line>\d+)(?:-\d+)?|#(?<used>.+))$/.exec(name)?.groups ?? {};
  if (path === undefined) return undefined;
  const linked = await across.link(asked, home, { path, direction: "used" });
  const uses = await linked.graph.usesFromFile(`${home.namespace}/${path}`);
  const all = uses
    .filter((use) => (used === undefined ? use.line === Number(line) : use.name === used))
    .filter(({ certainty }) => certainty === "exact");
  // Another use of the name may be a member of something else.
  const imports = all.filter(({ role }) => role === "import");
  const wanted = (imports.length > 0 && used !== undefined ? imports : all)
    .flatMap(({ targets }) => targets)
    .filter((target) => projectPlace(target.path).project !== home.namespace);
  const [first] = wanted;
  const isOne = wanted.every(
    (one) => one.path === first?.path && one.qualifiedName === first.qualifiedName,
  );
  return first === undefined || !isOne ? undefined : definitionIn(linked, first);
}

function definitionIn({ indexes }: Linked, definition: SymbolHit): FoundTarget | undefined {
  const { project, path } = projectPlace(definition.path);
  const home = indexes.get(project);
  const { startLine, endLine, qualifiedName } = definition;
  return (
    home && {
      home,
      target: {
        path,
        startLine,
        endLine,
        symbol: qualifiedName,
        definition: { ...definition, path },
        others: [],
      },
    }
  );
}

async function othersOf(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  { home, target }: FoundTarget,
  name: string,
): Promise<readonly OtherDefinition[]> {
  const own = target.others.map((one) => ({ ...one, namespace: home.namespace }));
  if (isWholeFile(target) || /[:#]/.test(name) || asked.names.length > MAX_COMPARED) return own;
  const others = await Promise.all(
    asked.names
      .filter((namespace) => namespace !== home.namespace)
      .map(async (namespace) => {
        const index = await across.open(asked, namespace).catch(() => undefined);
        const found = index === undefined ? [] : await definitionsMeant(index.reader, name);
        return found.filter(({ kind }) => kind !== "section").map((one) => ({ ...one, namespace }));
      }),
  );
  return [...own, ...others.flat()];
}

/** The package of that name, by its manifest. */
async function packageNamed(
  across: AcrossNamespaces,
  asked: AskedNamespaces,
  name: string,
): Promise<MultiTarget | undefined> {
  const { packages } = await across.packages(asked);
  for (const [namespace, { defined }] of packages) {
    const found = defined.find((one) => one.name === name);
    if (found?.manifest === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- the first wins
    const home = await across.open(asked, namespace);
    const target = {
      path: found.manifest,
      startLine: 1,
      endLine: Number.MAX_SAFE_INTEGER,
      symbol: "",
      definition: undefined,
      others: [],
    };
    return { home, target, others: [], isPackage: true };
  }
  return undefined;
}
