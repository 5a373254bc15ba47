// Which names a monitor of a symbol means.

/** Whether a qualified name is the one that is asked for, or ends in it. */
export function matchesSymbolName(question: string, qualifiedName: string): boolean {
  if (qualifiedName === question) return true;
  const before = qualifiedName.charAt(qualifiedName.length - question.length - 1);
  return qualifiedName.endsWith(question) && /[.:#> ]/.test(before);
}

/** The name that uses of it have. */
export function unqualifiedName(question: string): string {
  return question.slice(Math.max(...[".", ":", "#"].map((one) => question.lastIndexOf(one))) + 1);
}
