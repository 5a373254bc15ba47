// node bench/clients/run.ts [--before FILE] [--svc FILE] [--clients FOLDER] [--only ID,ID]: measures the text that the
// models of published clients receive from svc, before and after a change. Writes docs/clients-measured.md if all
// clients and both programs were measured. FOLDER has the clients of clients.ts installed; bench/README.md says how.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { SVC } from "../workspace.ts";
import { CLIENTS, type Client } from "./clients.ts";
import {
  measure,
  preparePrograms,
  sentBy,
  type Measured,
  type Place,
  type Program,
} from "./measure.ts";
import { measuredPage, type ClientFigures } from "./page.ts";

const CORPUS = "webpack 5.112.2";

const { values } = parseArgs({
  options: {
    before: { type: "string" },
    svc: { type: "string", default: SVC },
    clients: { type: "string", default: join(tmpdir(), "clients-bench") },
    only: { type: "string" },
  },
});

const folder = mkdtempSync(join(tmpdir(), "svc-bench-clients-"));
try {
  await main({ folder, clients: resolve(values.clients) });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(place: Place): Promise<void> {
  const files = [values.before, values.svc].flatMap((file) =>
    file === undefined ? [] : [resolve(file)],
  );
  const programs = preparePrograms(files, place);
  const sent = await Promise.all(programs.map(sentBy));
  const labels = programs.length === 1 ? ["now"] : ["before", "now"];
  const only = values.only?.split(",");
  const chosen = CLIENTS.filter(({ id }) => only?.includes(id) ?? true);
  const figures: ClientFigures[] = [];
  for (const client of chosen) {
    const measured: (Measured | string)[] = [];
    for (const program of programs) measured.push(await attempt(client, program, place));
    figures.push({ name: client.name, version: versionOf(client, place), measured });
    console.log(`${client.name}: ${JSON.stringify(measured, null, 2)}`);
  }
  const page = measuredPage({ clients: figures, sent, labels, corpus: CORPUS });
  if (chosen.length < CLIENTS.length || programs.length === 1) {
    console.log(page);
    return;
  }
  writeFileSync(join(import.meta.dirname, "../../docs/clients-measured.md"), page);
}

/** The figures, or the reason for missing figures. */
async function attempt(client: Client, program: Program, place: Place): Promise<Measured | string> {
  try {
    return await measure(client, program, place);
  } catch (error) {
    console.error(error);
    return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  }
}

function versionOf({ program }: Client, { clients, folder: home }: Place): string {
  const path = join(clients, "node_modules/.bin", program);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const text = execFileSync(path, ["--version"], { encoding: "utf8", env });
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? "unknown";
}
