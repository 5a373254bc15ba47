import { SvcError } from "../base/errors.ts";
import { serverInfo } from "./era.ts";
import { isObject, type JsonObject } from "./message.ts";
import type { MethodContext } from "./method-context.ts";
import { takesMonitorHits } from "./hit-notifier.ts";
import { CAPABILITIES, negotiate } from "./negotiate.ts";
import { withInstructions } from "./options.ts";

/**
 * Requires no member of `params`: the interface shows only `{clientInfo: {name}}`. May be repeated;
 * the last version is used.
 */
export function initialize(
  { protocolVersion, clientInfo, capabilities }: JsonObject,
  { options, connection }: MethodContext,
): JsonObject | Promise<JsonObject> {
  if (clientInfo !== undefined && !isObject(clientInfo)) {
    throw new SvcError("INVALID_PARAMS", "clientInfo must be an object.", {
      hint: 'For example {"name": "my-client"}.',
    });
  }
  connection.version = negotiate(protocolVersion);
  connection.takesMonitorHits = takesMonitorHits(capabilities);
  options.logger.info("client connected", {
    client: clientInfo?.["name"],
    clientVersion: clientInfo?.["version"],
    protocolVersion: connection.version,
  });
  const result = {
    protocolVersion: connection.version,
    capabilities: CAPABILITIES,
    serverInfo: serverInfo(options.version),
  };
  return withInstructions(options, (instructions) => ({ ...result, instructions }));
}
