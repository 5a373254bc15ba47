import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import { namespaceNotFound } from "./namespace.ts";

interface PrincipalOptions {
  /** Id of the credential; `local` for the owner of the machine. Safe to log. */
  readonly id: string;
  /** Namespaces that the caller may use; `all` is every namespace on this machine. */
  readonly namespaces: "all" | readonly string[];
  readonly readOnly: boolean;
}

/**
 * The caller: the rights of a verified credential. The private field makes the type nominal, and
 * scripts/check-layers.ts lets only the authorisation code construct one. No other code can impersonate a
 * caller or open an index without authorisation.
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

  /** True if the caller may use any namespace, and so create new ones. */
  get isUnrestricted(): boolean {
    return this.#namespaces === "all";
  }

  /** The caller's only namespace, used for a call that names none; undefined for no or several namespaces. */
  get onlyNamespace(): string | undefined {
    if (this.#namespaces === "all" || this.#namespaces.size !== 1) return undefined;
    const [only] = this.#namespaces;
    return only;
  }

  /** Equal for two callers only if they are the same owner with the same rights; contains no secret. */
  get rightsKey(): string {
    const names = this.#namespaces === "all" ? "all" : [...this.#namespaces].toSorted();
    return JSON.stringify([this.id, names, this.readOnly]);
  }

  canAccess(namespace: string): boolean {
    return this.#namespaces === "all" || this.#namespaces.has(namespace);
  }

  /**
   * Returns the namespace for opening its index. Throws the same NAMESPACE_NOT_FOUND whether it does not exist
   * or the caller may not access it.
   */
  authorize(
    namespace: string,
    exists: (namespace: string) => boolean,
    all: () => readonly string[] = () => [],
  ): AuthorizedNamespace {
    // Checked in either case: a slower answer would reveal that it exists.
    const isFound = exists(namespace);
    if (!isFound || !this.canAccess(namespace)) {
      const visible = all().filter((name) => this.canAccess(name));
      throw namespaceNotFound(namespace, visible);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that grants
    return namespace as AuthorizedNamespace;
  }
}

/** The user at the terminal, who owns everything on this machine. */
export function localOwner({
  readOnly = false,
}: Partial<Pick<Principal, "readOnly">> = {}): Principal {
  return new Principal({ id: "local", namespaces: "all", readOnly });
}

/**
 * A caller with only a key of the model provider. The key does not identify the caller and allows reading one
 * namespace.
 */
export function providerKeyPrincipal(namespace: string): Principal {
  return new Principal({ id: "byok", namespaces: [namespace], readOnly: true });
}
