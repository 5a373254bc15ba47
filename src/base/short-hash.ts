/** The first 12 hexadecimal digits of the SHA-256 of the text: a name for what is too long to be one. */
export function shortHash(text: string): string {
  // Loaded here and not at the top: it takes 10 ms, and the stdio start-up path has no use for it.
  return process.getBuiltinModule("node:crypto").hash("sha256", text).slice(0, 12);
}
