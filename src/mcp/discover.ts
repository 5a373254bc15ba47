import { CACHE_HINTS, clientInfoOf } from "./era.ts";
import type { JsonObject } from "./message.ts";
import type { MethodContext } from "./method-context.ts";
import { CAPABILITIES, STATELESS_VERSIONS } from "./negotiate.ts";
import { withInstructions } from "./options.ts";

/** The counterpart of `initialize` for modern clients. Stores no state. */
export function discover(
  params: JsonObject,
  { options }: MethodContext,
): JsonObject | Promise<JsonObject> {
  const client = clientInfoOf(params);
  options.logger.info("client connected", {
    client: client?.["name"],
    clientVersion: client?.["version"],
    protocolVersion: STATELESS_VERSIONS[0],
  });
  return withInstructions(options, (instructions) => ({
    supportedVersions: STATELESS_VERSIONS,
    capabilities: CAPABILITIES,
    instructions,
    ...CACHE_HINTS,
  }));
}
