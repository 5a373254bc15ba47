// The targets of the suites: the shipped program and the same layers over fixture tools, each over both transports.
import { spawn } from "node:child_process";

import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { startHttp } from "../spec/http-server.ts";
import { createPlace, exitCode, startProgram } from "../spec/program.ts";
import { startAuthProxy } from "./auth-proxy.ts";
import { startStdioBridge } from "./stdio-bridge.ts";

export const TARGET_NAMES = [
  "svc serve",
  "svc mcp --stdio",
  "svc mcp --remote",
  "fixtures, HTTP",
  "fixtures, stdio",
] as const;

export type TargetName = (typeof TARGET_NAMES)[number];

export interface Target {
  /** URL of its MCP endpoint, as the suites reach it. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const FIXTURE_SERVER = `${import.meta.dirname}/fixture-server.ts`;

const STARTS: Readonly<Record<TargetName, () => Promise<Target>>> = {
  "svc serve": startServe,
  "svc mcp --stdio": startMcp,
  "svc mcp --remote": startRemote,
  "fixtures, HTTP": startFixturesOverHttp,
  "fixtures, stdio": startFixturesOverStdio,
};

export function startTarget(name: TargetName): Promise<Target> {
  return STARTS[name]();
}

/** An indexed project, and a token of its owner. */
async function createProject() {
  const place = createPlace({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
  await outputHere(place, "index", place.root);
  const { token } = await createTokenFor(place);
  return { place, token };
}

async function startServe(): Promise<Target> {
  const { place, token } = await createProject();
  const server = await startHttp(place);
  const proxy = await startAuthProxy(server.url, token);
  return {
    url: `${proxy.url}/mcp`,
    async close() {
      await proxy.close();
      await server.close();
      place.remove();
    },
  };
}

async function startMcp(): Promise<Target> {
  const { place, token } = await createProject();
  const child = startProgram(place, ["mcp", "--stdio"], { SERVICE_TOKEN: token });
  return bridged(child, place.remove);
}

async function startRemote(): Promise<Target> {
  const { place, token } = await createProject();
  const server = await startHttp(place);
  const child = startProgram(place, ["mcp", "--stdio", "--remote", server.url], {
    SERVICE_TOKEN: token,
  });
  const target = await bridged(child, place.remove);
  return {
    url: target.url,
    async close() {
      await target.close();
      await server.close();
    },
  };
}

async function startFixturesOverHttp(): Promise<Target> {
  const child = spawn(process.execPath, [FIXTURE_SERVER, "--http"]);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /listens on (?<url>\S+)/.exec(said)?.groups?.["url"];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`the fixture server ended:\n${said}`)));
  });
  const proxy = await startAuthProxy(url, "any");
  return {
    url: `${proxy.url}/mcp`,
    async close() {
      await proxy.close();
      const ended = exitCode(child);
      child.kill();
      await ended;
    },
  };
}

function startFixturesOverStdio(): Promise<Target> {
  const child = spawn(process.execPath, [FIXTURE_SERVER, "--stdio"]);
  child.stdout.setEncoding("utf8");
  return bridged(child, () => {});
}

async function bridged(
  child: ReturnType<typeof startProgram>,
  whenClosed: () => void,
): Promise<Target> {
  const bridge = await startStdioBridge(child);
  return {
    url: `${bridge.url}/mcp`,
    async close() {
      await bridge.close();
      const ended = exitCode(child);
      child.stdin.end();
      await ended;
      whenClosed();
    },
  };
}
