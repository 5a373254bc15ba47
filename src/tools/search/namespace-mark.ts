/** Returns what marks a result of a search of several namespaces: two spaces and `[gin]`; otherwise "". */
export function namespaceMark({ namespace }: { readonly namespace?: string | undefined }): string {
  return namespace === undefined ? "" : `  [${namespace}]`;
}
