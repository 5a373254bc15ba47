// Modules of Ruby that code adds to classes outside of their bodies: `Session.include(Logging)`, `base.extend(ClassMethods)`
// in `self.included(base)`, and `include(filter)` in a method of the class.

import type { Use } from "../parse/references/references.ts";
import { sideIn } from "./distinctions.ts";
import {
  isType,
  ownerName,
  symbolRef,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import type { Mixins } from "./graph-ports.ts";
import type { NameResolver } from "./name-resolver.ts";

const METHODS = ["include", "extend", "prepend"];
/** Ruby calls these methods of a module or class with who includes it or inherits from it. */
const HOOK = /^(?:included|extended|prepended|inherited)$/;
/** By convention, the module with the methods of the class that includes the module around it. */
const CLASS_METHODS = "ClassMethods";

/** A parameter of a definition. */
const PARAMETER = /^#(\d+)\{/;
/** Methods of one name, of whose parameters the values are looked for. */
const MAX_METHODS = 8;
/** `self.class` of a definition. */
const OWN_CLASS = /^#\d+\.class\(\)$/;

type ModulesOfType = Map<string, SymbolRef[]>;

interface AddedModules {
  /** By the qualified name of the type to which they are added. */
  readonly direct: ModulesOfType;
  /** By the qualified name of the module with the hook that adds them to each class that includes it. */
  readonly byHook: ModulesOfType;
}

/** Finds the modules that a type has beyond those that its body names. One instance per index generation. */
export class RubyMixins implements Mixins {
  readonly #names: NameResolver;
  #added: Promise<AddedModules> | undefined;

  /** `names`: a resolver that knows no such modules, because it is needed to find them. */
  constructor(names: NameResolver) {
    this.#names = names;
  }

  /** Returns the modules that are added to a type. `bases`: what its body says that it inherits from. */
  async of(
    { facts }: SymbolRef,
    bases: readonly (SymbolRef | undefined)[],
  ): Promise<readonly SymbolRef[]> {
    this.#added ??= this.#find();
    const { direct, byHook } = await this.#added;
    return [
      ...(direct.get(facts.qualifiedName) ?? []),
      ...bases.flatMap((base) =>
        base === undefined
          ? []
          : [...(byHook.get(base.facts.qualifiedName) ?? []), ...classMethodsIn(base)],
      ),
    ];
  }

  async #find(): Promise<AddedModules> {
    const added: AddedModules = { direct: new Map(), byHook: new Map() };
    const { reader, symbols } = this.#names.context;
    for (const name of METHODS) {
      // oxlint-disable-next-line no-await-in-loop -- three
      for (const { path, uses } of await reader.usesOf(name)) {
        const passing = uses.filter(({ role, arguments: passed }) => role === "call" && passed);
        // oxlint-disable-next-line no-await-in-loop -- mostly cached
        const file = passing.length === 0 ? undefined : await symbols.file(path);
        if (file?.language !== "ruby") continue;
        for (const use of passing) {
          // oxlint-disable-next-line no-await-in-loop -- each needs a file or two
          await this.#add(added, file, use);
        }
      }
    }
    return added;
  }

  async #add({ direct, byHook }: AddedModules, file: ScopedFile, use: Use): Promise<void> {
    const hooked = hookOf(file, use);
    const known = hooked ?? classAround(file, use);
    if (known === undefined && (use.receiver === "" || isObject(use.receiver))) return;
    // Before the receiver, which may lead through many calls: what is passed is mostly a name.
    const modules = await this.#passed(file, use);
    if (modules.length === 0) return;
    const types = known === undefined ? await this.#receivers(file, use) : [known];
    const all = hooked === undefined ? direct : byHook;
    for (const { facts } of types) {
      const { qualifiedName } = facts;
      const added = all.get(qualifiedName) ?? [];
      all.set(qualifiedName, added);
      for (const one of modules) {
        // A class is often opened, and the same call made, in several files.
        const isKnown = added.some(
          ({ file: { path }, number }) => path === one.file.path && number === one.number,
        );
        if (!isKnown && one.facts.qualifiedName !== qualifiedName) added.push(one);
      }
    }
  }

  /** Returns the modules that a call passes. */
  async #passed(file: ScopedFile, { owner, arguments: passed = "" }: Use): Promise<SymbolRef[]> {
    const modules: SymbolRef[] = [];
    for (const text of passed.split(",")) {
      // oxlint-disable-next-line no-await-in-loop -- mostly one
      if (!(await this.#isWorthEvaluating(file, text))) continue;
      // oxlint-disable-next-line no-await-in-loop -- as above
      modules.push(...modulesOf(await evaluateReceiver(this.#names, { file, owner }, text)));
    }
    return modules;
  }

  /**
   * Returns false for objects and for what a method returns: such modules are made while the program runs. Of a method whose
   * name many have, it takes too long to find out what its callers pass.
   */
  async #isWorthEvaluating(file: ScopedFile, text: string): Promise<boolean> {
    if (text.startsWith("@") || text.includes("(")) return false;
    const [, number] = PARAMETER.exec(text) ?? [];
    const method = number === undefined ? undefined : symbolRef(file, Number(number));
    if (method === undefined) return true;
    const { reader } = this.#names.context;
    return (await reader.definitionsOf(method.facts.name)) <= MAX_METHODS;
  }

  /** Returns the classes and modules of which a call asks for more modules. */
  async #receivers(file: ScopedFile, { receiver, owner }: Use): Promise<readonly SymbolRef[]> {
    const entity = await evaluateReceiver(this.#names, { file, owner }, receiver);
    return entity?.kind === "symbols" ? entity.symbols.filter(isType) : [];
  }
}

/** Returns the class to which a call in one of its own methods adds modules: `def self.with(filter) = include(filter)`. */
function classAround(file: ScopedFile, { receiver, owner, target }: Use): SymbolRef | undefined {
  const method = symbolRef(file, owner);
  if (receiver !== "" || target !== -1 || method === undefined || sideIn(method) !== "class")
    return undefined;
  return symbolsIn(file, ownerName(method)).find(isType);
}

/** Returns the module whose hook has the call: `base.extend(ClassMethods)`. */
function hookOf(file: ScopedFile, { receiver }: Use): SymbolRef | undefined {
  const [, number] = /^#(\d+)\{0\}$/.exec(receiver) ?? [];
  const method = number === undefined ? undefined : symbolRef(file, Number(number));
  if (method === undefined || !HOOK.test(method.facts.name)) return undefined;
  return symbolsIn(file, ownerName(method)).find(isType);
}

/** Returns whether a receiver is an object, to which alone something is added: `Session.new`, `connection`, `@session`. */
function isObject(receiver: string): boolean {
  return (receiver.startsWith("@") || receiver.includes("(")) && !OWN_CLASS.test(receiver);
}

function modulesOf(entity: Entity | undefined): readonly SymbolRef[] {
  const symbols = entity?.kind === "symbols" ? entity.symbols : [];
  return symbols.filter(({ facts }) => facts.kind === "module");
}

function classMethodsIn({ file, facts }: SymbolRef): readonly SymbolRef[] {
  if (facts.kind !== "module") return [];
  return symbolsIn(file, `${facts.qualifiedName}.${CLASS_METHODS}`).filter(isType);
}
