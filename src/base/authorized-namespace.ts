declare const authorized: unique symbol;

/**
 * An existing namespace that a caller may access; required to read an index. Only `Principal.authorize` creates
 * one.
 */
export type AuthorizedNamespace = string & { readonly [authorized]: true };
