// Name matching of symbol monitors.

/** Whether a qualified name equals the requested one or ends in it. */
export function matchesSymbolName(question: string, qualifiedName: string): boolean {
  if (qualifiedName === question) return true;
  const before = qualifiedName.charAt(qualifiedName.length - question.length - 1);
  return qualifiedName.endsWith(question) && /[.:#> ]/.test(before);
}

/** The last part of a qualified name, as uses of it are written. */
export function unqualifiedName(question: string): string {
  return question.slice(Math.max(...[".", ":", "#"].map((one) => question.lastIndexOf(one))) + 1);
}
