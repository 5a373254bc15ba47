import { SvcError, toSvcError } from "../../base/errors.ts";
import { parseSecret, type CredentialKind } from "../../credentials/secret-format.ts";
import { parseServerAddress } from "../../remote/server-address.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { readSecret } from "../read-secret.ts";

const INTERRUPTED = 130;
const MAX_SHOWN = 5;

export const command = defineCommand({
  description:
    "Saves an access token of another server on this machine, encrypted, for `svc mcp --remote URL`. An administrator of the server creates it with `svc auth token create`.\n\nAsks for the token on the terminal, without echo. If standard input is not a terminal, reads its first line. Saves the token only if the server accepts it.",
  args: [
    {
      name: "url",
      required: true,
      description: "Address of the server, such as https://svc.example.org.",
    },
  ],
  flags: { json: JSON_FLAG },
  examples: [
    {
      run: "svc auth login https://svc.example.org",
      description: "Ask for the token and save it.",
    },
    {
      run: "svc auth login https://svc.example.org < token-file",
      description: "Read the token from a file.",
    },
  ],
  async run({ args, flags }, { app, io, signal }) {
    const { name: server } = parseServerAddress(args.url);
    const secret = await readSecret({ io, signal }, `Access token for ${server}: `);
    if (secret === undefined) return INTERRUPTED;
    requireToken(secret);
    const { tools, namespaces } = await app.checkRemoteToken(server, secret);
    const saved = app.savedTokenOf(server);
    try {
      const notice = await saved.save(secret);
      if (notice !== undefined) io.err(`svc: ${notice}\n`);
    } finally {
      await saved.close();
    }
    if (flags.json) printJson(io, { server, tools, namespaces });
    else io.out(safeText(report(server, tools.length, namespaces)));
    return 0;
  },
});

const CREATE_HINT = "The people who run the server create one with `svc auth token create`.";

/** Throws USAGE, UNAUTHENTICATED and CREDENTIAL_MALFORMED. */
function requireToken(secret: string): void {
  if (secret === "") {
    throw new SvcError("USAGE", "No token was given.", {
      hint: "Enter it on the terminal, or pass it on standard input.",
    });
  }
  if (kindOf(secret) === "token") return;
  throw new SvcError("USAGE", "This is an API key, and the server needs an access token.", {
    hint: CREATE_HINT,
  });
}

/** The remedy for a credential of another server is not a command of this machine. */
function kindOf(secret: string): CredentialKind {
  try {
    return parseSecret(secret).kind;
  } catch (thrown) {
    const { code, message } = toSvcError(thrown);
    throw new SvcError(code, message, {
      hint: `A token is one word of 42 characters. ${CREATE_HINT}`,
    });
  }
}

function report(server: string, tools: number, namespaces: readonly string[]): string {
  const shown = namespaces.slice(0, MAX_SHOWN).join(", ");
  const more = namespaces.length > MAX_SHOWN ? ` and ${namespaces.length - MAX_SHOWN} more` : "";
  const what = namespaces.length === 0 ? "Nothing is indexed there yet" : `It has ${shown}${more}`;
  return `Saved the token for ${server}: it allows ${tools} tools. ${what}.\nRun \`svc install CLIENT --remote ${server}\` to use it in an editor or agent.\n`;
}
