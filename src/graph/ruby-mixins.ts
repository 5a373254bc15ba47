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
    const types = hooked === undefined ? await this.#extended(file, use) : [hooked];
    if (types.length === 0) return;
    for (const text of use.arguments?.split(",") ?? []) {
      // oxlint-disable-next-line no-await-in-loop -- mostly one
      const passed = await evaluateReceiver(this.#names, { file, owner: use.owner }, text);
      for (const type of types) {
        const { qualifiedName } = type.facts;
        const all = hooked === undefined ? direct : byHook;
        const others = modulesOf(passed).filter(
          ({ facts }) => facts.qualifiedName !== qualifiedName,
        );
        all.set(qualifiedName, [...(all.get(qualifiedName) ?? []), ...others]);
      }
    }
  }

  /** Returns the classes and modules that a call adds modules to. */
  async #extended(
    file: ScopedFile,
    { receiver, owner, target }: Use,
  ): Promise<readonly SymbolRef[]> {
    if (receiver === "") {
      const method = symbolRef(file, owner);
      if (target !== -1 || method === undefined || sideIn(method) !== "class") return [];
      return symbolsIn(file, ownerName(method)).filter(isType).slice(0, 1);
    }
    const entity = await evaluateReceiver(this.#names, { file, owner }, receiver);
    return entity?.kind === "symbols" ? entity.symbols.filter(isType) : [];
  }
}

/** Returns the module whose hook has the call: `base.extend(ClassMethods)`. */
function hookOf(file: ScopedFile, { receiver }: Use): SymbolRef | undefined {
  const [, number] = /^#(\d+)\{0\}$/.exec(receiver) ?? [];
  const method = number === undefined ? undefined : symbolRef(file, Number(number));
  if (method === undefined || !HOOK.test(method.facts.name)) return undefined;
  return symbolsIn(file, ownerName(method)).find(isType);
}

function modulesOf(entity: Entity | undefined): readonly SymbolRef[] {
  const symbols = entity?.kind === "symbols" ? entity.symbols : [];
  return symbols.filter(({ facts }) => facts.kind === "module");
}

function classMethodsIn({ file, facts }: SymbolRef): readonly SymbolRef[] {
  if (facts.kind !== "module") return [];
  return symbolsIn(file, `${facts.qualifiedName}.${CLASS_METHODS}`).filter(isType);
}
