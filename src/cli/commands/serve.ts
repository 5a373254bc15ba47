import { productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import { keepHeapSmall } from "../../base/small-heap.ts";
import { isLoopback } from "../../base/loopback.ts";
import type { App } from "../../app.ts";
import { currentEnvironment } from "../../config/environment.ts";
import type { NodeRole } from "../../engine/engine-options.ts";
import { requireFolder, siblingHint } from "../../sources/confined-path.ts";
import type { AnswerNode } from "../../transports/http/nodes-endpoint.ts";
import type { AdminSource } from "../../transports/http/page-admin-endpoint.ts";
import { serveHttp } from "../../transports/http/server.ts";
import { readTlsFiles } from "../../transports/http/tls-files.ts";
import { byokChoice } from "../byok-flags.ts";
import { BACKEND_FLAG, defineCommand } from "../command.ts";
import { INSTRUCTIONS, offeredTools } from "../mcp-server-options.ts";
import { openPage, requirePage } from "../open-page.ts";
import { warnUnknownNamespaces } from "../warn-unknown-namespaces.ts";

export const command = defineCommand({
  description:
    "Serves MCP at POST /mcp (Authorization: Bearer with an access token) and REST search at POST /v1/search (X-API-Key with an API key) until interrupted. It serves --root, else the git top level of the working directory, else the working directory, and indexes it in the background. A search with an API key covers that key's namespace. / is a search page for people, who sign in with a key or a token; --open opens it in your browser, signed in.\n\nOnly this machine can connect, unless --host is given; then --allow-host must name the server, and TLS or a proxy in front of it must protect the credentials. /healthz, /readyz and /openapi.json need no credential. /metrics needs an access token for all namespaces; programs on this machine can read the totals without one.\n\nWith --byok, a client can bring its own key for the provider at --provider: as X-Provider-Key together with an access token, or by itself as Authorization: Bearer, which gives access only to searches of --byok-namespace. svc sends keys only to the provider and does not store them. If a call sets `rerank`, svc also sends the query and the text of the passages.",
  flags: {
    host: {
      type: "string",
      default: "127.0.0.1",
      placeholder: "ADDRESS",
      description: "Address to listen on.",
    },
    port: {
      type: "integer",
      default: 7420,
      min: 0,
      max: 65_535,
      placeholder: "N",
      description: "Port to listen on; 0 chooses a free one.",
    },
    allowHost: {
      type: "list",
      placeholder: "NAME",
      description: "Accept requests for this host name, in addition to localhost.",
    },
    tlsCert: {
      type: "string",
      placeholder: "FILE",
      description: "File with the TLS certificate chain (PEM).",
    },
    tlsKey: {
      type: "string",
      placeholder: "FILE",
      description: "File with the TLS private key (PEM).",
    },
    behindProxy: {
      type: "boolean",
      description:
        "Trust a proxy that terminates TLS and sends client addresses in X-Forwarded-For.",
    },
    open: {
      type: "boolean",
      description: "Open the search page in the browser, signed in as the owner of this machine.",
    },
    root: { type: "string", placeholder: "DIR", description: "Serve this folder." },
    namespace: { type: "string", placeholder: "NS", description: "Serve this namespace." },
    backend: BACKEND_FLAG,
    role: {
      type: "string",
      choices: ["both", "read", "index"],
      placeholder: "ROLE",
      description:
        "What this server does for a team with a database: `read` only answers queries, `index` only fetches and indexes repositories, and `both` does both, which is the default.",
    },
    cacheLimit: {
      type: "string",
      placeholder: "SIZE",
      description:
        "Size of this machine's copies of the indexes in the database, such as 20GB (default: $SERVICE_CACHE_LIMIT, else unlimited).",
    },
    nodeUrl: {
      type: "string",
      placeholder: "URL",
      description:
        "Address at which other nodes of the database reach this server, such as http://10.0.0.5:7420, to share searches in large indexes (default: $SERVICE_NODE_URL, else it searches alone).",
    },
    readOnly: { type: "boolean", description: "Do not offer tools that change the index." },
    shareIndexes: {
      type: "boolean",
      description:
        "Let callers fetch the index of each namespace that their access token can read, so that `svc index --from-remote` on their machines starts from it. An index also holds what answers do not show: the trigrams of masked secrets, and words of content that was deleted recently.",
    },
    byok: {
      type: "boolean",
      description: "Accept clients' own provider keys, for `rerank` of search_context.",
    },
    provider: {
      type: "string",
      placeholder: "URL",
      description: "URL of the provider's OpenAI-compatible API; keys are sent only there.",
    },
    providerModel: {
      type: "string",
      placeholder: "NAME",
      description: "Model that reranks, if the provider has several.",
    },
    byokNamespace: {
      type: "string",
      placeholder: "NS",
      description: "Let clients with only a provider key search this namespace.",
    },
  },
  examples: [
    { run: "svc serve --open", description: "Search this project in the browser." },
    { run: "svc serve --root ~/src/project", description: "Serve a project to this machine." },
    {
      run: "svc serve --host 0.0.0.0 --allow-host code.example.org --tls-cert cert.pem --tls-key key.pem",
      description: "Serve other machines too, over TLS.",
    },
    {
      run: "svc serve --role read --backend postgres://db.example.org/svc",
      description: "Answer from the index of a team.",
    },
    {
      run: "svc serve --byok --provider http://127.0.0.1:11434/v1",
      description: "Rerank results with a local model.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const role = roleOf(flags, app);
    if (flags.nodeUrl !== undefined && app.sharedBackend === undefined)
      throw noDatabase("--node-url");
    if (flags.open) requirePage(flags);
    const tls = tlsOf(flags);
    requireProtection(flags, tls !== undefined);
    const choice = byokChoice(flags);
    const byok = choice && (await app.openProvider(choice));
    await warnUnknownNamespaces(io, app, choice?.namespace === undefined ? [] : [choice.namespace]);
    const { host, port, namespace } = flags;
    // Checked at the start; otherwise only the first call would report it.
    const root = flags.root === undefined ? undefined : requireFolder(flags.root, siblingHint);
    const openEngine = () =>
      app.engine({
        root,
        namespace,
        role,
        indexOnlyBelow: root === undefined ? [] : [root],
        watches: role !== "read",
        searchThreads: {},
      });
    keepHeapSmall(signal);
    const server = await serveHttp({
      host,
      port,
      tls,
      allowHosts: [...(flags.allowHost ?? []), ...ownNames(app)],
      isBehindProxy: flags.behindProxy,
      mcp: {
        tools: () => offeredTools(flags.readOnly),
        version: productVersion(),
        instructions: INSTRUCTIONS,
        engine: openEngine,
        logger: app.logger,
        audit: app.credentials.recordCall,
      },
      authenticate: app.authenticateAs,
      rights: app.rights,
      byok,
      answersQuestions: role !== "index",
      limits: { queueMs: app.settings.queueTimeoutSeconds * 1000 },
      ready: async () => {
        await app.credentials.store();
        const engine = await openEngine();
        await engine.checkRegistry();
      },
      refresh: async (refreshed) => {
        const engine = await openEngine();
        return engine.refresh({ namespace: refreshed, principal: app.owner, signal });
      },
      sharesIndexes: flags.shareIndexes,
      webhookSecret: app.settings.webhookSecret,
      answerNode: isNode(app, role) ? answerer(app, openEngine) : undefined,
      indexStatus: async (given) => {
        const engine = await openEngine();
        return engine.status({ principal: app.owner, detail: "summary", signal: given });
      },
      admin: adminSource(app, openEngine),
    });
    io.err(
      role === "index"
        ? `svc listens on ${server.url} and does the indexing of the team (/healthz, /readyz, /metrics, POST /v1/namespaces/NAME/refresh).\n`
        : `svc listens on ${server.url} (open it in a browser to search; MCP is POST /mcp, REST is POST /v1/search).\n`,
    );
    const removeFile = flags.open
      ? await openPage(server, {
          io,
          dataDirectory: app.settings.dataDirectory,
          desktop: { platform: process.platform, environment: currentEnvironment() },
        })
      : undefined;
    indexSoon(app, openEngine);
    if (isNode(app, role)) (await openEngine()).nodes?.join();
    await aborted(signal);
    removeFile?.();
    await server.end();
    // An interrupt is the normal end of a server.
    return 0;
  },
});

/** What the admin's view of the search page shows. */
function adminSource(app: App, openEngine: () => ReturnType<App["engine"]>): AdminSource {
  return {
    async projects(signal) {
      const engine = await openEngine();
      return engine.status({ principal: app.owner, detail: "skipped", signal });
    },
    async credentials() {
      const { listCredentials } = await import("../../credentials/list-credentials.ts");
      const store = await app.credentials.store();
      const { defaultToken } = app.credentials;
      const kinds = (["key", "token"] as const).map((kind) =>
        listCredentials(store, { kind, all: true, defaultToken }),
      );
      return (await Promise.all(kinds)).flat();
    },
    async auditLines(count) {
      const reader = await app.credentials.auditReader();
      return (await reader.tail(count))?.lines ?? [];
    },
  };
}

/** Undefined without a shared backend: then every server does everything. */
function roleOf(
  { role, root }: { readonly role: NodeRole | undefined; readonly root: string | undefined },
  { sharedBackend }: App,
): NodeRole | undefined {
  if (role === "read" && root !== undefined) {
    throw new SvcError("USAGE", "--root cannot be used with --role read, which never indexes.", {
      hint: "Omit one of them.",
    });
  }
  if (sharedBackend !== undefined) return role ?? "both";
  if (role === undefined) return undefined;
  throw noDatabase("--role");
}

function noDatabase(flag: string): SvcError {
  return new SvcError("USAGE", `${flag} is for servers that share a database.`, {
    hint: "Add --backend, or set SERVICE_BACKEND.",
  });
}

/** True for a server that searches for other nodes of its database. */
function isNode({ settings, sharedBackend }: App, role: NodeRole | undefined): boolean {
  return sharedBackend !== undefined && settings.nodeAddress !== undefined && role !== "index";
}

/** Answers messages of other nodes. */
function answerer(
  { owner: principal }: App,
  openEngine: () => ReturnType<App["engine"]>,
): AnswerNode {
  return async (message) => {
    const { nodes } = await openEngine();
    if (nodes === undefined) throw new Error("a node has a database");
    return nodes.answer({ principal, message });
  };
}

/** Other nodes call this one by the host of its address. */
function ownNames({ settings: { nodeAddress } }: App): readonly string[] {
  return nodeAddress === undefined ? [] : [new URL(nodeAddress).host];
}

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
    throw new SvcError("USAGE", "--tls-cert and --tls-key must be given together.", {
      hint: "Use both.",
    });
  }
  return readTlsFiles({ cert, key });
}

interface ReachFlags {
  readonly host: string;
  readonly allowHost: readonly string[] | undefined;
  readonly behindProxy: boolean;
}

/** Throws USAGE if credentials would cross a network unencrypted, or if a server for other machines has no name. */
function requireProtection(
  { host, allowHost = [], behindProxy }: ReachFlags,
  hasTls: boolean,
): void {
  if (isLoopback(host)) return;
  if (allowHost.length === 0) {
    throw new SvcError("USAGE", `--host ${host} lets other machines connect.`, {
      hint: "Add --allow-host NAME with the name under which they reach this machine.",
    });
  }
  if (!hasTls && !behindProxy) {
    throw new SvcError("USAGE", `--host ${host} would accept credentials over plain HTTP.`, {
      hint: "Add --tls-cert and --tls-key, or --behind-proxy if a proxy terminates TLS.",
    });
  }
}

/** Starts indexing now, so that the index is ready for the first query. */
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
