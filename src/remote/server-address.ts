import { SvcError } from "../base/errors.ts";
import { problemWithServerUrl } from "../base/server-url.ts";

/** Where a server runs that another machine started with `svc serve`. */
export interface ServerAddress {
  /** The address as people write it: without the path of an endpoint, and equal for all spellings of one server. */
  readonly name: string;
  /** URL of the MCP endpoint. */
  readonly mcp: string;
  /** URL that answers without a credential while the server runs. */
  readonly health: string;
}

const HINT =
  "Give the address of `svc serve`, as in https://svc.example.org. Plain http is only for this machine.";

/** Parses the address that a user gave, with or without `/mcp`. Throws USAGE. */
export function parseServerAddress(text: string): ServerAddress {
  const problem = problemWithServerUrl(text);
  if (problem !== undefined) {
    throw new SvcError("USAGE", `The address of the server ${problem}.`, { hint: HINT });
  }
  const { origin, pathname } = new URL(text);
  const name = origin + pathname.replace(/(?:\/mcp)?\/*$/, "");
  return { name, mcp: `${name}/mcp`, health: `${name}/healthz` };
}
