// The services that endpoints share.

import type { RightsWatcher } from "../../credentials/rights-watcher.ts";
import type { ServerOptions } from "../../mcp/options.ts";
import type { AdmissionQueue } from "./admission-queue.ts";
import type { Authenticator } from "./authenticator.ts";
import type { BodyReader } from "./body.ts";
import type { OpenStreams } from "./open-streams.ts";

/** The services that all endpoints share. */
export interface EndpointServices {
  readonly authenticator: Authenticator;
  readonly bodies: BodyReader;
  readonly queue: AdmissionQueue;
  readonly streams: OpenStreams;
  readonly rights: RightsWatcher;
}

/** The options of a session that are the same for all requests. */
export type McpOptions = Pick<
  ServerOptions,
  "tools" | "version" | "instructions" | "engine" | "logger" | "audit"
>;
