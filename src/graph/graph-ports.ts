// What the graph of a project reads: its index, the rules for modules, and the projects to which imports lead.

import type { Binding, Import } from "../parse/references/references.ts";
import type { IndexReader } from "../index/port.ts";
import type { Side } from "./distinctions.ts";
import type { Entity, ScopedFile, SymbolRef } from "./entity.ts";
import type { ModuleResolver } from "./modules/module-resolver.ts";

/** The parts of an index that the graph reads. */
export type GraphReader = Pick<
  IndexReader,
  | "definitionsOf"
  | "factsOf"
  | "importersOf"
  | "importsOf"
  | "includesOf"
  | "inheritsOf"
  | "referencesOf"
  | "scopeOf"
  | "symbolsNamed"
  | "usesOf"
>;

/** What the graph asks the rules for modules. */
export type ModuleRules = Pick<
  ModuleResolver,
  "resolve" | "siblingsOf" | "sharedImportsOf" | "lastPartsOf" | "packageImportOf"
>;

/** Finds the modules that code adds to a type outside of its body. */
export interface Mixins {
  /** `bases`: what the body says that the type inherits from. */
  readonly of: (
    type: SymbolRef,
    bases: readonly (SymbolRef | undefined)[],
  ) => Promise<readonly SymbolRef[]>;
}

type Resolved = Promise<Entity | undefined>;

/** How another project resolves the names in its files: see `NameResolver`. */
interface OtherNames {
  readonly context: {
    readonly symbols: { readonly file: (path: string) => Promise<ScopedFile | undefined> };
  };
  readonly name: (file: ScopedFile, name: string, owner: number, steps: number) => Resolved;
  readonly rooted: (
    file: ScopedFile,
    path: readonly string[],
  ) => { readonly entity: Entity; readonly taken: number } | undefined;
  readonly within: (entity: Entity, name: string, steps: number) => Resolved;
  readonly exports: {
    readonly bound: (
      file: ScopedFile,
      one: { readonly import: Pick<Import, "module">; readonly binding: Binding },
      steps: number,
    ) => Resolved;
    readonly exported: (path: string, name: string, steps: number) => Resolved;
  };
  readonly types: {
    readonly members: (
      type: SymbolRef,
      name: string,
      steps: number,
      side?: Side,
    ) => Promise<{ readonly found: readonly SymbolRef[]; readonly isComplete: boolean }>;
    readonly supertypes: (
      type: SymbolRef,
      steps: number,
    ) => Promise<readonly (SymbolRef | undefined)[]>;
  };
}

/** Another project, to which names of this one lead. */
export interface OtherProject {
  readonly names: OtherNames;
  readonly uses: { readonly otherNamesOf: (wanted: SymbolRef) => Promise<ReadonlySet<string>> };
  readonly types: {
    readonly familyOf: (wanted: SymbolRef) => Promise<{ readonly all: readonly SymbolRef[] }>;
  };
}

/** Returns the project that a file is in; undefined if it is the project that asks. */
export type FindProject = (path: string) => OtherProject | undefined;
