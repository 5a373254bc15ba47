import { hostname } from "node:os";
import { sep } from "node:path";

import type { Io } from "../io.ts";

const ESCAPE = "\u001b";

/** The text as a link to the file (OSC 8), if the terminal shows links and the file is known. */
export function linked(
  { hyperlinks }: Pick<Io, "hyperlinks">,
  text: string,
  file?: string,
): string {
  const uri = hyperlinks && file !== undefined ? fileUri(file) : undefined;
  if (uri === undefined) return text;
  return `${ESCAPE}]8;;${uri}${ESCAPE}\\${text}${ESCAPE}]8;;${ESCAPE}\\`;
}

/** With the host name, a terminal over ssh knows that the file is on another machine. */
function fileUri(file: string): string | undefined {
  try {
    const path = file.split(sep).map(encodeURIComponent).join("/");
    return `file://${encodeURIComponent(hostname())}${path.startsWith("/") ? "" : "/"}${path}`;
  } catch {
    // A name that is not valid Unicode has no URI.
    return undefined;
  }
}
