import type { FoundClient } from "../../clients/find-installed.ts";
import { formatTable } from "./table.ts";

type FoundFile = FoundClient["files"][number];

/** The JSON of `svc install` without a client. */
export function clientsJson(found: readonly FoundClient[]): object[] {
  return found.map(({ client: { id, name }, isFound, files }) => ({
    client: id,
    name,
    found: isFound,
    files: files.map((file) => ({
      scope: file.scope,
      file: file.path,
      exists: file.exists,
      installed: file.entry === "program",
      command: file.command ?? null,
      command_exists: file.commandExists ?? null,
      problem: file.problem ?? null,
    })),
  }));
}

/** The same as a table: one row for each user file, and for each project file that exists. */
export function clientTable(found: readonly FoundClient[]): string {
  const rows = found.flatMap(({ client, isFound, files }) =>
    files
      .filter(({ scope, exists }) => scope === "user" || exists)
      .map((file) => [client.id, isFound ? "yes" : "no", stateOf(file), file.scope, file.path]),
  );
  const columns = ["CLIENT", "FOUND", "SVC", "SCOPE", "FILE"].map((title) => ({ title }));
  return `${formatTable({ columns, rows })}\nRun \`svc install CLIENT\` to add svc to a client.\n`;
}

function stateOf({ entry, commandExists, problem }: FoundFile): string {
  if (problem !== undefined) return "invalid file";
  if (entry === "none") return "no";
  if (entry === "remote") return "remote server";
  return commandExists === false ? "program missing" : "yes";
}
