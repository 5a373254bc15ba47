// Wiring: settings -> logger, credentials, engine, tools. Everything is created on first use, so that
// `svc --help` opens nothing and `initialize` is answered before any of it is loaded.

import { join, resolve } from "node:path";

import { productVersion } from "./base/assets.ts";
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
import type { CopiedNamespace } from "./backend/copy-backend.ts";
import type { VerifiedNamespace } from "./backend/verify-backend.ts";
import type { DefaultToken } from "./credentials/port.ts";
import type { Engine } from "./engine/api/engine.ts";
import type { EngineOptions as CoreOptions } from "./engine/engine-options.ts";
import type { NamedPath, NamedPlace } from "./engine/workspace.ts";
import type { IndexOffer } from "./index/index-export.ts";
import type { JobRunner } from "./engine/indexing/job-runner.ts";
import type { FetchRepository } from "./engine/indexing/update-clone.ts";
import type { Provider } from "./providers/provider.ts";
import type { Bridge } from "./remote/bridge.ts";
import type { RemoteAccess } from "./remote/check-token.ts";
import type { ReadToken } from "./remote/remote-fetch.ts";
import type { LocalTools } from "./remote/remote-tools.ts";
import type { FolderSize } from "./scan/folder-size.ts";
import type { RegistryState } from "./sources/registry/registry-state.ts";
import { localOwner, providerKeyPrincipal, type Principal } from "./sources/principal.ts";
import type { ReleaseSource } from "./upgrade/release-source.ts";
import type { Byok } from "./transports/http/byok.ts";

interface EngineOptions extends Pick<
  CoreOptions,
  | "namespace"
  | "role"
  | "indexOnlyBelow"
  | "allowRoots"
  | "showsSecrets"
  | "searchThreads"
  | "showRebuild"
> {
  /** The folder to work on; the git top level of the working directory by default. */
  readonly root?: string | undefined;
  /** Watch the files of the namespaces in use. For long-running processes. */
  readonly watches?: boolean | undefined;
  /** A server whose index of the workspace is fetched before many files are read; none by default. */
  readonly fromRemote?: Pick<OfferChoice, "server" | "namespace"> | undefined;
}

interface ProviderOptions {
  readonly url: string;
  readonly model?: string | undefined;
  /** Namespace that clients with only a provider key can search; without it, a key gives no access. */
  readonly namespace?: string | undefined;
}

interface BridgeChoice {
  /** Address of the server. */
  readonly server: string;
  /** The folder whose repository is the default of calls; the working directory by default. */
  readonly root: string | undefined;
  /** Namespace of the server to use instead. */
  readonly namespace: string | undefined;
  /** Set to answer from this machine when the server does not have the workspace. */
  readonly local: LocalTools | undefined;
}

interface OfferChoice {
  /** Address of the server. */
  readonly server: string;
  /** The folder whose repository the server has. */
  readonly root: string;
  /** Namespace of the server to use instead. */
  readonly namespace: string | undefined;
  /** Whether SERVICE_TOKEN is one of this machine, which no other server may see. */
  readonly hasOwnToken?: boolean;
  readonly signal: AbortSignal;
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
  /** The directory in which the program was started. */
  readonly workingDirectory: string;
  /**
   * The project around a file or folder; by default around the working directory. Throws PATH_NOT_FOUND.
   */
  readonly project: (named: Omit<NamedPath, "workingDirectory">) => Promise<NamedPlace>;
  /** Counts what would be indexed of a folder, which takes a moment. Throws PATH_NOT_FOUND. */
  readonly sizeOf: (root: string) => Promise<FolderSize>;
  /** Created on the first call; later calls return the same engine and ignore `choice`. */
  readonly engine: (choice?: EngineOptions) => Promise<Engine>;
  readonly credentials: CredentialBackend;
  /** The sealed store of this machine, for its owner; undefined if the credentials are elsewhere. */
  readonly sealedStore: (() => Promise<SealedStoreAdmin>) | undefined;
  /** Where the shared backend is; undefined if everything is in files of this machine. */
  readonly sharedBackend: PostgresDescription | undefined;
  /** Opens the credentials of other settings. The caller closes them. */
  readonly credentialsOf: (settings: Settings) => CredentialBackend;
  /** Opens this machine's place for the token of another server, whose address is `server`. The caller closes it. */
  readonly savedTokenOf: (server: string) => SavedToken;
  /** The list of namespaces, for commands that use no index. */
  readonly registry: RegistryAccess;
  /** Reads everything that is stored of the indexes. Throws NAMESPACE_NOT_FOUND and BACKEND_UNAVAILABLE. */
  readonly verifyBackend: (
    wanted: string | undefined,
  ) => Promise<AsyncGenerator<VerifiedNamespace, void, undefined>>;
  /**
   * Copies namespaces between two places: addresses of databases, data directories, or "files" for that of this machine.
   * Throws USAGE, and what `copyBackend` throws.
   */
  readonly copyBackend: (
    from: string,
    to: string,
    wanted: string | undefined,
  ) => Promise<AsyncGenerator<CopiedNamespace, void, undefined>>;
  /** Accepts keys of the model provider at `url`. Throws USAGE for an invalid URL. */
  readonly openProvider: (choice: ProviderOptions) => Promise<Byok>;
  /** Asks another server what a token allows. Throws USAGE, REMOTE_UNAVAILABLE, and UNAUTHENTICATED and the like. */
  readonly checkRemoteToken: (server: string, secret: string) => Promise<RemoteAccess>;
  /** Prepares to send calls to another server, and sends nothing yet. The caller closes it. Throws USAGE. */
  readonly openBridge: (choice: BridgeChoice) => Promise<Bridge>;
  /**
   * Finds the index of a repository on another server, to start one of this machine from it. The caller closes it. Throws
   * USAGE, NAMESPACE_NOT_FOUND, REMOTE_UNAVAILABLE, and UNAUTHENTICATED and the like.
   */
  readonly openIndexOffer: (choice: OfferChoice) => Promise<IndexOffer>;
  /** The files of a release: a folder, or an https address. Throws USAGE and UPGRADE_FAILED. The caller closes it. */
  readonly openRelease: (from: string, signal: AbortSignal) => Promise<ReleaseSource>;
  readonly close: () => Promise<void>;
}

/** The token of another server, encrypted on this machine. */
export interface SavedToken extends Pick<DefaultToken, "read"> {
  /** Returns a text to show to the user once, if the store is new. Throws CREDENTIAL_STORE and STORAGE_FULL. */
  readonly save: (secret: string) => Promise<string | undefined>;
  /** Throws the same. */
  readonly remove: () => Promise<void>;
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
  /** Runs the indexing jobs, and is not closed with the app; by default threads of its own. */
  readonly jobRunner?: JobRunner | undefined;
}

export function createApp({
  settings,
  writeLog,
  humanLog,
  workingDirectory = process.cwd(),
  credentials: chosen,
  jobRunner,
}: AppOptions): App {
  const logger = createLogger({ level: settings.logLevel, write: writeLog, human: humanLog });
  const credentials: CredentialBackend & Partial<SealedBackend> =
    chosen ?? credentialsOf(settings, logger);
  const backend = backendOf(settings);
  const remote = remoteAccess({ settings, logger, workingDirectory });
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
    ...projectAccess(workingDirectory),
    openRelease: (from, signal) => openRelease(resolve(workingDirectory, from), from, signal),
    async engine(choice = {}) {
      // The threads of an engine opened after close() would keep the process alive.
      if (isClosed) throw new SvcError("INDEX_UNAVAILABLE", "The program is ending.");
      engine ??= openEngine({ settings, logger, workingDirectory, jobRunner, ...remote }, choice);
      return engine;
    },
    ...credentialAccess(credentials, settings.token),
    credentials,
    sealedStore: credentials.sealedStore,
    sharedBackend: backend.kind === "postgres" ? backend : undefined,
    credentialsOf: (other) => credentialsOf(other, logger),
    savedTokenOf: (server) => savedToken(machineStore(server, settings, logger)),
    registry: registryAccess(backend),
    async verifyBackend(wanted) {
      const { verifyBackend } = await import("./backend/verify-backend.ts");
      return verifyBackend(backend, { principal: localOwner(), wanted });
    },
    async copyBackend(from, to, wanted) {
      const { copyBackend } = await import("./backend/copy-backend.ts");
      const [source, target] = [from, to].map((place) => placeOf(place, settings));
      if (source === undefined || target === undefined) throw new Error("two places");
      return copyBackend(source, target, { principal: localOwner(), wanted });
    },
    async openProvider({ url, model, namespace }) {
      const { Provider } = await import("./providers/provider.ts");
      provider = new Provider({ url, model });
      return byokOf(provider, namespace);
    },
    ...remote,
    async close() {
      isClosed = true;
      const closing = credentials.close();
      await provider?.close();
      await (await engine?.catch(() => undefined))?.close();
      await closing;
    },
  };
}

/** What is sent to other servers of svc. */
function remoteAccess({
  settings,
  logger,
  workingDirectory,
}: Pick<AppOptions, "settings"> & {
  readonly logger: Logger;
  readonly workingDirectory: string;
}): Pick<App, "checkRemoteToken" | "openBridge" | "openIndexOffer"> {
  return {
    async checkRemoteToken(server, secret) {
      const { checkToken } = await import("./remote/check-token.ts");
      return checkToken(server, secret, productVersion());
    },
    async openBridge({ server, root = workingDirectory, ...choice }) {
      const { Bridge } = await import("./remote/bridge.ts");
      const { parseServerAddress } = await import("./remote/server-address.ts");
      const { workspaceRemoteNames } = await import("./sources/repository-name.ts");
      const address = parseServerAddress(server);
      return new Bridge({
        ...choice,
        address,
        version: productVersion(),
        logger,
        readToken: tokenReader(address.name, settings, logger),
        repositories: () => workspaceRemoteNames(root),
        caller: (readOnly) => localOwner({ readOnly }),
      });
    },
    async openIndexOffer(choice) {
      const { openRemoteIndex } = await import("./remote/open-remote-index.ts");
      const { parseServerAddress } = await import("./remote/server-address.ts");
      const { workspaceRemoteNames } = await import("./sources/repository-name.ts");
      const address = parseServerAddress(choice.server);
      return openRemoteIndex({
        ...choice,
        address,
        version: productVersion(),
        readToken: tokenReader(address.name, settings, logger, choice.hasOwnToken),
        repositories: () => workspaceRemoteNames(choice.root),
      });
    },
  };
}

async function openRelease(
  path: string,
  from: string,
  signal: AbortSignal,
): Promise<ReleaseSource> {
  if (/^https?:/i.test(from)) {
    const { releaseDownload } = await import("./providers/release-download.ts");
    return releaseDownload(from, signal);
  }
  const { releaseFolder } = await import("./upgrade/release-folder.ts");
  return releaseFolder(path);
}

function projectAccess(
  workingDirectory: string,
): Pick<App, "workingDirectory" | "project" | "sizeOf"> {
  return {
    workingDirectory,
    async project(named) {
      const { projectAround } = await import("./engine/workspace.ts");
      return projectAround({ ...named, workingDirectory });
    },
    async sizeOf(root) {
      const { folderSize } = await import("./scan/folder-size.ts");
      const { projectSettings } = await import("./engine/indexing/project-settings.ts");
      return folderSize(root, (await projectSettings(root))?.filter);
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
  shardChunks,
  nodeAddress,
  dataDirectory,
}: Settings): StoredDescription {
  if (backend === undefined) return { kind: "embedded", dataDirectory };
  // Copies of two databases must not mix.
  const folder = join(cacheDirectory, shortHash(backend));
  return {
    kind: "postgres",
    url: backend,
    cacheDirectory: folder,
    dataDirectory,
    maxCacheBytes,
    shardChunks,
    nodeAddress,
  };
}

/** Resolves the place of indexes that the user names. */
function placeOf(place: string, settings: Settings): StoredDescription {
  if (/^postgres(?:ql)?:/.test(place)) return backendOf({ ...settings, backend: place });
  const dataDirectory = place === "files" ? settings.dataDirectory : resolve(place);
  return { kind: "embedded", dataDirectory };
}

/** The one place that chooses where credentials are stored. */
function credentialsOf(
  settings: Settings,
  logger: Logger,
): CredentialBackend & Partial<SealedBackend> {
  const { backend: url, auditQuery: withQueries } = settings;
  if (url === undefined) return sealedBackend({ settings, logger });
  const machine = machineStore(url, settings, logger);
  return postgresCredentials({ url, machine, withQueries, logger });
}

/** A store of this machine for its token of another place, so that saving one leaves that of this machine's own store. */
function machineStore(address: string, settings: Settings, logger: Logger): SealedBackend {
  const place = join("shared", shortHash(address));
  const own = {
    ...settings,
    dataDirectory: join(settings.dataDirectory, place),
    keyDirectory: join(settings.keyDirectory, place),
  };
  return sealedBackend({ settings: own, logger });
}

function savedToken(store: SealedBackend): SavedToken {
  // The credential itself is in the store of the server.
  const credential = "remote";
  return {
    read: async () => store.defaultToken.read(),
    async save(secret) {
      const { notice } = await store.create();
      await store.defaultToken.save(secret, credential);
      return notice;
    },
    remove: async () => store.defaultToken.remove(credential),
    close: async () => store.close(),
  };
}

/** Reads SERVICE_TOKEN, unless it is the token of this machine, else the token that `svc auth login` saved. */
function tokenReader(
  server: string,
  settings: Settings,
  logger: Logger,
  hasOwnToken = false,
): ReadToken {
  return async () => {
    if (settings.token !== undefined && !hasOwnToken)
      return { secret: settings.token, source: "environment" };
    const saved = savedToken(machineStore(server, settings, logger));
    try {
      const secret = await saved.read();
      if (secret !== undefined) return { secret, source: "login" };
    } finally {
      await saved.close();
    }
    throw new SvcError("UNAUTHENTICATED", `There is no access token for ${server}.`, {
      hint: `Run \`svc auth login ${server}\` once on this machine${hasOwnToken ? "" : ", or set SERVICE_TOKEN"}.`,
    });
  };
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
    jobRunner,
    openIndexOffer,
  }: Pick<App, "openIndexOffer"> & {
    settings: Settings;
    logger: Logger;
    workingDirectory: string;
    jobRunner: JobRunner | undefined;
  },
  { root, namespace, watches: watchesFiles, fromRemote, ...choice }: EngineOptions,
): Promise<Engine> {
  const { createEngine } = await import("./engine/create-engine.ts");
  const { workspaceRoot } = await import("./engine/workspace.ts");
  const { openBackend } = await import("./backend/open-backend.ts");
  // The working directory of a node with one task means nothing.
  const hasWorkspace = root !== undefined || choice.role === undefined || choice.role === "both";
  return createEngine({
    ...choice,
    backend: await openBackend(backendOf(settings), logger),
    dataDirectory: settings.dataDirectory,
    home: settings.home,
    logger,
    workspace: hasWorkspace
      ? () => workspaceRoot({ root, workingDirectory, home: settings.home })
      : undefined,
    namespace: namespace ?? settings.namespace,
    embeddings: settings.embeddings,
    packageFolders: settings.packageFolders,
    fetchRepository,
    jobRunner,
    watchesFiles,
    openOffer:
      fromRemote &&
      ((folder, signal) =>
        openIndexOffer({ ...fromRemote, root: folder, hasOwnToken: true, signal })),
  });
}

const fetchRepository: FetchRepository = async (request) => {
  const provider = await import("./providers/git-fetch.ts");
  return provider.fetchRepository(request);
};
