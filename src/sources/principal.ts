import { namespaceNotFound } from "./namespace.ts";

declare const authorized: unique symbol;

/** A namespace that is there and that a caller may see: what opens an index. Only `Principal.authorize` makes one. */
export type AuthorizedNamespace = string & { readonly [authorized]: true };

interface PrincipalOptions {
  /** Id of the credential, `local` for the owner of the machine; safe to log. */
  readonly id: string;
  /** Namespaces the caller may name; `all` is every namespace on this machine. */
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
}

/**
 * Who asks: what the owner of a verified credential may see and do. The private field makes the type
 * nominal, and scripts/check-layers.ts lets the authorisation code alone construct one: nothing else
 * can stand in for a caller, or open an index that no caller was granted.
 */
export class Principal {
  readonly id: string;
  readonly readOnly: boolean;
  readonly #namespaces: "all" | ReadonlySet<string>;

  constructor({ id, namespaces, readOnly }: PrincipalOptions) {
    this.id = id;
    this.readOnly = readOnly;
    this.#namespaces = namespaces === "all" ? namespaces : new Set(namespaces);
  }

  /** True for who may name any namespace, and so make new ones. */
  get isUnrestricted(): boolean {
    return this.#namespaces === "all";
  }

  /** The namespace of who may see a single one: what is meant by a call that names none. */
  get onlyNamespace(): string | undefined {
    if (this.#namespaces === "all" || this.#namespaces.size !== 1) return undefined;
    const [only] = this.#namespaces;
    return only;
  }

  /** Equal for two callers only if both may see and do the same and are the same owner; nothing secret. */
  get rightsKey(): string {
    const names = this.#namespaces === "all" ? "all" : [...this.#namespaces].toSorted();
    return JSON.stringify([this.id, names, this.readOnly]);
  }

  canAccess(namespace: string): boolean {
    return this.#namespaces === "all" || this.#namespaces.has(namespace);
  }

  /** Throws NAMESPACE_NOT_FOUND, and the same one whether it is not there or not the caller's. */
  authorize(
    namespace: string,
    exists: (namespace: string) => boolean,
    all: () => readonly string[] = () => [],
  ): AuthorizedNamespace {
    // Looked for in either case: an answer that takes longer would tell that it is there.
    const isThere = exists(namespace);
    if (!isThere || !this.canAccess(namespace)) {
      const visible = all().filter((name) => this.canAccess(name));
      throw namespaceNotFound(namespace, visible);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that grants
    return namespace as AuthorizedNamespace;
  }
}

/** The user at the terminal: owner of everything on this machine. */
export function localOwner({
  readOnly = false,
}: Partial<Pick<Principal, "readOnly">> = {}): Principal {
  return new Principal({ id: "local", namespaces: "all", readOnly });
}

/** Whoever has a key of the model provider: it says nothing of who that is, and lets read one namespace. */
export function providerKeyPrincipal(namespace: string): Principal {
  return new Principal({ id: "byok", namespaces: [namespace], readOnly: true });
}
