import { productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { App } from "../../app.ts";
import { requireFolder, siblingHint } from "../../sources/confined-path.ts";
import { serveHttp } from "../../transports/http/server.ts";
import { readTlsFiles } from "../../transports/http/tls-files.ts";
import { byokChoice } from "../byok-flags.ts";
import { defineCommand } from "../command.ts";
import { INSTRUCTIONS, offeredTools } from "../mcp-server-options.ts";
import { warnUnknownNamespaces } from "../warn-unknown-namespaces.ts";

export const command = defineCommand({
  description:
    "Serves the Model Context Protocol at POST /mcp (Authorization: Bearer with an access token) and the REST search at POST /v1/search (X-API-Key with an API key) until it is told to end. The folder that is served is --root, else the git top level of the working directory, else the working directory; it is indexed in the background. Of a search with a key, the key's namespace answers. At / is a page for people, who sign in with a key.\n\nOnly this machine can connect, unless --host says otherwise; then --allow-host must name the server, and TLS or a proxy in front of it must protect the credentials. /healthz, /readyz and /openapi.json ask for no credential; /metrics asks for an access token that sees all namespaces, but for what it tells programs of this machine.\n\nWith --byok a client may bring its own key of the one provider named by --provider: as X-Provider-Key beside an access token, or alone as Authorization: Bearer, which lets search --byok-namespace and nothing else. Keys are sent nowhere else and kept nowhere; with them go, where `rerank` is asked for, the question and the text of the passages.",
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
    byok: {
      type: "boolean",
      description: "Take clients' own keys of a model provider, for `rerank` of search_context.",
    },
    provider: {
      type: "string",
      placeholder: "URL",
      description: "Its OpenAI-compatible API: the one place such keys are sent to.",
    },
    providerModel: {
      type: "string",
      placeholder: "NAME",
      description: "The model that ranks, where the provider has several.",
    },
    byokNamespace: {
      type: "string",
      placeholder: "NS",
      description: "Let who has such a key and no token search this namespace.",
    },
  },
  examples: [
    { run: "svc serve --root ~/src/project", description: "Serves the project to this machine." },
    {
      run: "svc serve --host 0.0.0.0 --allow-host code.example.org --tls-cert cert.pem --tls-key key.pem",
      description: "Serves others too.",
    },
    {
      run: "svc serve --byok --provider http://127.0.0.1:11434/v1",
      description: "Has answers reranked by a model of this machine.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const tls = tlsOf(flags);
    requireProtection(flags, tls !== undefined);
    const choice = byokChoice(flags);
    const byok = choice && (await app.openProvider(choice));
    warnUnknownNamespaces(io, app, choice?.namespace === undefined ? [] : [choice.namespace]);
    const { host, port, namespace } = flags;
    // Otherwise it would serve nothing, and say so only to who asks.
    const root = flags.root === undefined ? undefined : requireFolder(flags.root, siblingHint);
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
      rights: app.rights,
      byok,
      limits: { queueMs: app.settings.queueTimeoutSeconds * 1000 },
      ready: async () => {
        await app.credentials();
        const engine = await openEngine();
        await engine.checkRegistry();
      },
      indexStatus: async (given) => {
        const engine = await openEngine();
        return engine.status({ principal: app.owner, detail: "summary", signal: given });
      },
    });
    io.err(
      `svc listens on ${server.url} (POST /mcp, POST /v1/search; to search in a browser, open it).\n`,
    );
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
