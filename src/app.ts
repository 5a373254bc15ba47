// Wiring: settings -> logger, credentials, engine, tools. Everything is created on first use, so that
// `svc --help` opens nothing and `initialize` is answered before any of it is loaded.

import { join } from "node:path";

import { SvcError } from "./base/errors.ts";
import { createLogger, type Logger } from "./base/log.ts";
import type { Settings } from "./config/settings.ts";
import { storeExists } from "./credentials/store-file.ts";
import type { AuditLog } from "./credentials/audit/audit-log.ts";
import { createLazyAuditLog, type LazyAuditLog } from "./credentials/audit/lazy-audit-log.ts";
import type { AuditDirectories } from "./credentials/audit/log-files.ts";
import type { CallEvent } from "./credentials/audit-event.ts";
import { forgetAccepted, noteAccepted, wasAccepted } from "./credentials/accepted-token.ts";
import type { CredentialPrincipal } from "./credentials/authenticate.ts";
import type { CredentialKind } from "./credentials/secret-format.ts";
import { RightsWatcher } from "./credentials/rights-watcher.ts";
import type { StoreOptions } from "./credentials/open-store.ts";
import { StoreHandle } from "./credentials/store-handle.ts";
import { withTokenRemedy, type TokenOrigin } from "./credentials/token-remedy.ts";
import type { CredentialStore } from "./credentials/store.ts";
import type { Engine } from "./engine/engine.ts";
import type { FetchRepository } from "./engine/indexing/update-clone.ts";
import type { Provider } from "./providers/provider.ts";
import { localOwner, providerKeyPrincipal, type Principal } from "./sources/principal.ts";
import type { Byok } from "./transports/http/byok.ts";

export interface AuthorizeOptions {
  /** False for a check without a call, so that `auth token list` does not show the token as used. */
  readonly shouldTouchLastUsed: boolean;
}

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

export interface App {
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
  /** Undefined when this machine has no credential store. */
  readonly credentials: () => Promise<CredentialStore | undefined>;
  readonly createCredentials: () => Promise<CredentialStore>;
  /** Options that open the store of this machine and audit its events. */
  readonly storeOptions: () => Promise<StoreOptions>;
  /** The audit log; undefined without a store, which contains its key. */
  readonly auditLog: () => Promise<AuditLog | undefined>;
  /** Folders of the audit log. */
  readonly auditDirectories: AuditDirectories;
  /** Records a call in the audit log, asynchronously. Without a store there are no authenticated calls. */
  readonly auditCall: (call: CallEvent) => void;
  /** Verifies SERVICE_TOKEN, else the default token. Throws UNAUTHENTICATED, TOKEN_EXPIRED or CREDENTIAL_REVOKED. */
  readonly authorize: (how?: AuthorizeOptions) => Promise<CredentialPrincipal>;
  /** Verifies a secret that a client sent. Throws the same. */
  readonly authenticateAs: (
    secret: string,
    wanted: CredentialKind,
    how?: AuthorizeOptions,
  ) => Promise<CredentialPrincipal>;
  /** Notifies listeners of changes to their credentials. */
  readonly rights: RightsWatcher;
  /** Accepts keys of the model provider at `url`. Throws USAGE for an invalid URL. */
  readonly openProvider: (choice: ProviderOptions) => Promise<Byok>;
  /** Whether there may be a token, without opening the store. */
  readonly mayHaveToken: () => boolean;
  /** Resolves when the system's keychain is asked: it may take seconds to answer. */
  readonly keychainAsked: Promise<void>;
  /** True when the token to try worked before and nothing is known against it, without opening the store. */
  readonly wasTokenAccepted: () => boolean;
  readonly close: () => Promise<void>;
}

export interface AppOptions {
  readonly settings: Settings;
  /** Receives log lines. */
  readonly writeLog: (line: string) => void;
  readonly humanLog: boolean;
  readonly workingDirectory?: string;
}

export function createApp({
  settings,
  writeLog,
  humanLog,
  workingDirectory = process.cwd(),
}: AppOptions): App {
  const logger = createLogger({ level: settings.logLevel, write: writeLog, human: humanLog });
  const { close: closeAccess, ...access } = createAccess({ settings, logger });
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
    ...access,
    async openProvider({ url, model, namespace }) {
      const { Provider } = await import("./providers/provider.ts");
      provider = new Provider({ url, model });
      return byokOf(provider, namespace);
    },
    auditDirectories: auditDirectories(settings),
    wasTokenAccepted: () => wasAccepted(settings.dataDirectory, settings.token),
    mayHaveToken: () => settings.token !== undefined || storeExists(credentialsDirectory(settings)),
    async close() {
      isClosed = true;
      const closing = closeAccess();
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
    admit:
      holder &&
      (async (key, { signal, requireAllowed }) => {
        await provider.requireKey(key, signal, requireAllowed);
        return holder;
      }),
    rerankerFor: (key) => (request) => provider.rerank(key, request),
  };
}

type Access = Pick<
  App,
  | "credentials"
  | "createCredentials"
  | "storeOptions"
  | "auditLog"
  | "auditCall"
  | "authorize"
  | "authenticateAs"
  | "rights"
  | "keychainAsked"
  | "close"
>;

/** Returns the secret to verify. Throws UNAUTHENTICATED if there is none. */
type ChooseSecret = (store: CredentialStore | undefined) => string;

type VerifySecret = (
  choose: ChooseSecret,
  wanted: CredentialKind,
  how?: AuthorizeOptions,
) => Promise<CredentialPrincipal>;

interface AccessOptions {
  readonly settings: Settings;
  readonly logger: Logger;
}

/** The credential store and the audit log, whose key is in the store. */
function createAccess({ settings, logger }: AccessOptions): Access {
  const audit = createLazyAuditLog({
    ...auditDirectories(settings),
    withQueries: settings.auditQuery,
    log: logger,
  });
  const closing = new AbortController();
  const keychain = Promise.withResolvers<void>();
  // Does not load the audit log's code, so that `initialize` and `tools/list` do not wait for it.
  const bareOptions = () =>
    storeOptionsOf(
      { settings, logger },
      { audit, signal: closing.signal, onKeychain: keychain.resolve },
    );
  // Other users of these options may change the store, and changes are audited synchronously.
  const storeOptions = async (): Promise<StoreOptions> => {
    await audit.load();
    return bareOptions();
  };
  const store = new StoreHandle(async () => {
    const { openStore } = await import("./credentials/open-store.ts");
    return openStore(await bareOptions());
  });
  const auditLog = async (): Promise<AuditLog | undefined> => {
    const [opened] = await Promise.all([store.get(), audit.load()]);
    return opened === undefined ? undefined : audit.opened();
  };
  const verifySecret: VerifySecret = async (
    choose,
    wanted,
    { shouldTouchLastUsed } = { shouldTouchLastUsed: true },
  ) => {
    const { authenticate, verify } = await import("./credentials/authenticate.ts");
    return store.use((opened) => {
      const secret = choose(opened);
      return shouldTouchLastUsed
        ? authenticate(opened, secret, undefined, wanted)
        : verify(opened, secret, wanted);
    });
  };
  /** Calls that are being recorded. */
  const pendingCalls = new Set<Promise<void>>();
  return {
    credentials: () => audit.load().then(() => store.get()),
    storeOptions,
    async createCredentials() {
      const { openOrCreateStore } = await import("./credentials/open-store.ts");
      const created = await openOrCreateStore(await storeOptions());
      store.set(created);
      return created;
    },
    auditLog,
    auditCall(call) {
      const time = Date.now();
      const handed = auditLog()
        .then((log) => log?.recordCall(call, time))
        .catch((error: unknown) => audit.failed(error))
        .finally(() => pendingCalls.delete(handed));
      pendingCalls.add(handed);
    },
    authorize: ownTokenVerifier(settings, verifySecret),
    authenticateAs: (secret, wanted, how) => verifySecret(() => secret, wanted, how),
    keychainAsked: keychain.promise,
    rights: new RightsWatcher({
      revision: () => store.use((opened) => opened?.header.generation),
    }),
    async close() {
      // A blocked keychain must not delay the end of the process.
      closing.abort();
      await Promise.all(pendingCalls);
      await store.close();
      audit.close();
    },
  };
}

/** Verifies SERVICE_TOKEN, else the saved token; a refusal has the remedy for the one that was tried. */
function ownTokenVerifier(
  { token, dataDirectory }: Settings,
  verifySecret: VerifySecret,
): App["authorize"] {
  let isNoted = false;
  return async (how) => {
    let origin: TokenOrigin | undefined;
    const choose: ChooseSecret = (store) => {
      const secret = token ?? store?.defaultToken();
      if (secret === undefined) throw noToken();
      origin = token === undefined ? "store" : "environment";
      return secret;
    };
    try {
      const principal = await verifySecret(choose, "token", how);
      if (!isNoted) noteAccepted(dataDirectory, token, principal.expiresAt);
      isNoted = true;
      return principal;
    } catch (thrown) {
      throw origin === undefined ? thrown : withTokenRemedy(thrown, origin);
    }
  };
}

async function storeOptionsOf(
  { settings, logger }: AccessOptions,
  {
    audit,
    signal,
    onKeychain,
  }: {
    readonly audit: LazyAuditLog;
    readonly signal: AbortSignal;
    readonly onKeychain: () => void;
  },
): Promise<StoreOptions> {
  const { systemKeychain } = await import("./credentials/data-key-keychain.ts");
  return {
    directory: credentialsDirectory(settings),
    keyDirectory: settings.keyDirectory,
    keyFile: settings.keyFile,
    passphrase: settings.passphrase,
    keychain: systemKeychain({
      nativeDirectory: join(settings.dataDirectory, "native"),
      onRequest: onKeychain,
      signal,
    }),
    log: logger,
    auditPlaces: auditDirectories(settings),
    audit: (store) => {
      audit.setStore(store);
      return {
        recordEvent: (events) => {
          forgetAccepted(settings.dataDirectory);
          return audit.opened().recordEvent(events);
        },
        committed: (generation) => audit.opened().committed(generation),
      };
    },
  };
}

function auditDirectories({ dataDirectory, keyDirectory }: Settings): AuditDirectories {
  return { directory: join(dataDirectory, "audit"), keyDirectory };
}

function credentialsDirectory({ dataDirectory }: Settings): string {
  return join(dataDirectory, "credentials");
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
  return createEngine({
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

function noToken(): SvcError {
  return new SvcError("UNAUTHENTICATED", "No access token was given.", {
    hint: "Run `svc auth token create --name NAME --save` once on this machine, or set SERVICE_TOKEN.",
  });
}
