/** What a layer that makes no connections may import of built-ins that do: listening, and parsing of texts. */
export const LISTENING: Readonly<Record<string, readonly string[]>> = {
  "node:http": ["createServer", "STATUS_CODES"],
  "node:https": ["createServer"],
  "node:net": ["isIP"],
  "node:tls": ["createSecureContext"],
};

/** More for single files: a socket over standard input is open already and connects to nothing. */
export const LISTENING_FILES: Readonly<Record<string, typeof LISTENING>> = {
  "transports/process-streams.ts": { "node:net": ["Socket"] },
};
