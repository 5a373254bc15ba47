/** The first 12 hexadecimal digits of the text's SHA-256: a short name for a long text. */
export function shortHash(text: string): string {
  // Loaded here, not at the top: it takes 10 ms, and the stdio start-up path does not need it.
  return process.getBuiltinModule("node:crypto").hash("sha256", text).slice(0, 12);
}
