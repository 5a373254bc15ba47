// Lexical scopes of a file, and the names that are declared in them.
import type { ScopeKind } from "../languages/reference-rules.ts";

/** Determines the type of a local. It is evaluated only when the local is used. */
export interface Origin {
  /** Node of the declared type; -1 if there is none. */
  readonly type: number;
  /** Node of the initial value; -1 if there is none. */
  readonly value: number;
  /** Steps from the value to the local, such as `.name` and `[]`; "?" is an unknown step. */
  readonly steps: readonly string[];
  /** Index of the parameter that the local is, or is a part of; -1 if it is not one. */
  readonly parameter: number;
  /** Node of the parameter's function. */
  readonly callable: number;
}

/** A name that is declared in a scope: a local variable, a symbol, or an imported name. */
export interface LocalVariable {
  readonly name: string;
  readonly scope: LexicalScope;
  /** The node that declares it. */
  readonly node: number;
  /** First node from which it is visible, if order matters. */
  readonly from: number;
  /** Number of its symbol; -1 if it is not one. */
  readonly symbol: number;
  /** Number of the import that binds it; -1 if there is none. */
  readonly binding: number;
  /** Its name in the import; "" without an import. */
  readonly imported: string;
  readonly origin: Origin | undefined;
  /** The previous declaration of the same name in the same scope. */
  readonly previous: LocalVariable | undefined;
  /** Its expression, once it has been evaluated. */
  expression: string | undefined;
  isBeingRead: boolean;
}

/** A scope of a file. */
export interface LexicalScope {
  /** Undefined for the file's outermost scope. */
  readonly kind: ScopeKind | undefined;
  /** The node that opens it. */
  readonly node: number;
  readonly parent: LexicalScope | undefined;
  readonly locals: Map<string, LocalVariable>;
  /** Fields of the type that exist because they are assigned; undefined as long as there are none. */
  fields: Map<string, Origin> | undefined;
  /** The leaves of the variables whose members an import makes visible; undefined as long as there are none. */
  opened: number[] | undefined;
}

/** Returns an empty scope. */
export function openScope(
  kind: ScopeKind | undefined,
  node: number,
  parent: LexicalScope | undefined,
): LexicalScope {
  return { kind, node, parent, locals: new Map(), fields: undefined, opened: undefined };
}

/** The visibility rules of a language; see `ReferenceRules`. */
export interface Visibility {
  readonly members: "none" | "body" | "all";
  readonly isSequential: boolean;
  /** Returns whether a local can be meant. Undefined if all can. */
  readonly accepts?: ((local: LocalVariable) => boolean) | undefined;
}

/** Returns the local that a name refers to at a node; undefined if the file does not declare it. */
export function resolveLocal(
  name: string,
  at: { readonly scope: LexicalScope; readonly node: number },
  { members, isSequential, accepts }: Visibility,
): LocalVariable | undefined {
  let isInFunction = false;
  for (let scope: LexicalScope | undefined = at.scope; scope !== undefined; scope = scope.parent) {
    const local = scope.locals.get(name);
    if (local !== undefined && !(isInFunction && scope.kind === "type" && members === "body")) {
      const accepted = accepts === undefined ? local : lastAccepted(accepts, local);
      const visible = accepted && visibleAt(accepted, at.node, isSequential);
      if (visible !== undefined) return visible;
    }
    isInFunction ||= scope.kind === "function";
  }
  return undefined;
}

function lastAccepted(
  accepts: (local: LocalVariable) => boolean,
  last: LocalVariable,
): LocalVariable | undefined {
  let local: LocalVariable | undefined = last;
  while (local !== undefined && !accepts(local)) local = local.previous;
  return local;
}

/**
 * Returns the last declaration before the node. Symbols are visible everywhere, and so are locals in
 * languages without sequential declarations.
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

/** Returns the innermost enclosing scope of that kind, or the scope itself. */
export function enclosing(scope: LexicalScope, kind: ScopeKind): LexicalScope | undefined {
  let around: LexicalScope | undefined = scope;
  while (around !== undefined && around.kind !== kind) around = around.parent;
  return around;
}
