import { namespaceNameFor } from "../../sources/namespace.ts";
import type { InstalledPackage } from "./installed-package.ts";

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * Returns the names that the namespace of a package may have, in the order of preference: `npm-undici-6.21.0`, which a user
 * can guess, then the same with a hash, for another content of the same version. `@types/node` is `types__node`, as in
 * DefinitelyTyped.
 */
export function dependencyNames(
  { ecosystem, name, version }: Pick<InstalledPackage, "ecosystem" | "name" | "version">,
  hash: string,
): readonly [string, string] {
  const flat = name.replace(/^@/, "").replaceAll("/", ecosystem === "npm" ? "__" : "_");
  const whole = `${ecosystem}-${flat}-${version}`;
  const plain = namespaceNameFor(whole);
  const marked = `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}-${hash.slice(0, HASH_LENGTH)}`;
  // A name that was cut may be that of another package too.
  return whole.length > MAX_LENGTH ? [marked, marked] : [plain, marked];
}
