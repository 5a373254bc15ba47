// Many concurrent calls, through the program and real sockets: which are answered, in which order, and which are
// refused. No assertion is an upper bound of time: a busy machine makes this slower, but changes no outcome.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { createKey, createTokenFor, output } from "../../spec/credential-commands.ts";
import { createPlace, exitCode, startProgram, type Place } from "../../spec/program.ts";
import { promise } from "../../trust/promise.ts";

const TEST_MS = 120_000;
/** The maximum that can be set: these tests do not measure the speed of a busy machine. */
const LONG_QUEUE = { SERVICE_QUEUE_TIMEOUT_SECONDS: "25" };

const FILES = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [
    `src/module${at}.ts`,
    `/** Counts the waves of harbour ${at}. */\nexport function countWaves${at}(tide: number): number {\n  return tide + ${at};\n}\n`,
  ]),
);

interface Indexed {
  readonly place: Place;
  readonly token: string;
  /** Of another credential. */
  readonly other: string;
  readonly key: string;
}

let indexed: Indexed | undefined;

/** The project and its credentials are for all tests: no server changes either. */
beforeAll(async () => {
  const place = createPlace(FILES);
  await output(place, "index");
  const [{ token }, { token: other }] = [await createTokenFor(place), await createTokenFor(place)];
  const { key } = await createKey(place, { namespace: "project" });
  indexed = { place, token, other, key };
}, TEST_MS);
afterAll(() => indexed?.place.remove());

interface Program extends Indexed {
  readonly port: number;
  readonly signal: (name: NodeJS.Signals) => void;
}

let shared: Promise<Program> | undefined;

/** For tests that leave no call behind: a server with a long queue. */
function sharedProgram(): Promise<Program> {
  return (shared ??= startServing(LONG_QUEUE, atEnd));
}

/** For one test. */
function serveProgram(env: Readonly<Record<string, string>>): Promise<Program> {
  return startServing(env, onTestFinished);
}

const ends: (() => Promise<void>)[] = [];
const atEnd = (end: () => Promise<void>): void => void ends.push(end);
afterAll(() => Promise.all(ends.map((end) => end())));

async function startServing(
  env: Readonly<Record<string, string>>,
  whenOver: (end: () => Promise<void>) => void,
): Promise<Program> {
  if (indexed === undefined) throw new Error("the project is indexed before the first test");
  const child = startProgram(indexed.place, ["serve", "--port", "0"], env);
  const ended = exitCode(child);
  whenOver(async () => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await ended;
  });
  let printed = "";
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on("data", (text: string) => {
      printed += text;
      const found = /listens on \S+:(?<port>\d+)/.exec(printed)?.groups?.["port"];
      if (found !== undefined) resolve(Number(found));
    });
    void ended.then((code) => reject(new Error(`svc serve ended with ${code}: ${printed}`)));
  });
  const program = {
    ...indexed,
    port,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  };
  // The first call opens the index, and compiles the code that the others run.
  expect(
    (await askAll(program, [search(program, 9999), call(program, 9999)])).map(statusOf),
  ).toEqual([200, 200]);
  return program;
}

interface HttpRequest {
  readonly path: string;
  readonly credential: string;
  readonly body: string;
}

function search({ key }: Pick<Program, "key">, nth: number): HttpRequest {
  const body = JSON.stringify({ query: `count waves of harbour ${nth}` });
  return { path: "/v1/search", credential: `X-API-Key: ${key}`, body };
}

function call({ token }: Pick<Program, "token">, nth: number): HttpRequest {
  const params = { name: "search_context", arguments: { query: `count waves of harbour ${nth}` } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: nth, method: "tools/call", params });
  return { path: "/mcp", credential: `Authorization: Bearer ${token}`, body };
}

function headOf({ port }: Program, { path, credential, body }: HttpRequest, more = ""): string {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${credential}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${length}\r\n${more}\r\n`;
}

/** Opens a connection; `answer` resolves with everything received once it is closed. */
async function open(port: number): Promise<{ socket: Socket; answer: Promise<Answer> }> {
  const socket = connect({ port, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  const answer = new Promise<Answer>((resolve) => {
    socket.on("error", () => {});
    socket.once("close", () => resolve({ text }));
  });
  await once(socket, "connect");
  return { socket, answer };
}

interface Answer {
  readonly text: string;
}

/** Sends requests at once, each on its own connection, and returns the answers. */
async function askAll(
  program: Program,
  requests: readonly HttpRequest[],
): Promise<readonly Answer[]> {
  const wires = await Promise.all(requests.map(() => open(program.port)));
  for (const [at, { socket }] of wires.entries()) {
    const one = requests[at];
    if (one !== undefined) socket.write(headOf(program, one) + one.body);
  }
  return Promise.all(wires.map(({ answer }) => answer));
}

function statusOf({ text }: Answer): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

function counted(statuses: readonly number[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at);
}

async function metric({ port }: Program, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1]);
}

promise(
  [48],
  "200 calls at once are 200 answers, over MCP and from the REST search",
  async () => {
    const program = await sharedProgram();
    const requests = numbers(200).map((nth) => (nth % 2 === 0 ? search : call)(program, nth));
    const answers = await askAll(program, requests);
    expect(counted(answers.map(statusOf))).toEqual({ 200: 200 });
    expect(answers.filter(({ text }) => text.includes("countWaves"))).toHaveLength(200);
    return 200;
  },
  TEST_MS,
);

promise(
  [48],
  "of 1,000 calls at once each is answered, or refused after its wait and with Retry-After",
  async () => {
    const program = await serveProgram({ SERVICE_QUEUE_TIMEOUT_SECONDS: "1" });
    const answers = await askAll(
      program,
      numbers(1000).map((nth) => call(program, nth)),
    );
    const { 200: answered = 0, 503: refused = 0, ...others } = counted(answers.map(statusOf));
    expect(others).toEqual({});
    expect(answered + refused).toBe(1000);
    const withoutRetryAfter = answers.filter(
      (one) => statusOf(one) === 503 && !/\r\nRetry-After: \d+\r\n/.test(one.text),
    );
    expect(withoutRetryAfter).toEqual([]);
    return 1000;
  },
  TEST_MS,
);

promise(
  [48],
  "five calls of one credential do not wait for the five hundred of another",
  async () => {
    const program = await sharedProgram();
    const many = numbers(500).map((nth) => call(program, nth));
    const few = numbers(5).map((nth) => call({ token: program.other }, 1000 + nth));
    const { order, statuses } = await completions(program, [...many, ...few]);
    expect(counted(statuses.slice(many.length))).toEqual({ 200: 5 });
    const lastOfFew = Math.max(...few.map((one) => order.indexOf(one)));
    // In order of arrival they would be the last five. 48 of the many may be running by then.
    expect(lastOfFew).toBeLessThan(250);
    return 5;
  },
  TEST_MS,
);

/** Returns the requests in the order in which their answers completed, and the status of each in request order. */
async function completions(
  program: Program,
  requests: readonly HttpRequest[],
): Promise<{ order: readonly HttpRequest[]; statuses: readonly number[] }> {
  const order: HttpRequest[] = [];
  const wires = await Promise.all(requests.map(() => open(program.port)));
  const answers = wires.map(async ({ socket, answer }, at) => {
    const one = requests[at];
    if (one === undefined) throw new Error("each request has a connection");
    socket.write(headOf(program, one) + one.body);
    const status = statusOf(await answer);
    order.push(one);
    return status;
  });
  return { statuses: await Promise.all(answers), order };
}

promise(
  [48],
  "calls that waited because the whole process was stopped are answered, not refused",
  async () => {
    const program = await sharedProgram();
    for (const count of [1, 20]) {
      const wires = await Promise.all(numbers(count).map(() => open(program.port)));
      program.signal("SIGSTOP");
      for (const [at, { socket }] of wires.entries()) {
        const one = call(program, at);
        socket.write(headOf(program, one) + one.body);
      }
      await delay(1500);
      program.signal("SIGCONT");
      const statuses = (await Promise.all(wires.map(({ answer }) => answer))).map(statusOf);
      expect(counted(statuses)).toEqual({ 200: count });
    }
    return 21;
  },
  TEST_MS,
);

test(
  "where the queue is full a call is refused before any of its body is read, and another credential gets a place",
  { timeout: TEST_MS },
  async () => {
    const program = await serveProgram(LONG_QUEUE);
    // Calls whose bodies never arrive occupy the places of the queue.
    const large = { ...call(program, 1), body: " ".repeat(1024 * 1024) };
    const holding = await Promise.all(numbers(2048).map(() => open(program.port)));
    for (const { socket } of holding) socket.write(headOf(program, large));
    await expect
      .poll(() => metric(program, "svc_calls_waiting"), { timeout: TEST_MS })
      .toBe(holding.length);

    const refused = await open(program.port);
    refused.socket.write(headOf(program, large, "Expect: 100-continue\r\n"));
    const { text } = await refused.answer;
    // No 100 Continue precedes it: the server never asked for the body.
    expect(text).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: \d+\r\n[^]*"OVERLOADED"/);

    const answers = await askAll(program, [call({ token: program.other }, 2)]);
    expect(answers.map(statusOf)).toEqual([200]);
  },
);
