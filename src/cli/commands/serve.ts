import { productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import type { App } from "../../app.ts";
import { isLoopback } from "../../transports/http/allow-list.ts";
import { serveHttp } from "../../transports/http/server.ts";
import { readTlsFiles } from "../../transports/http/tls-files.ts";
import { defineCommand } from "../command.ts";
import { INSTRUCTIONS, offeredTools } from "../served.ts";

export const command = defineCommand({
  description:
    "Serves the Model Context Protocol at POST /mcp (Authorization: Bearer with an access token) and the REST search at POST /v1/search (X-API-Key with an API key) until it is told to end. The folder that is served is --root, else the git top level of the working directory, else the working directory; it is indexed in the background. Of a search with a key, the key's namespace answers.\n\nOnly this machine can connect, unless --host says otherwise; then --allow-host must name the server, and TLS or a proxy in front of it must protect the credentials. /healthz, /readyz and /openapi.json ask for no credential; /metrics asks for an access token that sees all namespaces, but for what it tells programs of this machine.",
  flags: {
    host: {
      type: "string",
      default: "127.0.0.1",
      placeholder: "ADDRESS",
      description: "Listen on this address.",
    },
    port: {
      type: "integer",
      default: 7420,
      min: 0,
      max: 65_535,
      placeholder: "N",
      description: "Listen on this port; 0 takes a free one.",
    },
    allowHost: {
      type: "list",
      placeholder: "NAME",
      description: "Answer requests for this host name, beside localhost.",
    },
    tlsCert: { type: "string", placeholder: "FILE", description: "Certificate chain, as PEM." },
    tlsKey: { type: "string", placeholder: "FILE", description: "Its private key, as PEM." },
    behindProxy: {
      type: "boolean",
      description: "A proxy in front does TLS, and tells clients' addresses in X-Forwarded-For.",
    },
    root: { type: "string", placeholder: "DIR", description: "Serve this folder." },
    namespace: { type: "string", placeholder: "NS", description: "Serve this namespace." },
    readOnly: { type: "boolean", description: "Offer no tool that changes the index." },
  },
  examples: [
    { run: "svc serve --root ~/src/project", shows: "Serves the project to this machine." },
    {
      run: "svc serve --host 0.0.0.0 --allow-host code.example.org --tls-cert cert.pem --tls-key key.pem",
      shows: "Serves others too.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const tls = tlsOf(flags);
    requireProtection(flags, tls !== undefined);
    const { host, port, root, namespace } = flags;
    const openEngine = () =>
      app.engine({
        root,
        namespace,
        indexOnlyBelow: root === undefined ? [] : [root],
        watches: true,
      });
    const server = await serveHttp({
      host,
      port,
      tls,
      allowHosts: flags.allowHost,
      isBehindProxy: flags.behindProxy,
      mcp: {
        tools: () => offeredTools(flags.readOnly),
        version: productVersion(),
        instructions: INSTRUCTIONS,
        engine: openEngine,
        logger: app.logger,
        audit: app.auditCall,
      },
      authenticate: app.authenticateAs,
      ready: async () => {
        await app.credentials();
        const engine = await openEngine();
        await engine.status({ caller: app.owner, detail: "summary", signal });
      },
      indexStatus: async (given) => {
        const engine = await openEngine();
        return engine.status({ caller: app.owner, detail: "summary", signal: given });
      },
    });
    io.err(`svc listens on ${server.url} (POST /mcp, POST /v1/search).\n`);
    indexSoon(app, openEngine);
    await aborted(signal);
    await server.end();
    // Being told to end is how a server ends.
    return 0;
  },
});

interface TlsFlags {
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
}

function tlsOf({
  tlsCert: cert,
  tlsKey: key,
}: TlsFlags): ReturnType<typeof readTlsFiles> | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new SvcError("USAGE", "--tls-cert and --tls-key belong together.", {
      hint: "Give both.",
    });
  }
  return readTlsFiles({ cert, key });
}

interface ReachFlags {
  readonly host: string;
  readonly allowHost: readonly string[] | undefined;
  readonly behindProxy: boolean;
}

/** Credentials must not cross a network in the clear, and a server for others must know its own name. */
function requireProtection(
  { host, allowHost = [], behindProxy }: ReachFlags,
  hasTls: boolean,
): void {
  if (isLoopback(host)) return;
  if (allowHost.length === 0) {
    throw new SvcError("USAGE", `--host ${host} lets other machines connect.`, {
      hint: "Say with --allow-host NAME under which name they reach this one.",
    });
  }
  if (!hasTls && !behindProxy) {
    throw new SvcError("USAGE", `--host ${host} would take credentials over plain HTTP.`, {
      hint: "Give --tls-cert and --tls-key, or --behind-proxy where a proxy in front does TLS.",
    });
  }
}

/** Who starts a server wants what it serves to be there when the first question comes. */
function indexSoon(app: App, openEngine: () => ReturnType<App["engine"]>): void {
  openEngine()
    .then((engine) => engine.startBackground())
    .catch((thrown: unknown) => app.logger.warn("indexing did not start", { error: thrown }));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
