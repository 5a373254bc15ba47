import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** A namespace is a folder. Windows has devices of these names, with any ending, and removes a dot at the end. */
const NO_FOLDER_ON_WINDOWS = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$/;

export function isNamespaceName(name: string, platform = process.platform): boolean {
  return NAME.test(name) && !(platform === "win32" && NO_FOLDER_ON_WINDOWS.test(name));
}

/** Returns `name` if it is a valid namespace name; otherwise throws USAGE. */
export function requireNamespaceName(name: string, platform = process.platform): string {
  if (isNamespaceName(name, platform)) return name;
  const devices =
    " On Windows it cannot be a device name, such as `con` or `nul`, or end with a dot.";
  throw new SvcError("USAGE", `"${name}" is not a namespace name.`, {
    hint: `Use 1 to 64 of a-z, 0-9, \`.\`, \`_\` and \`-\`, beginning with a letter or digit.${platform === "win32" ? devices : ""}`,
  });
}

/** Derives a namespace name from a folder's name: lower case, other characters become `-`. */
export function namespaceNameFor(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 64);
  return name === "" ? "workspace" : name;
}

/**
 * The same error for a namespace that does not exist and one that the caller may not access, so that a caller
 * cannot probe for names. `visible` are the namespaces that the caller may access.
 */
export function namespaceNotFound(namespace: string, visible: readonly string[] = []): SvcError {
  const near = closestWord(namespace, visible);
  const guess = near === undefined ? "" : `Did you mean "${near}"? `;
  return new SvcError("NAMESPACE_NOT_FOUND", `There is no namespace "${namespace}".`, {
    hint: `${guess}\`index_status\` (or \`svc status\`) lists the namespaces you can use.`,
  });
}

/** The error for a call without a namespace by a caller with several namespaces, none of which is the default. */
export function noNamespaceNamed(): SvcError {
  return new SvcError("NAMESPACE_NOT_FOUND", "The call names no namespace.", {
    hint: "The credential covers several namespaces; choose one, or search all with `*`. `index_status` or `GET /v1/namespaces` lists them.",
  });
}
