// Measures one client with one svc: the text that its model receives for each call of the script.
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { realProject } from "../../test/helpers/real-project.ts";
import { lineClient } from "../timed-child.ts";
import { homesIn, runSvcAt, type Environment } from "../workspace.ts";
import { CALLS } from "./calls.ts";
import type { Client } from "./clients.ts";
import { startStandIn } from "./stand-in.ts";
import { joinedText, recordOf } from "./wire-api.ts";

/** Changed files, so that list_changes returns something. */
const CHANGED_FILES = 40;
const MAX_CLIENT_MS = 180_000;

export interface Measured {
  /** Characters of the results of the questions, as the model receives them. */
  readonly characters: number;
  /** The same in UTF-8 bytes. */
  readonly bytes: number;
  /** Results that have members of `_meta`. */
  readonly withMeta: number;
  /** Characters for search_context only. */
  readonly searchCharacters: number;
  readonly questions: number;
  readonly wrongCalls: number;
  /** Wrong calls whose result has the reason and the remedy. */
  readonly withRemedy: number;
  /** The texts that the model receives for the other wrong calls. */
  readonly withoutRemedy: readonly string[];
}

export interface Place {
  /** Parent folder of the home folders. */
  readonly folder: string;
  /** Folder with the installed clients. */
  readonly clients: string;
}

/** An svc with a saved token and an index of its copy of the project, in which some files changed once. */
export interface Program {
  readonly svc: string;
  readonly svcEnv: Environment;
  readonly project: string;
}

export function preparePrograms(files: readonly string[], { folder }: Place): readonly Program[] {
  const freshEnv = homesIn(folder);
  return files.map((svc, at) => {
    const parent = join(folder, `project-${at}`);
    mkdirSync(parent);
    const project = realProject(parent);
    const { PATH: _path, ...svcEnv } = freshEnv();
    runSvcAt(svc, ["auth", "token", "create", "--name", "bench", "--save"], svcEnv);
    runSvcAt(svc, ["index", project], svcEnv);
    for (const name of readdirSync(join(project, "lib")).toSorted().slice(0, CHANGED_FILES)) {
      if (!name.endsWith(".js")) continue;
      appendFileSync(join(project, "lib", name), "\nfunction addedByBench() {}\n");
    }
    runSvcAt(svc, ["index", project], svcEnv);
    return { svc, svcEnv, project };
  });
}

/** Characters that svc sends for the questions: the results as JSON, and the text in them. */
export interface Sent {
  readonly json: number;
  readonly text: number;
}

/** For all questions, and only for search_context. */
export async function sentBy({ svc, svcEnv, project }: Program): Promise<{
  readonly all: Sent;
  readonly search: Sent;
}> {
  const env = { PATH: process.env["PATH"] ?? "", ...svcEnv };
  const child = spawn(svc, ["mcp", "--stdio"], {
    cwd: project,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const client = lineClient(child);
  const sent: (Sent & { readonly tool: string })[] = [];
  await client.request("initialize", { clientInfo: { name: "bench" } });
  for (const { tool, input } of CALLS.filter(({ remedy }) => remedy === undefined)) {
    const result = await client.request("tools/call", { name: tool, arguments: input });
    const text = joinedText(recordOf(result)["content"]);
    sent.push({ tool, json: JSON.stringify(result).length, text: text.length });
  }
  await client.close();
  const total = (list: readonly Sent[]): Sent => ({
    json: list.reduce((sum, { json }) => sum + json, 0),
    text: list.reduce((sum, { text }) => sum + text, 0),
  });
  return { all: total(sent), search: total(sent.filter(({ tool }) => tool === "search_context")) };
}

/** Throws if the client does not reach the end of the script. */
export async function measure(
  client: Client,
  { svc, svcEnv, project }: Program,
  place: Place,
): Promise<Measured> {
  const standIn = await startStandIn(client.api);
  const home = join(place.folder, `${client.id}-${standIn.port}`);
  mkdirSync(home);
  const { args, env } = client.launch({
    home,
    project,
    svc,
    svcEnv,
    port: standIn.port,
  });
  const program = join(place.clients, "node_modules/.bin", client.program);
  const output = await run(program, args, {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "dumb", NO_COLOR: "1", ...env },
  });
  standIn.close();
  if (standIn.received.size < CALLS.length) {
    const prompts = standIn.requests.slice(-5).join("\n");
    throw new Error(
      `${client.name}: ${standIn.received.size} of ${CALLS.length} results came\n${output.slice(-2000)}\n${prompts}`,
    );
  }
  return measuredOf(standIn.received);
}

function measuredOf(received: ReadonlyMap<number, string>): Measured {
  const all = CALLS.map((call, at) => ({ ...call, text: received.get(at) ?? "" }));
  const questions = all.filter(({ remedy }) => remedy === undefined);
  const wrong = all.filter(({ remedy }) => remedy !== undefined);
  const missing = wrong.filter(({ remedy, text }) => remedy?.test(text) !== true);
  return {
    characters: charactersOf(questions),
    bytes: questions.reduce((total, { text }) => total + Buffer.byteLength(text), 0),
    withMeta: all.filter(({ text }) => text.includes("dev.svc/")).length,
    searchCharacters: charactersOf(questions.filter(({ tool }) => tool === "search_context")),
    questions: questions.length,
    wrongCalls: wrong.length,
    withRemedy: wrong.length - missing.length,
    withoutRemedy: missing.map(
      ({ tool, input, text }) => `${tool} ${JSON.stringify(input)}: ${text.slice(0, 300)}`,
    ),
  };
}

function charactersOf(texts: readonly { readonly text: string }[]): number {
  return texts.reduce((total, { text }) => total + text.length, 0);
}

function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Environment },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const output: string[] = [];
    const timer = setTimeout(() => child.kill("SIGKILL"), MAX_CLIENT_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    }
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(timer);
      resolve(output.join(""));
    });
  });
}
