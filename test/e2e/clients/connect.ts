// Third-party clients, each with the same small interface.
import { createMCPClient } from "@ai-sdk/mcp";
import { StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import {
  Client as NewerSdk,
  StreamableHTTPClientTransport as NewerHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderSdk } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { environmentOf, SVC, type Credential, type Target } from "./target.ts";

/** `bridge`: over standard input to `svc mcp --remote`, and from there over HTTP. */
type Wire = "stdio" | "bridge" | "HTTP";

export interface Connected {
  readonly credential: Credential;
  /** Names of the tools. */
  readonly list: () => Promise<readonly string[]>;
  /** Rejects if the server answers with an error, and when the signal aborts. */
  readonly call: (tool: string, input: Input, signal?: AbortSignal) => Promise<Answer>;
  /** The negotiated revision; in SDK 1, only the HTTP transport reports it. */
  readonly revision: () => string | undefined;
  /** The names that the client itself fetched after a change notification; undefined before. */
  readonly listings: () => readonly string[] | undefined;
  readonly close: () => Promise<void>;
}

type Input = Record<string, unknown>;

/** Each client has its own type for it. */
type Answer = Readonly<Record<string, unknown>>;

export interface ClientUnderTest {
  readonly name: string;
  readonly wire: Wire;
  readonly revision: string | undefined;
  /**
   * How it reports an error: `typed` means code, message and data; `text` means the body in the message of a transport
   * error, because older clients treat statuses other than 200 that way.
   */
  readonly error: "typed" | "text";
  /** True if it can be notified of a changed list. */
  readonly listens: boolean;
  /**
   * True if the server is notified of a cancelled call. Over HTTP, the end of the request notifies the server; clients
   * of the older era keep the request open and send a notification without a session.
   */
  readonly cancels: boolean;
  readonly connect: (target: Target) => Promise<Connected>;
}

const INFO = { name: "e2e", version: "1.0.0" };
const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";
const MODES = { legacy: "legacy", auto: "auto", pinned: { pin: MODERN } } as const;
const WIRES: readonly Wire[] = ["stdio", "bridge", "HTTP"];

export const CLIENTS: readonly ClientUnderTest[] = WIRES.flatMap((wire) => [
  olderSdk(wire),
  newerSdk(wire, "legacy"),
  newerSdk(wire, "auto"),
  newerSdk(wire, "pinned"),
  aiSdk(wire, LEGACY),
  aiSdk(wire, MODERN),
]);

function olderSdk(wire: Wire): ClientUnderTest {
  return {
    name: `SDK 1, ${wire}`,
    wire,
    revision: wire === "HTTP" ? LEGACY : undefined,
    error: wire === "HTTP" ? "text" : "typed",
    listens: true,
    cancels: wire !== "HTTP",
    async connect(target) {
      const { credential, command, endpoint } = await accessTo(target, wire);
      const listings = recordedListings();
      const client = new OlderSdk(INFO, { listChanged: listings.listChanged });
      const http = new OlderHttp(...endpoint);
      await client.connect(wire === "HTTP" ? http : new OlderStdio(command));
      return {
        credential,
        list: async () => namesOf(await client.listTools()),
        call: (name, input, signal) =>
          client.callTool({ name, arguments: input }, undefined, optionsOf(signal)),
        revision: () => http.protocolVersion,
        listings: listings.names,
        close: () => client.close(),
      };
    },
  };
}

function newerSdk(wire: Wire, mode: keyof typeof MODES): ClientUnderTest {
  const isLegacy = mode === "legacy";
  return {
    name: `SDK 2 ${mode}, ${wire}`,
    wire,
    revision: isLegacy ? LEGACY : MODERN,
    error: isLegacy && wire === "HTTP" ? "text" : "typed",
    listens: true,
    cancels: !isLegacy || wire !== "HTTP",
    async connect(target) {
      const { credential, command, endpoint } = await accessTo(target, wire);
      const listings = recordedListings();
      const client = new NewerSdk(INFO, {
        listChanged: listings.listChanged,
        versionNegotiation: { mode: MODES[mode] },
      });
      await client.connect(wire === "HTTP" ? new NewerHttp(...endpoint) : new NewerStdio(command));
      return {
        credential,
        list: async () => namesOf(await client.listTools()),
        call: (name, input, signal) =>
          client.callTool({ name, arguments: input }, optionsOf(signal)),
        revision: () => client.getNegotiatedProtocolVersion(),
        listings: listings.names,
        close: () => client.close(),
      };
    },
  };
}

/** Vercel's AI SDK, which shares no code with the others. It supports no notifications. */
function aiSdk(wire: Wire, revision: string): ClientUnderTest {
  return {
    name: `AI SDK ${revision}, ${wire}`,
    wire,
    revision,
    error: "typed",
    listens: false,
    // On standard input it stops waiting and sends nothing.
    cancels: wire === "HTTP",
    async connect(target) {
      const { credential, command, endpoint } = await accessTo(target, wire);
      const [url, { requestInit }] = endpoint;
      const client = await createMCPClient({
        transport:
          wire === "HTTP"
            ? { type: "http", url: url.href, headers: requestInit.headers }
            : // It would fall back to the older revision if a busy machine took more than a second to start the server.
              Object.assign(new StdioMCPTransport(command), {
                waitsForProtocolVersionDiscovery: true,
              }),
        protocolVersionDiscovery: revision === MODERN,
      });
      return {
        credential,
        list: async () => namesOf(await client.listTools()),
        call: (name, input, signal) =>
          client.callTool({ name, arguments: input, ...optionsIn(signal) }),
        revision: () => client.initializeResult.protocolVersion,
        listings: () => undefined,
        close: () => client.close(),
      };
    },
  };
}

/** A credential, and how to reach the server with it on any wire. */
async function accessTo({ place, url, credential }: Target, wire: Wire) {
  const access = await credential();
  const headers = { Authorization: `Bearer ${access.token}` };
  return {
    credential: access,
    command: {
      command: SVC,
      args: ["mcp", "--stdio", ...(wire === "bridge" ? ["--remote", url] : [])],
      cwd: place.root,
      env: environmentOf(place, access.token),
      stderr: "ignore" as const,
    },
    endpoint: [new URL(`${url}/mcp`), { requestInit: { headers } }] as const,
  };
}

/** The options of an SDK client that listens to list changes, and the changes it received. */
function recordedListings() {
  let names: readonly string[] | undefined;
  const onChanged = (error: Error | null, tools: Tools | null): void => {
    if (error !== null) throw error;
    names = namesOf({ tools: tools ?? [] });
  };
  return { listChanged: { tools: { onChanged } }, names: () => names };
}

type Tools = readonly { readonly name: string }[];

function namesOf({ tools }: { readonly tools: Tools }): readonly string[] {
  return tools.map(({ name }) => name);
}

function optionsOf(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function optionsIn(signal: AbortSignal | undefined): { options?: { signal: AbortSignal } } {
  return signal === undefined ? {} : { options: { signal } };
}
