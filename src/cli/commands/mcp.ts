import { productVersion } from "../../base/assets.ts";
import { SvcError } from "../../base/errors.ts";
import type { App } from "../../app.ts";
import { nonBlankValue } from "../../config/environment.ts";
import { requireFolder, siblingHint } from "../../sources/confined-path.ts";
import type { Principal } from "../../sources/principal.ts";
import { processStreams } from "../../transports/process-streams.ts";
import { serveStdio } from "../../transports/stdio.ts";
import { defineCommand, INCLUDE_SECRETS_FLAG } from "../command.ts";
import { INSTRUCTIONS, offeredTools } from "../mcp-server-options.ts";
import { TokenCheck } from "../token-check.ts";

/** Delay after the first authorised call, so that its answer is sent before indexing uses the processor. */
const BACKGROUND_DELAY_MS = 20;

const NO_TOKEN =
  " This machine has no access token yet, so calls are refused: run `svc auth token create --name NAME --save` once.";

export const command = defineCommand({
  description:
    "Runs an MCP server over standard input and output, one JSON-RPC message per line. It serves --root, else the git top level of the working directory, else the working directory, and indexes it in the background. Editors and agents start this command; `svc install` configures them.\n\nThe access token is SERVICE_TOKEN, else the one saved by `svc auth token create --save`. Logs go to standard error; SERVICE_DEBUG=true logs every message.\n\nThe tool index_source accepts the served folder, folders that are indexed already, folders below them, and URLs of repositories. It refuses every other folder, because an agent may follow instructions in a file that it has read: --allow-root allows one, and `svc index` in a shell indexes any.",
  flags: {
    stdio: {
      type: "boolean",
      description: "Use standard input and output (required; the only transport of this command).",
    },
    root: { type: "string", placeholder: "DIR", description: "Serve this folder." },
    namespace: { type: "string", placeholder: "NS", description: "Serve this namespace." },
    allowRoot: {
      type: "list",
      placeholder: "DIR",
      description: "Let index_source index this folder, and what lies below it, as well.",
    },
    readOnly: { type: "boolean", description: "Offer no tool that changes the index." },
    includeSecrets: INCLUDE_SECRETS_FLAG,
  },
  examples: [
    { run: "svc mcp --stdio --root ~/src/project", description: "Serve a project." },
    {
      run: "svc mcp --stdio --allow-root ~/src",
      description: "Serve the working directory, and let the client index other projects in ~/src.",
    },
  ],
  async run({ flags }, { app, signal }) {
    if (!flags.stdio) {
      throw new SvcError("USAGE", "`svc mcp` needs --stdio.", {
        hint: "Run `svc mcp --stdio`.",
      });
    }
    const { namespace, includeSecrets: showsSecrets } = flags;
    // Some editors pass `${workspaceFolder}` unreplaced if no folder is open.
    const root = nonBlankValue(flags.root);
    // Current real paths: a link that replaces one of them later allows nothing else.
    const allowRoots = flags.allowRoot
      .filter((folder) => nonBlankValue(folder) !== undefined)
      .map((folder) => requireFolder(folder, siblingHint));
    const openEngine = () =>
      app.engine({ root, namespace, allowRoots, watches: true, showsSecrets });
    const recheck = () => app.authorize({ shouldTouchLastUsed: false });
    const check = new TokenCheck({
      verify: recheck,
      logger: app.logger,
      slow: app.credentials.slow,
    });
    const { authorize, cancel } = withBackgroundIndexing(app, openEngine);
    if (app.mayHaveToken() && !app.wasTokenAccepted()) check.start();
    await serveStdio(
      {
        tools: () => offeredTools(flags.readOnly),
        version: productVersion(),
        instructions: () => instructionsFor(app, check),
        engine: openEngine,
        authorize: () => check.record(authorize()),
        explainsRefusals: true,
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
): { readonly authorize: () => Promise<Principal>; readonly cancel: () => void } {
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
