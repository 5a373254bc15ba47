import { SvcError } from "../base/errors.ts";
import { closestWord } from "../base/closest-word.ts";
import { CLIENTS, type ClientDefinition } from "./definitions.ts";

const BY_ID: ReadonlyMap<string, ClientDefinition> = new Map(
  CLIENTS.map((client) => [client.id, client]),
);

/** Returns the client with this id. Throws USAGE for an unknown id and suggests the closest one. */
export function requireClient(id: string): ClientDefinition {
  const client = BY_ID.get(id.toLowerCase());
  if (client !== undefined) return client;
  const near = closestWord(id, BY_ID.keys());
  const list = [...BY_ID.keys()].join(", ");
  throw new SvcError("USAGE", `Unknown client "${id}".`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}Known clients: ${list}.`,
  });
}
