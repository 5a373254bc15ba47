// Wiring: settings -> logger, credentials, engine, tools. Everything is created on first use, so that
// `svc --help` opens nothing and `initialize` is answered before any of it is loaded.

import { join } from "node:path";

import { SvcError } from "./base/errors.ts";
import { createLogger, type Logger } from "./base/log.ts";
import { shortHash } from "./base/short-hash.ts";
import type { Settings } from "./config/settings.ts";
import { credentialAccess, type CredentialAccess } from "./credentials/access.ts";
import type { CredentialBackend } from "./credentials/backend.ts";
import { sealedBackend, type SealedBackend } from "./credentials/sealed/sealed-backend.ts";
import type { SealedStoreAdmin } from "./credentials/sealed/store-admin.ts";
import { postgresCredentials } from "./credentials/postgres/postgres-credentials.ts";
import type { PostgresDescription, StoredDescription } from "./backend/backend.ts";
import type { Engine } from "./engine/api/engine.ts";
import type { FetchRepository } from "./engine/indexing/update-clone.ts";
import type { Provider } from "./providers/provider.ts";
import type { RegistryState } from "./sources/registry/registry-state.ts";
import { localOwner, providerKeyPrincipal, type Principal } from "./sources/principal.ts";
import type { Byok } from "./transports/http/byok.ts";

interface EngineOptions {
  /** The folder to work on; the git top level of the working directory by default. */
  readonly root?: string | undefined;
  readonly namespace?: string | undefined;
  /** Folders that may be indexed, with everything below them, in addition to existing sources; any by default. */
  readonly indexOnlyBelow?: readonly string[] | undefined;
  /** Real paths of folders that a session may index besides its workspace and the sources; any by default. */
  readonly allowRoots?: readonly string[] | undefined;
  /** Watch the files of the namespaces in use. For long-running processes. */
  readonly watches?: boolean | undefined;
  /** Show secrets of files in answers. */
  readonly showsSecrets?: boolean | undefined;
}

interface ProviderOptions {
  readonly url: string;
  readonly model?: string | undefined;
  /** Namespace that clients with only a provider key can search; without it, a key gives no access. */
  readonly namespace?: string | undefined;
}

export interface App extends CredentialAccess {
  readonly settings: Settings;
  readonly logger: Logger;
  /** The user at the terminal, who has all rights on this machine. */
  readonly owner: Principal;
  /**
   * The folder to work on: `root`, else the git top level of the working directory, else the working directory. Throws
   * NO_WORKSPACE for `/` and the home directory, and PATH_NOT_FOUND.
   */
  readonly workspace: (root?: string) => Promise<string>;
  /** Created on the first call; later calls return the same engine and ignore `choice`. */
  readonly engine: (choice?: EngineOptions) => Promise<Engine>;
  readonly credentials: CredentialBackend;
  /** The sealed store of this machine, for its owner; undefined if the credentials are elsewhere. */
  readonly sealedStore: (() => Promise<SealedStoreAdmin>) | undefined;
  /** Where the shared backend is; undefined if everything is in files of this machine. */
  readonly sharedBackend: PostgresDescription | undefined;
  /** Opens the credentials of other settings. The caller closes them. */
  readonly credentialsOf: (settings: Settings) => CredentialBackend;
  /** The list of namespaces, for commands that use no index. */
  readonly registry: RegistryAccess;
  /** Accepts keys of the model provider at `url`. Throws USAGE for an invalid URL. */
  readonly openProvider: (choice: ProviderOptions) => Promise<Byok>;
  readonly close: () => Promise<void>;
}

interface RegistryAccess {
  /** Returns its state and leaves its files unchanged; an empty one if nothing has been indexed. Throws INDEX_CORRUPT. */
  readonly read: () => Promise<RegistryState>;
  /** Removes the monitors of a revoked credential in every namespace. */
  readonly removeMonitorsOf: (owner: string) => Promise<void>;
}

export interface AppOptions {
  readonly settings: Settings;
  /** Receives log lines. */
  readonly writeLog: (line: string) => void;
  readonly humanLog: boolean;
  readonly workingDirectory?: string;
  /** The sealed store of this machine by default. */
  readonly credentials?: CredentialBackend | undefined;
}

export function createApp({
  settings,
  writeLog,
  humanLog,
  workingDirectory = process.cwd(),
  credentials: chosen,
}: AppOptions): App {
  const logger = createLogger({ level: settings.logLevel, write: writeLog, human: humanLog });
  const credentials: CredentialBackend & Partial<SealedBackend> =
    chosen ?? credentialsOf(settings, logger);
  const backend = backendOf(settings);
  let engine: Promise<Engine> | undefined;
  let isClosed = false;
  let provider: Provider | undefined;
  return {
    settings,
    logger,
    owner: localOwner(),
    async workspace(root) {
      const { workspaceRoot } = await import("./engine/workspace.ts");
      return workspaceRoot({ root, workingDirectory, home: settings.home });
    },
    async engine(choice = {}) {
      // The threads of an engine opened after close() would keep the process alive.
      if (isClosed) throw new SvcError("INDEX_UNAVAILABLE", "The program is ending.");
      engine ??= openEngine({ settings, logger, workingDirectory }, choice);
      return engine;
    },
    ...credentialAccess(credentials, settings.token),
    credentials,
    sealedStore: credentials.sealedStore,
    sharedBackend: backend.kind === "postgres" ? backend : undefined,
    credentialsOf: (other) => credentialsOf(other, logger),
    registry: registryAccess(backend),
    async openProvider({ url, model, namespace }) {
      const { Provider } = await import("./providers/provider.ts");
      provider = new Provider({ url, model });
      return byokOf(provider, namespace);
    },
    async close() {
      isClosed = true;
      const closing = credentials.close();
      await provider?.close();
      await (await engine?.catch(() => undefined))?.close();
      await closing;
    },
  };
}

/** Without a namespace, a provider key only works together with a token. */
function byokOf(provider: Provider, namespace: string | undefined): Byok {
  const holder = namespace === undefined ? undefined : providerKeyPrincipal(namespace);
  return {
    authenticate:
      holder &&
      (async (key, { signal, requireAllowed }) => {
        await provider.requireKey(key, signal, requireAllowed);
        return holder;
      }),
    rerankerFor: (key) => (request) => provider.rerank(key, request),
  };
}

/** The one place that chooses where indexes are stored. */
function backendOf({
  backend,
  cacheDirectory,
  cacheLimitBytes: maxCacheBytes,
  dataDirectory,
}: Settings): StoredDescription {
  if (backend === undefined) return { kind: "embedded", dataDirectory };
  // Copies of two databases must not mix.
  const folder = join(cacheDirectory, shortHash(backend));
  return { kind: "postgres", url: backend, cacheDirectory: folder, maxCacheBytes };
}

/** The one place that chooses where credentials are stored. */
function credentialsOf(
  settings: Settings,
  logger: Logger,
): CredentialBackend & Partial<SealedBackend> {
  const { backend: url } = settings;
  if (url === undefined) return sealedBackend({ settings, logger });
  const { dataDirectory, keyDirectory, auditQuery: withQueries } = settings;
  // A default token for each database, so that saving one leaves that of this machine's own store.
  const place = join("shared", shortHash(url));
  const own = {
    ...settings,
    dataDirectory: join(dataDirectory, place),
    keyDirectory: join(keyDirectory, place),
  };
  const machine = sealedBackend({ settings: own, logger });
  return postgresCredentials({ url, machine, withQueries, logger });
}

function registryAccess(backend: StoredDescription): RegistryAccess {
  return {
    async read() {
      const { readRegistryState } = await import("./backend/open-registry.ts");
      return readRegistryState(backend);
    },
    async removeMonitorsOf(owner) {
      const { removeMonitorsFrom } = await import("./backend/open-registry.ts");
      await removeMonitorsFrom(backend, owner);
    },
  };
}

async function openEngine(
  {
    settings,
    logger,
    workingDirectory,
  }: { settings: Settings; logger: Logger; workingDirectory: string },
  {
    root,
    namespace,
    indexOnlyBelow,
    allowRoots,
    watches: watchesFiles,
    showsSecrets,
  }: EngineOptions,
): Promise<Engine> {
  const { createEngine } = await import("./engine/create-engine.ts");
  const { workspaceRoot } = await import("./engine/workspace.ts");
  const { openBackend } = await import("./backend/open-backend.ts");
  return createEngine({
    backend: await openBackend(backendOf(settings)),
    dataDirectory: settings.dataDirectory,
    home: settings.home,
    logger,
    workspace: () => workspaceRoot({ root, workingDirectory, home: settings.home }),
    namespace: namespace ?? settings.namespace,
    embeddings: settings.embeddings,
    indexOnlyBelow,
    allowRoots,
    // A process restricted to some folders must not fetch repositories.
    fetchRepository: indexOnlyBelow === undefined ? fetchRepository : undefined,
    watchesFiles,
    showsSecrets,
  });
}

const fetchRepository: FetchRepository = async (request) => {
  const provider = await import("./providers/git-fetch.ts");
  return provider.fetchRepository(request);
};
