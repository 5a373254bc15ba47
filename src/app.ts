// Wiring: settings -> logger, credentials, engine, tools. Everything is made on first use, so that
// `svc --help` opens nothing and `initialize` is answered before any of it is loaded.

import { join } from "node:path";

import { SvcError } from "./base/errors.ts";
import { createLogger, type Logger } from "./base/log.ts";
import type { Settings } from "./config/settings.ts";
import { storeExists } from "./credentials/store-file.ts";
import type { Principal } from "./credentials/authenticate.ts";
import type { CredentialStore } from "./credentials/store.ts";
import type { Engine } from "./engine/engine.ts";
import type { Caller } from "./sources/namespace.ts";

interface EngineChoice {
  /** The folder to work on; the git top level of the working directory by default. */
  readonly root?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface App {
  readonly settings: Settings;
  readonly logger: Logger;
  /** The user at the terminal: owner of everything on this machine. */
  readonly owner: Caller;
  /** Made on the first call; later calls get the same one. */
  readonly engine: (choice?: EngineChoice) => Promise<Engine>;
  /** Undefined when no credential was ever made on this machine. */
  readonly credentials: () => Promise<CredentialStore | undefined>;
  readonly createCredentials: () => Promise<CredentialStore>;
  /** Verifies SERVICE_TOKEN, else this machine's default token. Throws UNAUTHENTICATED and its kin. */
  readonly authorize: () => Promise<Principal>;
  /** True when there is a token to try, without opening the store. */
  readonly mayHaveToken: () => boolean;
  readonly close: () => Promise<void>;
}

export interface AppOptions {
  readonly settings: Settings;
  /** Receives log lines. */
  readonly writeLog: (line: string) => void;
  readonly humanLog: boolean;
  readonly workingDirectory?: string;
}

const OWNER: Caller = { id: "local", namespaces: "all", readOnly: false };

export function createApp({
  settings,
  writeLog,
  humanLog,
  workingDirectory = process.cwd(),
}: AppOptions): App {
  const logger = createLogger({ level: settings.logLevel, write: writeLog, human: humanLog });
  let engine: Promise<Engine> | undefined;
  let store: Promise<CredentialStore | undefined> | undefined;
  const closing = new AbortController();

  const storeOptions = async () => {
    const { systemKeychain } = await import("./credentials/data-key-keychain.ts");
    return {
      directory: credentialsDirectory(settings),
      keyDirectory: settings.keyDirectory,
      passphrase: settings.passphrase,
      keychain: systemKeychain({
        nativeDirectory: join(settings.dataDirectory, "native"),
        signal: closing.signal,
      }),
      log: logger,
    };
  };
  const openCredentials = async (): Promise<CredentialStore | undefined> => {
    const { openStore } = await import("./credentials/open-store.ts");
    return openStore(await storeOptions());
  };
  const credentials = async (): Promise<CredentialStore | undefined> => {
    store ??= openCredentials();
    try {
      const opened = await store;
      // Absence is not remembered: another process may make the store at any moment.
      if (opened === undefined) store = undefined;
      return opened;
    } catch (thrown) {
      // Nor is failure: a locked keychain can be unlocked.
      store = undefined;
      throw thrown;
    }
  };

  return {
    settings,
    logger,
    owner: OWNER,
    engine({ root, namespace } = {}) {
      engine ??= openEngine({ settings, logger, workingDirectory }, { root, namespace });
      return engine;
    },
    credentials,
    async createCredentials() {
      const { openOrCreateStore } = await import("./credentials/open-store.ts");
      const created = await openOrCreateStore(await storeOptions());
      store = Promise.resolve(created);
      return created;
    },
    async authorize() {
      const { authenticate } = await import("./credentials/authenticate.ts");
      const opened = await credentials();
      const token = settings.token ?? opened?.defaultToken();
      if (token === undefined) throw noToken();
      return authenticate(opened, token);
    },
    mayHaveToken: () => settings.token !== undefined || storeExists(credentialsDirectory(settings)),
    async close() {
      // A keychain that hangs must not hold up the end of the process.
      closing.abort();
      await (await engine?.catch(() => undefined))?.close();
      (await store?.catch(() => undefined))?.close();
    },
  };
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
  { root, namespace }: EngineChoice,
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
  });
}

function noToken(): SvcError {
  return new SvcError("UNAUTHENTICATED", "No access token was given.", {
    hint: "Run `svc auth token create --name NAME --save` once on this machine, or set SERVICE_TOKEN.",
  });
}
