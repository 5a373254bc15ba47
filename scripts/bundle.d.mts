/** Paths from the root of all files of which something is in the program or its page; writes nothing. */
export function bundledFiles(): Promise<readonly string[]>;
