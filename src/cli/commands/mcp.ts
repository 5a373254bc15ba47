import { productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import type { App } from "../../app.ts";
import { nonBlankValue } from "../../config/environment.ts";
import { keepHeapSmall } from "../../base/small-heap.ts";
import type { CredentialPrincipal } from "../../credentials/authenticate.ts";
import { expiryNote } from "../../credentials/token-expiry.ts";
import { requireFolder, siblingHint } from "../../sources/confined-path.ts";
import { processStreams } from "../../transports/process-streams.ts";
import { serveStdio } from "../../transports/stdio.ts";
import { defineCommand, INCLUDE_SECRETS_FLAG, REMOTE_FLAG } from "../command.ts";
import { offerChoice, REMOTE_NAMESPACE_FLAG } from "../index-offer.ts";
import { INSTRUCTIONS, offeredTools } from "../mcp-server-options.ts";
import { TokenCheck } from "../token-check.ts";

/** Delay after the first authorised call, so that its answer is sent before indexing uses the processor. */
const BACKGROUND_DELAY_MS = 20;

const NO_TOKEN =
  " This machine has no access token yet, so calls are refused: run `svc auth token create --name NAME --save` once.";

export const command = defineCommand({
  description:
    "Runs an MCP server over standard input and output, one JSON-RPC message per line. It serves --root, else the git top level of the working directory, else the working directory, and indexes it in the background. Editors and agents start this command; `svc install` configures them.\n\nWith --remote, a server that your team runs with `svc serve` answers every call. svc finds the namespace of your repository there by its git remote. The token is SERVICE_TOKEN, else the one saved by `svc auth login`.\n\nWithout --remote, the access token is SERVICE_TOKEN, else the one saved by `svc auth token create --save`. Logs go to standard error; SERVICE_DEBUG=true logs every message.\n\nThe tool index_source accepts the served folder, folders that are indexed already, folders below them, and URLs of repositories. It refuses every other folder, because an agent may follow instructions in a file that it has read: --allow-root allows one, and `svc index` in a shell indexes any.",
  flags: {
    stdio: {
      type: "boolean",
      description:
        "Use standard input and output. This is the default, and the only transport of this command.",
    },
    root: { type: "string", placeholder: "DIR", description: "Serve this folder." },
    namespace: { type: "string", placeholder: "NS", description: "Serve this namespace." },
    allowRoot: {
      type: "list",
      placeholder: "DIR",
      description: "Also let index_source index this folder and the folders below it.",
    },
    readOnly: { type: "boolean", description: "Do not offer tools that change the index." },
    remote: REMOTE_FLAG,
    localFirst: {
      type: "boolean",
      description:
        "With --remote, answer from this machine if the server does not have the workspace.",
    },
    fromRemote: {
      type: "string",
      placeholder: "URL",
      description:
        "Answer from this machine, but start the index of the workspace from that of this server, as `svc index --from-remote` does, and ask it again when many files have changed. The token is the one saved by `svc auth login`. If the server cannot be reached, svc reads the files.",
    },
    remoteNamespace: REMOTE_NAMESPACE_FLAG,
    includeSecrets: INCLUDE_SECRETS_FLAG,
  },
  examples: [
    { run: "svc mcp --stdio --root ~/src/project", description: "Serve a project." },
    {
      run: "svc mcp --stdio --allow-root ~/src",
      description: "Serve the working directory, and let the client index other projects in ~/src.",
    },
    {
      run: "svc mcp --stdio --remote https://svc.example.org",
      description: "Answer from the index of a team.",
    },
    {
      run: "svc mcp --stdio --from-remote https://svc.example.org",
      description: "Answer from this machine, starting from the index of a team.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    if (io.errIsTerminal) {
      io.err(
        "svc waits for an MCP client on standard input; Ctrl-D ends it. `svc install CLIENT` sets up a client.\n",
      );
    }
    keepHeapSmall(signal);
    const { namespace, includeSecrets: showsSecrets } = flags;
    const { remote: server } = app.settings;
    const fromRemote = offerChoice(flags, server);
    // Some editors pass `${workspaceFolder}` unreplaced if no folder is open.
    const root = nonBlankValue(flags.root);
    // Current real paths: a link that replaces one of them later allows nothing else.
    const allowRoots = flags.allowRoot
      .filter((folder) => nonBlankValue(folder) !== undefined)
      .map((folder) => requireFolder(folder, siblingHint));
    const openEngine = () =>
      app.engine({ root, namespace, allowRoots, watches: true, showsSecrets, fromRemote });
    const caller = new LatestCaller(app);
    const recheck = () => caller.note(app.authorize({ shouldTouchLastUsed: false }));
    const check = new TokenCheck({
      verify: recheck,
      logger: app.logger,
      slow: app.credentials.slow,
    });
    if (flags.localFirst && server === undefined) {
      throw new SvcError("USAGE", "--local-first needs --remote.", {
        hint: "Without a server, svc always answers from this machine.",
      });
    }
    if (server !== undefined) {
      const local = { tools: () => offeredTools(flags.readOnly), authorize: () => app.authorize() };
      const choice = {
        server,
        root,
        namespace,
        local: flags.localFirst ? local : undefined,
      };
      await serveRemote(app, choice, { isReadOnly: flags.readOnly, engine: openEngine, signal });
      return;
    }
    const { authorize, cancel } = withBackgroundIndexing(app, openEngine);
    if (app.mayHaveToken() && !app.wasTokenAccepted()) check.start();
    await serveStdio(
      {
        tools: () => offeredTools(flags.readOnly),
        version: productVersion(),
        instructions: () => instructionsFor(app, check),
        engine: openEngine,
        authorize: () => check.record(caller.note(authorize())),
        explainsRefusals: true,
        note: () => caller.expiryNote(),
        recheck,
        watchRights: (onVerified) => app.rights.add({ verify: recheck, onVerified }),
        logger: app.logger,
        audit: app.credentials.recordCall,
      },
      { ...processStreams(), signal },
    );
    cancel();
  },
});

interface RemoteServer {
  readonly isReadOnly: boolean;
  /** The engine of this machine, for a workspace that the server does not have. */
  readonly engine: () => ReturnType<App["engine"]>;
  readonly signal: AbortSignal;
}

/** Serves the tools of another server. */
async function serveRemote(
  app: App,
  choice: Parameters<App["openBridge"]>[0],
  { isReadOnly, engine, signal }: RemoteServer,
): Promise<void> {
  const bridge = await app.openBridge(choice);
  await serveStdio(
    {
      ...bridge.server,
      tools: bridge.tools.filter(({ readOnly }) => readOnly || !isReadOnly),
      version: productVersion(),
      instructions: INSTRUCTIONS,
      engine,
      explainsRefusals: true,
      logger: app.logger,
    },
    { ...processStreams(), signal },
  );
  await bridge.close();
}

/** The owner of the token that was verified last. */
class LatestCaller {
  readonly #app: App;
  #principal: CredentialPrincipal | undefined;
  #isLogged = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Returns what is verified, and remembers it. */
  async note(verification: Promise<CredentialPrincipal>): Promise<CredentialPrincipal> {
    this.#principal = await verification;
    return this.#principal;
  }

  /** Says that the token expires soon; the log says it once. */
  expiryNote(): string | undefined {
    const { settings, logger } = this.#app;
    const origin = settings.token === undefined ? "store" : "environment";
    const note = this.#principal && expiryNote(this.#principal, origin);
    if (note !== undefined && !this.#isLogged) {
      logger.warn("the access token expires soon", { detail: note });
      this.#isLogged = true;
    }
    return note;
  }
}

function withProblem(problem: SvcError | undefined): string {
  return problem === undefined
    ? INSTRUCTIONS
    : `${INSTRUCTIONS} Every call is refused until your user has fixed this: ${problem.detail}`;
}

/** Includes the problem that prevents every call, so that the model can report it to its user before it calls. */
function instructionsFor(app: App, check: TokenCheck): string | Promise<string> {
  if (!app.mayHaveToken()) return INSTRUCTIONS + NO_TOKEN;
  const problem = check.problem();
  return problem instanceof Promise ? problem.then(withProblem) : withProblem(problem);
}

/** Indexing begins with the first authorised call: before it, no file is read. */
function withBackgroundIndexing(
  app: App,
  openEngine: () => ReturnType<App["engine"]>,
): { readonly authorize: () => Promise<CredentialPrincipal>; readonly cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    openEngine()
      .then((engine) => engine.startBackground())
      .catch((thrown: unknown) => app.logger.warn("indexing did not start", { error: thrown }));
  };
  return {
    async authorize() {
      const principal = await app.authorize();
      timer ??= setTimeout(start, BACKGROUND_DELAY_MS).unref();
      return principal;
    },
    cancel: () => clearTimeout(timer),
  };
}
