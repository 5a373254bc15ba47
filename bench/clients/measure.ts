// One client with one svc: what its model is given for each call of the script.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { homesIn, runSvcAt, type Environment } from "../workspace.ts";
import { CALLS } from "./calls.ts";
import type { Client } from "./clients.ts";
import { startStandIn } from "./stand-in.ts";

const MAX_CLIENT_MS = 180_000;

export interface Measured {
  /** Characters of the results of the questions, as their model is given them. */
  readonly characters: number;
  /** The same in bytes of UTF-8. */
  readonly bytes: number;
  /** Of search_context only. */
  readonly searchCharacters: number;
  readonly questions: number;
  readonly wrongCalls: number;
  /** Wrong calls whose result has the reason and what would be right. */
  readonly withRemedy: number;
  /** What the model is given for those that have not. */
  readonly withoutRemedy: readonly string[];
}

export interface Place {
  /** Where homes are made. */
  readonly folder: string;
  readonly project: string;
  /** Where the clients are installed. */
  readonly clients: string;
}

/** Throws where the client does not come to the end of the script. */
export async function measure(client: Client, svc: string, place: Place): Promise<Measured> {
  const svcEnv = svcEnvironment(svc, place);
  const standIn = await startStandIn(client.api);
  const home = join(place.folder, `${client.id}-${standIn.port}`);
  mkdirSync(home);
  const { args, env } = client.launch({
    home,
    project: place.project,
    svc,
    svcEnv,
    port: standIn.port,
  });
  const program = join(place.clients, "node_modules/.bin", client.program);
  const output = await run(program, args, {
    cwd: place.project,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "dumb", NO_COLOR: "1", ...env },
  });
  standIn.close();
  if (standIn.received.size < CALLS.length) {
    const asked = standIn.requests.slice(-5).join("\n");
    throw new Error(
      `${client.name}: ${standIn.received.size} of ${CALLS.length} results came\n${output.slice(-2000)}\n${asked}`,
    );
  }
  return measuredOf(standIn.received);
}

/** With a token that is saved and an index of the project. */
function svcEnvironment(svc: string, { folder, project }: Place): Environment {
  const { PATH: _path, ...env } = homesIn(folder)();
  runSvcAt(svc, ["auth", "token", "create", "--name", "bench", "--save"], env);
  runSvcAt(svc, ["index", project], env);
  return env;
}

function measuredOf(received: ReadonlyMap<number, string>): Measured {
  const all = CALLS.map((call, at) => ({ ...call, text: received.get(at) ?? "" }));
  const questions = all.filter(({ remedy }) => remedy === undefined);
  const wrong = all.filter(({ remedy }) => remedy !== undefined);
  const missing = wrong.filter(({ remedy, text }) => remedy?.test(text) !== true);
  const sum = (texts: readonly { readonly text: string }[]): number =>
    texts.reduce((total, { text }) => total + text.length, 0);
  return {
    characters: sum(questions),
    bytes: questions.reduce((total, { text }) => total + Buffer.byteLength(text), 0),
    searchCharacters: sum(questions.filter(({ tool }) => tool === "search_context")),
    questions: questions.length,
    wrongCalls: wrong.length,
    withRemedy: wrong.length - missing.length,
    withoutRemedy: missing.map(
      ({ tool, input, text }) => `${tool} ${JSON.stringify(input)}: ${text.slice(0, 300)}`,
    ),
  };
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
