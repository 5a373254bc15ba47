// Scopes of a file and what is declared in them.
import type { ScopeKind } from "../languages/reference-rules.ts";

/** From what the type of a local can be told; read only when somebody uses the local. */
export interface Origin {
  /** Node of the type it is declared with; -1 for none. */
  readonly type: number;
  /** Node of the value it is set to; -1 for none. */
  readonly value: number;
  /** Steps from there to the local, each with its sign: `.name`, `[]`; "?" for somewhere unknown. */
  readonly steps: readonly string[];
  /** Number of the parameter that the local is, or is a part of; -1 when it is none. */
  readonly parameter: number;
  /** Node of the function of the parameter. */
  readonly callable: number;
}

export interface LocalVariable {
  readonly name: string;
  readonly scope: LexicalScope;
  /** Node at which it is declared. */
  readonly node: number;
  /** First node from which it is visible, where that is a question of order. */
  readonly from: number;
  /** Number of the symbol that it is; -1 when it is none. */
  readonly symbol: number;
  /** Number of the import that binds it; -1 when none does. */
  readonly binding: number;
  /** What the import calls it; "" without an import. */
  readonly imported: string;
  readonly origin: Origin | undefined;
  /** The one of the same name in the same scope before it. */
  readonly previous: LocalVariable | undefined;
  /** What it is as an expression, once that is known. */
  expression: string | undefined;
  isBeingRead: boolean;
}

export interface LexicalScope {
  /** Undefined for the file. */
  readonly kind: ScopeKind | undefined;
  /** The node that opens it. */
  readonly node: number;
  readonly parent: LexicalScope | undefined;
  readonly locals: Map<string, LocalVariable>;
  /** Fields of the type that are declared by being set. */
  readonly fields: Map<string, Origin>;
}

export function openScope(
  kind: ScopeKind | undefined,
  node: number,
  parent: LexicalScope | undefined,
): LexicalScope {
  return { kind, node, parent, locals: new Map(), fields: new Map() };
}

/** How names are looked up; see `ReferenceRules`. */
export interface Visibility {
  readonly members: "none" | "body" | "all";
  readonly isSequential: boolean;
  /** Whether the local can be meant; undefined when each can. */
  readonly fits?: ((local: LocalVariable) => boolean) | undefined;
}

/** What a name stands for at a node in the scope; undefined when nothing of this file declares it. */
export function resolveLocal(
  name: string,
  at: { readonly scope: LexicalScope; readonly node: number },
  { members, isSequential, fits }: Visibility,
): LocalVariable | undefined {
  let isInFunction = false;
  for (let scope: LexicalScope | undefined = at.scope; scope !== undefined; scope = scope.parent) {
    const local = scope.locals.get(name);
    if (local !== undefined && !(isInFunction && scope.kind === "type" && members === "body")) {
      const fitting = fits === undefined ? local : firstThat(fits, local);
      const visible = fitting && visibleAt(fitting, at.node, isSequential);
      if (visible !== undefined) return visible;
    }
    isInFunction ||= scope.kind === "function";
  }
  return undefined;
}

function firstThat(
  fits: (local: LocalVariable) => boolean,
  last: LocalVariable,
): LocalVariable | undefined {
  let local: LocalVariable | undefined = last;
  while (local !== undefined && !fits(local)) local = local.previous;
  return local;
}

/**
 * The last declaration before the node. Definitions are seen from everywhere, as are all locals where order
 * plays no part.
 */
function visibleAt(
  last: LocalVariable,
  node: number,
  isSequential: boolean,
): LocalVariable | undefined {
  let local: LocalVariable | undefined = last;
  let first: LocalVariable = last;
  while (local !== undefined && local.from > node) {
    first = local;
    local = local.previous;
  }
  if (local !== undefined) return local;
  return isSequential && first.symbol === -1 ? undefined : first;
}

export function enclosing(scope: LexicalScope, kind: ScopeKind): LexicalScope | undefined {
  let around: LexicalScope | undefined = scope;
  while (around !== undefined && around.kind !== kind) around = around.parent;
  return around;
}
