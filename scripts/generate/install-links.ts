// Links that add svc to an editor with one click, for README.md and docs/clients.md. They start the `svc` on the PATH: a
// link that ran a package of a registry would run what somebody else may publish there.
import { CLIENTS } from "../../src/clients/definitions.ts";
import { buildEntry } from "../../src/clients/entry.ts";

export interface InstallLink {
  readonly name: string;
  /** A page that opens the editor, for places that show no links of other kinds. */
  readonly web: string;
  /** Opens the editor itself. */
  readonly direct: string;
}

const NAME = "svc";

export function installLinks(): readonly InstallLink[] {
  const [cursor, vscode] = ["cursor", "vscode"].map(entryOf);
  const encoded = encodeURIComponent(Buffer.from(JSON.stringify(cursor)).toString("base64"));
  const config = encodeURIComponent(JSON.stringify(vscode));
  const named = encodeURIComponent(JSON.stringify({ name: NAME, ...vscode }));
  return [
    {
      name: "Cursor",
      web: `https://cursor.com/en/install-mcp?name=${NAME}&config=${encoded}`,
      direct: `cursor://anysphere.cursor-deeplink/mcp/install?name=${NAME}&config=${encoded}`,
    },
    {
      name: "VS Code",
      web: `https://vscode.dev/redirect/mcp/install?name=${NAME}&config=${config}`,
      direct: `vscode:mcp/install?${named}`,
    },
  ];
}

/** The entry that `svc install` writes, for the open folder. */
function entryOf(id: string): Readonly<Record<string, unknown>> {
  const client = CLIENTS.find((one) => one.id === id);
  if (client === undefined) throw new Error(`there is no client ${id}`);
  return buildEntry(
    client,
    { command: "svc", args: [] },
    {
      root: "${workspaceFolder}",
      defaultRoot: () => undefined,
      namespace: undefined,
      remote: undefined,
    },
  );
}
