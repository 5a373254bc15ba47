// `svc mcp --stdio --remote URL`: a server over standard input and output whose tools run on another server. The session
// itself is answered here, so `initialize` waits for nobody.

import { SvcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { ServerOptions } from "../mcp/options.ts";
import type { Principal } from "../sources/principal.ts";
import { TOOL_LISTINGS } from "../tools/tool-listings.ts";
import type { Tool } from "../tools/tool.ts";
import type { RemoteClient } from "./remote-client.ts";
import type { ReadToken } from "./remote-fetch.ts";
import { remoteTools, type LocalTools } from "./remote-tools.ts";
import { RemoteWorkspace } from "./remote-workspace.ts";
import type { ServerAddress } from "./server-address.ts";
import { ServerEvents } from "./server-events.ts";

export interface BridgeOptions {
  readonly address: ServerAddress;
  readonly readToken: ReadToken;
  readonly version: string;
  readonly logger: Logger;
  /** Namespace of the server to use; by default that of the workspace's repository. */
  readonly namespace: string | undefined;
  /** Names of the workspace's repository (sources/repository-name.ts). */
  readonly repositories: () => readonly string[];
  /** The user of this machine; read-only if the token is. The server checks the rights of each call. */
  readonly caller: (isReadOnly: boolean) => Principal;
  /** Set to answer from this machine when the server does not have the workspace. */
  readonly local: LocalTools | undefined;
}

type ServerPart = Required<
  Pick<ServerOptions, "authorize" | "recheck" | "watchRights" | "listenForHits">
>;

const RIGHTS_TIMEOUT_MS = 5000;
/** A read-only token cannot call them. */
const CHANGING_TOOLS = TOOL_LISTINGS.filter(({ readOnly }) => !readOnly).map(({ name }) => name);

export class Bridge {
  readonly tools: readonly Tool[];
  /** What a session asks about its caller. */
  readonly server: ServerPart = {
    // The list is what the token allows now. The server checks each call itself, so that no call needs two requests.
    authorize: async (method) => (method === "tools/list" ? this.#recheck() : this.#caller()),
    recheck: async () => this.#recheck(),
    watchRights: (onVerified) =>
      this.#events.onTools(() => {
        this.#recheck().then(onVerified, (error: unknown) =>
          this.#options.logger.debug("the rights of the token are not known", { error }),
        );
      }),
    listenForHits: (notify) => ({
      setPrincipal: () => {},
      stop: this.#events.onHits(notify),
    }),
  };
  readonly #options: BridgeOptions;
  #client: Promise<RemoteClient> | undefined;
  readonly #events: ServerEvents;
  /** As far as known. */
  #isReadOnly = false;

  /** Sends nothing yet. */
  constructor(options: BridgeOptions) {
    const { address, logger, namespace, repositories, local } = options;
    this.#options = options;
    const client = () => this.#open();
    this.#events = new ServerEvents(client, logger);
    const server = address.name;
    const workspace = new RemoteWorkspace({ server, namespace, repositories }, client);
    this.tools = remoteTools({ client, workspace, local });
  }

  async close(): Promise<void> {
    this.#events.close();
    await (await this.#client)?.close();
  }

  #open(): Promise<RemoteClient> {
    this.#client ??= import("./remote-client.ts").then(
      ({ RemoteClient: Client }) =>
        new Client(this.#options.address, this.#options, { onNotification: this.#events.receive }),
    );
    return this.#client;
  }

  /**
   * Asks the server what the token allows. Throws UNAUTHENTICATED and the like if it refuses the token. A server that cannot
   * be reached leaves what is known: the next call reports the failure.
   */
  async #recheck(): Promise<Principal> {
    try {
      const client = await this.#open();
      const names = await client.toolNames(AbortSignal.timeout(RIGHTS_TIMEOUT_MS));
      this.#isReadOnly = !CHANGING_TOOLS.every((name) => names.includes(name));
    } catch (thrown) {
      if (thrown instanceof SvcError && thrown.code !== "REMOTE_UNAVAILABLE") throw thrown;
    }
    return this.#caller();
  }

  #caller(): Principal {
    return this.#options.caller(this.#isReadOnly);
  }
}
