// The namespaces that a search names: one, several, or all that its caller may use. No name contains the signs.

const ALL = "*";
const SEPARATOR = ",";

/** What a search names: a list of two or more names or of one with a comma, or all namespaces. */
export type NamespaceList = "all" | readonly string[];

/**
 * Returns the namespaces in `gin,flask`, without repetitions, and "all" for `*`; undefined for the name of one namespace
 * and without any.
 */
export function namespaceListOf(text: string | undefined): NamespaceList | undefined {
  if (text === undefined) return undefined;
  const names = text.split(SEPARATOR).map((name) => name.trim());
  if (names.includes(ALL)) return "all";
  if (names.length === 1) return undefined;
  return [...new Set(names.filter((name) => name !== ""))];
}

/** Returns what a message says of the namespaces that `text` names: `"gin"`, `"gin" or "flask"`, `any namespace`. */
export function namespaceWords(text: string): string {
  const list = namespaceListOf(text) ?? [text];
  return list === "all" ? "any namespace" : list.map((name) => `"${name}"`).join(" or ");
}

/** Returns the text that names these namespaces. */
export function namespaceListText(list: NamespaceList): string {
  return list === "all" ? ALL : list.join(SEPARATOR);
}
