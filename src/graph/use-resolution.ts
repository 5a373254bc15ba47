// What a use means.

import type { SymbolRef } from "./entity.ts";

/** The result of resolving a use. */
export type UseResolution =
  /** Resolved through scopes, imports and types. */
  | {
      readonly kind: "exact";
      readonly symbols: readonly SymbolRef[];
      /** A call through `super`: none of what overrides the definition. */
      readonly isOfBase?: true;
    }
  /** One of these overloads: which one is not proved. `isByName`: it need not be any of them. */
  | {
      readonly kind: "overloads";
      readonly symbols: readonly SymbolRef[];
      readonly isByName?: true;
    }
  /** The use refers to a module. */
  | { readonly kind: "module"; readonly files: readonly string[] }
  | { readonly kind: "outside" }
  /** Only the name is known. `isMember`: whether it is a member's name, undefined if unknown. */
  | { readonly kind: "name"; readonly isMember: boolean | undefined };
