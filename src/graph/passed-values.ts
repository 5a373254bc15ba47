// The types of parameters in languages that do not declare them: the types of passed values, as far as they are known.

import { ELEMENT, OF_EXPECTED } from "../base/receiver-marks.ts";
import type { Use } from "../parse/references/references.ts";
import { ofOwnSide } from "./distinctions.ts";
import {
  isType,
  ownerName,
  symbolRef,
  type Entity,
  type ScopedFile,
  type SymbolRef,
  type TypeArguments,
} from "./entity.ts";
import type { EvaluationPlace } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";

/** For more calls, it would take too long to find the values that they pass. */
const MAX_CALLS = 300;

type Found = Promise<Entity | undefined>;

/** The part of the evaluator that is needed here. */
interface Evaluation {
  readonly evaluate: (names: NameResolver, place: EvaluationPlace, text: string) => Found;
  readonly evaluateMember: (
    names: NameResolver,
    place: EvaluationPlace,
    use: Pick<Use, "receiver" | "name">,
  ) => Found;
}

/** Finds what calls pass. */
export class PassedValues {
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  /** Returns what calls pass to a parameter: objects of some types, or classes; undefined if it is unknown. */
  async of(names: NameResolver, callable: SymbolRef, key: string): Found {
    const { callers } = names;
    if (callers === undefined) return undefined;
    const id = `passed ${names.level} ${callable.file.id} ${callable.number} ${key}`;
    return names.context.memo.getOrResolve(id, 0, () => this.#find(callers, callable, key));
  }

  async #find(names: NameResolver, callable: SymbolRef, key: string): Found {
    if (key.startsWith("&")) return this.#yielded(names, callable, Number(key.slice(1)));
    const exact = new Values();
    const byName = new Values();
    for (const { file, use, text } of await possibleCalls(names, callable, key)) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const called = await this.#called(names, file, use);
      const isCalled =
        // oxlint-disable-next-line no-await-in-loop -- as above
        called?.kind === "symbols" && (await calls(names, called.symbols, callable));
      if (!isCalled && called !== undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const value = await this.#evaluation.evaluate(names, { file, owner: use.owner }, text);
      (isCalled ? exact : byName).add(value);
    }
    return exact.entity() ?? byName.entity(1);
  }

  /** Returns what a method passes to a parameter of its block. */
  async #yielded(names: NameResolver, { file, number }: SymbolRef, index: number): Found {
    const found = new Values();
    const files = await names.context.reader.usesOf("yield");
    const uses = files.find(({ path }) => path === file.path)?.uses ?? [];
    for (const use of uses) {
      const text = use.owner === number ? (use.arguments?.split(",")[index] ?? "?") : "?";
      // oxlint-disable-next-line no-await-in-loop -- one or two
      found.add(await this.#evaluation.evaluate(names, { file, owner: number }, text));
    }
    return found.entity();
  }

  /** Returns what is assigned to an instance variable of a class, of its ancestors and of what inherits from it. */
  async assigned(names: NameResolver, type: SymbolRef, name: string): Found {
    const { callers } = names;
    if (callers === undefined) return undefined;
    const id = `assigned ${names.level} ${type.file.id} ${type.number} ${name}`;
    return names.context.memo.getOrResolve(id, 0, () => this.#findAssigned(callers, type, name));
  }

  async #findAssigned(names: NameResolver, type: SymbolRef, name: string): Found {
    const found = new Values();
    const { reader, symbols } = names.context;
    for (const { path, uses } of await reader.usesOf(name)) {
      // oxlint-disable-next-line no-await-in-loop -- mostly cached
      const file = await symbols.file(path);
      for (const { receiver, role, owner, arguments: value = "" } of file === undefined
        ? []
        : uses) {
        if (role !== "value" || value === "") continue;
        const holder = file && symbolRef(file, Number(receiver.slice(1)));
        // oxlint-disable-next-line no-await-in-loop -- as above
        if (file === undefined || holder === undefined || !(await areRelated(names, type, holder)))
          continue;
        // oxlint-disable-next-line no-await-in-loop -- as above
        found.add(await this.#value(names, { file, owner }, value));
      }
    }
    return found.entity();
  }

  /** Returns a value that is assigned, or a collection with a value that is added. */
  async #value(names: NameResolver, place: EvaluationPlace, text: string): Found {
    if (!text.startsWith(ELEMENT)) return this.#evaluation.evaluate(names, place, text);
    const added = await this.#evaluation.evaluate(names, place, text.slice(ELEMENT.length));
    return added?.kind === "instance" ? { ...added, layers: added.layers + 1 } : undefined;
  }

  async #called(names: NameResolver, file: ScopedFile, use: Use): Found {
    const own = symbolRef(file, use.target);
    const { owner, name, receiver } = use;
    if (own !== undefined)
      return { kind: "symbols", symbols: ofOwnSide(own, symbolRef(file, owner)) };
    if (receiver === "?") return undefined;
    return receiver === ""
      ? names.name(file, name, owner)
      : this.#evaluation.evaluateMember(
          names,
          { file, owner },
          { receiver: receiver.endsWith(OF_EXPECTED) ? receiver.slice(0, -1) : receiver, name },
        );
  }
}

async function areRelated(names: NameResolver, one: SymbolRef, other: SymbolRef): Promise<boolean> {
  const [ofOne, ofOther] = await Promise.all([ancestorsOf(names, one), ancestorsOf(names, other)]);
  return ofOne.has(other.facts.qualifiedName) || ofOther.has(one.facts.qualifiedName);
}

/** Returns the qualified names of a type and of all that it inherits from. */
function ancestorsOf(names: NameResolver, type: SymbolRef): Promise<ReadonlySet<string>> {
  const id = `ancestors ${type.file.id} ${type.number}`;
  return names.context.memo.getOrResolve(id, 0, async () => {
    const found = new Set([type.facts.qualifiedName]);
    const queue = [type];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- level by level
      for (const one of await names.types.supertypes(next)) {
        if (one === undefined || found.has(one.facts.qualifiedName)) continue;
        found.add(one.facts.qualifiedName);
        queue.push(one);
      }
    }
    return found;
  });
}

interface Call {
  readonly file: ScopedFile;
  readonly use: Use;
  /** The expression of the argument. */
  readonly text: string;
}

/** Returns the calls of the name of a method that pass something known to a parameter; none if there are too many. */
async function possibleCalls(
  names: NameResolver,
  callable: SymbolRef,
  key: string,
): Promise<readonly Call[]> {
  const found: Call[] = [];
  const { reader, symbols } = names.context;
  for (const { path, uses } of await reader.usesOf(nameOfCalls(callable))) {
    const passing = uses.flatMap((use) => {
      const text = argumentOf(use, key);
      return text === undefined ? [] : [{ use, text }];
    });
    // oxlint-disable-next-line no-await-in-loop -- mostly cached
    const file = passing.length === 0 ? undefined : await symbols.file(path);
    if (file !== undefined) found.push(...passing.map((one) => ({ file, ...one })));
    if (found.length > MAX_CALLS) return [];
  }
  return found;
}

/** Constructors are called by the name of their class. */
function nameOfCalls(callable: SymbolRef): string {
  const { name } = callable.facts;
  return name === "initialize" ? (ownerName(callable).split(".").at(-1) ?? name) : name;
}

/** Returns whether a call of a method, or of `new` of a class, calls a method. */
async function calls(
  names: NameResolver,
  called: readonly SymbolRef[],
  { file, number }: SymbolRef,
): Promise<boolean> {
  const isSame = (ref: SymbolRef): boolean => ref.file === file && ref.number === number;
  if (called.some(isSame)) return true;
  const type = called.find(isType);
  if (type === undefined) return false;
  return (await names.types.members(type, "initialize", 0, "object")).found.some(isSame);
}

/** Returns the expression of an argument; undefined if it is unknown. */
function argumentOf({ role, arguments: passed = "" }: Use, key: string): string | undefined {
  if (role !== "call" || passed === "") return undefined;
  const all = passed.split(",");
  const named = `${key}=`;
  const found = /^\d/.test(key)
    ? all[Number(key)]
    : all.find((one) => one.startsWith(named))?.slice(named.length);
  return found === undefined || found === "?" || /^\w+=/.test(found) ? undefined : found;
}

/** With more types, a member is not looked up in each. */
const MAX_TYPES = 12;

/** Collects the values that an expression may have. */
export class Values {
  readonly #objects: SymbolRef[] = [];
  readonly #classes: SymbolRef[] = [];
  #layers = 0;
  #arguments: TypeArguments | undefined;

  add(value: Entity | undefined): void {
    if (value?.kind === "symbols") addTo(this.#classes, value.symbols.filter(isType).slice(0, 1));
    if (value?.kind !== "instance") return;
    if (this.#objects.length === 0) {
      this.#layers = value.layers;
      this.#arguments = value.arguments;
    }
    if (value.layers === this.#layers)
      addTo(this.#objects, [value.type, ...(value.variants ?? [])]);
  }

  /** Returns a value that is one of them; undefined if none is known, or if there are more than `maxTypes`. */
  entity(maxTypes = MAX_TYPES): Entity | undefined {
    const [type, ...variants] = this.#objects;
    if (this.#objects.length + this.#classes.length > maxTypes) return undefined;
    // There may be others that are not known, so members that none of these has may exist.
    if (type !== undefined) {
      const types = variants.length === 0 ? this.#arguments : undefined;
      const found = { kind: "instance", type, layers: this.#layers, variants } as const;
      return types === undefined ? found : { ...found, arguments: types };
    }
    return this.#classes.length === 0 ? undefined : { kind: "symbols", symbols: this.#classes };
  }
}

function addTo(all: SymbolRef[], refs: readonly SymbolRef[]): void {
  for (const ref of refs) {
    if (!all.some(({ file, number }) => file === ref.file && number === ref.number)) all.push(ref);
  }
}
