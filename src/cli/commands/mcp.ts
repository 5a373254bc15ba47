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

/** After the first authorised call: its answer goes out before indexing takes the processor. */
const BACKGROUND_DELAY_MS = 20;

const NO_TOKEN =
  " This machine has no access token yet, so calls are refused: run `svc auth token create --name NAME --save` once.";

export const command = defineCommand({
  description:
    "Serves the Model Context Protocol over standard input and output, one JSON-RPC message a line. The folder that is served is --root, else the git top level of the working directory, else the working directory; it is indexed in the background. Point an IDE at this command.\n\nThe access token comes from SERVICE_TOKEN, else it is the one kept by `svc auth token create --save`. Logs go to standard error; SERVICE_DEBUG=true shows every message.\n\nThe tool index_source takes the folder that is served, the folders that are indexed already, what lies below them, and URLs of repositories. It refuses every other folder, because an agent may follow instructions in a file that it has read: --allow-root allows one, and `svc index` at the shell indexes any.",
  flags: {
    stdio: {
      type: "boolean",
      description: "Use standard input and output. Required: there is no other transport here.",
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
    { run: "svc mcp --stdio --root ~/src/project", description: "Serves the project." },
    {
      run: "svc mcp --stdio --allow-root ~/src",
      description:
        "Serves the working directory, and lets the client index other projects in ~/src.",
    },
  ],
  async run({ flags }, { app, signal }) {
    if (!flags.stdio) {
      throw new SvcError("USAGE", "`svc mcp` needs --stdio.", {
        hint: "Run `svc mcp --stdio`.",
      });
    }
    const { namespace, includeSecrets: showsSecrets } = flags;
    // Some editors pass `${workspaceFolder}` on as it stands where no folder is open.
    const root = nonBlankValue(flags.root);
    // Real paths as of now: a link that replaces one of them later allows nothing else.
    const allowRoots = flags.allowRoot
      .filter((folder) => nonBlankValue(folder) !== undefined)
      .map((folder) => requireFolder(folder, siblingHint));
    const openEngine = () =>
      app.engine({ root, namespace, allowRoots, watches: true, showsSecrets });
    const recheck = () => app.authorize({ shouldTouchLastUsed: false });
    const check = new TokenCheck({
      verify: recheck,
      logger: app.logger,
      slow: app.keychainAsked,
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
        audit: app.auditCall,
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

/** With what keeps the calls from being answered, so that the model can say so to its user before it calls. */
function instructionsFor(app: App, check: TokenCheck): string | Promise<string> {
  if (!app.mayHaveToken()) return INSTRUCTIONS + NO_TOKEN;
  const problem = check.problem();
  return problem instanceof Promise ? problem.then(withProblem) : withProblem(problem);
}

/** Indexing begins with the first caller who may ask: nothing is read for a stranger. */
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
