// What the programs in oracles/ print for a project, one fact a line, its parts between tabs:
//   definition KEY KIND NAME CONTAINER PLACE   lines of one key are one definition: overloads, parts of a class
//   use KEY PLACE, import KEY PLACE            the name at a place refers to the definition of the key
//   overrides KEY KEY                          a use of one is also one of the other
//   unknown NAME PLACE                         it is not known what the name means there
//   unjudged KEY PLACE                         whether this is a use of the definition is not judged
// A place is `path:line:column`.
import {
  inOrder,
  KINDS_OF_DEFINITION,
  type KindOfDefinition,
  type TruePlace,
  type TrueReference,
  type Truth,
} from "./truth.ts";

interface Facts {
  readonly definitions: Map<string, readonly string[][]>;
  readonly uses: Map<string, readonly string[][]>;
  readonly relatives: ReadonlyMap<string, ReadonlySet<string>>;
  readonly unknown: Map<string, readonly string[][]>;
  readonly unjudged: Map<string, readonly string[][]>;
}

/** The definitions in paths that match `sources`, with all their references. */
export function truthsOf(text: string, sources: string): readonly Truth[] {
  const facts = parseFacts(text);
  const isSampled = new RegExp(sources);
  return [...facts.definitions].flatMap(([key, lines]) => {
    const [, , kind = "", name = "", container = "", place = ""] = lines[0] ?? [];
    const at = placeOf(place);
    if (!isSampled.test(at.path)) return [];
    const references = inOrder([...referencesOf(facts, key, name).values()]);
    return [{ ...at, name, kind: kindOf(kind), container, references }];
  });
}

function parseFacts(text: string): Facts {
  const facts = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
  const byKey = (...kinds: readonly string[]): Map<string, string[][]> =>
    Map.groupBy(
      facts.filter(([kind = ""]) => kinds.includes(kind)),
      ([, key = ""]) => key,
    );
  const relatives = new Map<string, Set<string>>();
  for (const [kind, one = "", other = ""] of facts) {
    if (kind !== "overrides") continue;
    relatives.set(one, (relatives.get(one) ?? new Set()).add(other));
    relatives.set(other, (relatives.get(other) ?? new Set()).add(one));
  }
  return {
    definitions: byKey("definition"),
    uses: byKey("use", "import"),
    relatives,
    unknown: byKey("unknown"),
    unjudged: byKey("unjudged"),
  };
}

function referencesOf(
  { definitions, uses, relatives, unknown, unjudged }: Facts,
  key: string,
  name: string,
): ReadonlyMap<string, TrueReference> {
  const found = new Map<string, TrueReference>();
  const add = (lines: readonly string[][] = [], flags: Partial<TrueReference> = {}): void => {
    for (const line of lines) {
      const place = line.at(-1) ?? "";
      if (found.has(place)) continue;
      const isImport = line[0] === "import";
      found.set(place, {
        ...placeOf(place),
        isDefinition: false,
        isImport,
        isDirect: true,
        ...flags,
      });
    }
  };
  add(definitions.get(key), { isDefinition: true });
  add(uses.get(key));
  for (const other of relatives.get(key) ?? []) {
    add(uses.get(other), { isDirect: false });
    add(definitions.get(other), { isDefinition: true, isDirect: false });
  }
  // The line of a setter has the name without its sign.
  for (const lines of [unknown.get(name.replace(/(?<=\w)=$/, "")), unjudged.get(key)])
    add(lines, { isUnknown: true });
  return found;
}

function kindOf(text: string): KindOfDefinition {
  const kind = KINDS_OF_DEFINITION.find((one) => one === text);
  if (kind === undefined) throw new Error(`the program in oracles/ printed the kind ${text}`);
  return kind;
}

function placeOf(text: string): TruePlace {
  const [, path = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(text) ?? [];
  return { path, line: Number(line), column: Number(column) };
}
