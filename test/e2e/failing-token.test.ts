// svc reports a failing token where people and models look: in the instructions, on standard error, in each answer. The
// remedy must work, so the tests follow it.
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";

import { revokeCredential } from "../../src/credentials/revoke.ts";
import { createKey, createTokenFor, outputHere } from "../spec/commands-here.ts";
import { output } from "../spec/credential-commands.ts";
import { moveClock, storeOf } from "../spec/open-store.ts";
import { createPlace, freshName, svc, type Place } from "../spec/program.ts";
import { startServer, type Result, type Server } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const FILES = { "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" };
const SEARCH = { name: "search_context", arguments: { query: "turn of the tide" } };
/** Needs a token like every call, and neither an index nor its threads. */
const STATUS = { name: "index_status", arguments: {} };
const SAVED_REMEDY =
  "It is the token saved on this machine: run `svc auth token create --name NAME --save`. The next call uses the new token.";
const SAVED_RENEWAL =
  "It is the token saved on this machine: run `svc auth token renew`. The next call works again.";
const VARIABLE_RENEWAL =
  /SERVICE_TOKEN holds it\. Run `(svc auth token renew tok_[0-9a-f]{16})`\. The next call works again, without a restart\.$/;
const OF_VARIABLE =
  /^(.*) SERVICE_TOKEN holds it: (.*)set SERVICE_TOKEN to a new token from `(svc auth token create --name NAME)`, or remove SERVICE_TOKEN and run `(svc auth token create --name NAME --save)`\. Then restart the server\.$/;

/** A machine where a token expired, one was revoked, and one works. */
const place = createPlace(FILES);
const secrets = { expired: "", revoked: "", malformed: "", unknown: "", "an API key": "" };
let isPrepared = false;
/** Within a test, because the store is closed when the test ends. */
async function prepare(): Promise<void> {
  if (isPrepared) return;
  isPrepared = true;
  const gone = await createTokenFor(place, "--name", "gone");
  const short = await createTokenFor(place, "--name", "short", "--ttl", "1m");
  await outputHere(place, "auth", "token", "revoke", gone.token_id);
  await moveClock(place, Date.parse(short.expires_at));
  secrets.expired = short.token;
  secrets.revoked = gone.token;
  secrets.malformed = short.token.slice(0, -3);
  secrets.unknown = await foreignToken();
  secrets["an API key"] = (await createKey(place)).key;
}
afterAll(place.remove);

async function foreignToken(): Promise<string> {
  const other = createPlace();
  const { token } = await createTokenFor(other);
  other.remove();
  return token;
}

function open(of: Place, env: Readonly<Record<string, string>>): Server {
  const server = startServer(of, env);
  onTestFinished(async () => void (await server.close()));
  return server;
}

/** The text and code of a call; `ok` if it succeeds. */
async function called(
  server: Server,
  call: { readonly name: string; readonly arguments: object } = STATUS,
): Promise<{ readonly code: unknown; readonly text: string }> {
  const { result, error } = await server.request("tools/call", call);
  expect(error).toBeUndefined();
  const { content = [], isError = false, structuredContent }: Result = result ?? {};
  const text = content.map((item) => item.text).join("\n");
  return { code: isError ? structuredContent?.["error_code"] : "ok", text };
}

/** All reports of a server about its token: instructions, the log line, the list of tools, a call. */
async function saidBy(server: Server) {
  // A client that asks while the token is being checked waits up to 50 ms; here the check is over.
  await expect
    .poll(() => server.stderr(), { timeout: 20_000 })
    .toContain("the access token is not accepted");
  const { result } = await server.request("initialize", { clientInfo: { name: "e2e" } });
  const { tools = [] } = (await server.request("tools/list")).result ?? {};
  const call = await called(server, SEARCH);
  const lines = server
    .stderr()
    .split("\n")
    .filter((line) => line.includes("the access token is not accepted"))
    .map((line): { readonly error_code: string; readonly detail: string } => JSON.parse(line));
  return { instructions: result?.instructions ?? "", tools: tools.length, call, lines };
}

test.each([
  ["revoked", "CREDENTIAL_REVOKED", 'The credential "gone" was revoked.'],
  ["malformed", "CREDENTIAL_MALFORMED", "The credential is mistyped or cut short."],
  ["unknown", "UNAUTHENTICATED", "The credential is not known on this machine."],
  ["an API key", "UNAUTHENTICATED", "This kind of credential is not accepted here. API keys"],
] as const)("SERVICE_TOKEN that is %s is named with what helps", async (kind, code, reason) => {
  await prepare();
  const server = open(place, { SERVICE_TOKEN: secrets[kind] });
  const { instructions, tools, call, lines } = await saidBy(server);
  expect(call.code).toBe(code);
  expect(call.text).toContain(reason);
  expect(call.text).toMatch(OF_VARIABLE);
  expect(instructions).toContain(
    `Every call is refused until your user has fixed this: ${call.text}`,
  );
  expect(tools).toBe(12);
  expect(lines).toMatchObject([{ error_code: code, detail: call.text }]);
  expect(server.stderr()).not.toContain(secrets[kind]);
  // A saved token does not help while the variable is set. A new value helps, and so does a saved token without the
  // variable.
  const [, , , create = "", save = ""] = OF_VARIABLE.exec(call.text) ?? [];
  await outputHere(place, ...wordsOf(save));
  expect((await called(server)).code).toBe(code);
  const created = (await outputHere(place, ...wordsOf(create))).trim();
  expect((await called(open(place, { SERVICE_TOKEN: created }))).code).toBe("ok");
  expect((await called(open(place, {}))).code).toBe("ok");
});

/** The words of an advised command, with a name that is free. */
function wordsOf(command: string): readonly string[] {
  return command
    .split(" ")
    .slice(1)
    .map((word) => (word === "NAME" ? freshName("new") : word));
}

test.each([
  ["revoked", "CREDENTIAL_REVOKED", 'The credential "mine" was revoked.'],
  ["malformed", "CREDENTIAL_MALFORMED", "The credential is mistyped or cut short."],
  ["unknown", "UNAUTHENTICATED", "The credential is not known on this machine."],
] as const)("a saved token that is %s is named with what helps", async (kind, code, reason) => {
  const own = createPlace(FILES);
  onTestFinished(own.remove);
  const mine = await createTokenFor(own, "--name", "mine", "--save", "--ttl", "1h");
  await breakSavedToken(own, kind, mine);
  const server = open(own, {});
  const { instructions, tools, call, lines } = await saidBy(server);
  expect(call.code).toBe(code);
  expect(call.text).toContain(reason);
  expect(call.text.endsWith(SAVED_REMEDY)).toBe(true);
  expect(instructions).toContain(call.text);
  expect(tools).toBe(12);
  expect(lines).toMatchObject([{ error_code: code, detail: call.text }]);
  await outputHere(own, "auth", "token", "create", "--name", "new", "--save");
  expect((await called(server)).code).toBe("ok");
});

/** No command does this: `auth token revoke` removes the saved token together with the record. */
async function breakSavedToken(
  of: Place,
  kind: "revoked" | "malformed" | "unknown",
  { token_id, token }: { readonly token_id: string; readonly token: string },
): Promise<void> {
  const store = await storeOf(of);
  if (kind === "revoked") await revokeCredential(store, { kind: "token", id: token_id });
  const saved = {
    revoked: () => token,
    malformed: () => token.slice(0, -3),
    unknown: foreignToken,
  }[kind];
  await store.defaultToken.save(await saved(), token_id);
}

test("SERVICE_TOKEN that is expired is renewed while the server runs", async () => {
  await prepare();
  const server = open(place, { SERVICE_TOKEN: secrets.expired });
  const { instructions, tools, call, lines } = await saidBy(server);
  expect(call.code).toBe("TOKEN_EXPIRED");
  expect(call.text).toContain('The access token "short" expired at ');
  expect(instructions).toContain(call.text);
  expect(tools).toBe(12);
  expect(lines).toMatchObject([{ error_code: "TOKEN_EXPIRED", detail: call.text }]);
  const [, renew = ""] = VARIABLE_RENEWAL.exec(call.text) ?? [];
  await outputHere(place, ...wordsOf(renew));
  expect((await called(server)).code).toBe("ok");
});

test("a saved token that expires is announced, refused, and renewed while the server runs", async () => {
  const own = createPlace(FILES);
  onTestFinished(own.remove);
  const mine = await createTokenFor(own, "--name", "mine", "--save", "--ttl", "1h");
  const server = open(own, {});
  await server.request("initialize", { clientInfo: { name: "e2e" } });
  server.notify("notifications/initialized");
  const early = await called(server);
  expect(early.code).toBe("ok");
  const note = early.text.split("\n").at(-1) ?? "";
  expect(note).toMatch(
    /^Note for your user: the access token "mine" of svc expires in .* Run `svc auth token renew` to renew it\.$/,
  );
  await called(server);
  const logged = server.lines.filter((line) => line.includes("notifications/message"));
  expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([
    { params: { level: "warning", logger: "svc", data: note } },
  ]);
  await moveClock(own, Date.parse(mine.expires_at));
  const refused = await called(server);
  expect(refused.code).toBe("TOKEN_EXPIRED");
  expect(refused.text.endsWith(SAVED_RENEWAL)).toBe(true);
  await outputHere(own, "auth", "token", "renew");
  const late = await called(server);
  expect([late.code, late.text.includes("Note for your user")]).toEqual(["ok", false]);
});

test("a machine without a token says which command makes one, and the next call is answered", async () => {
  const bare = createPlace(FILES);
  onTestFinished(bare.remove);
  const server = open(bare, {});
  const { result } = await server.request("initialize", { clientInfo: { name: "e2e" } });
  expect(result?.instructions).toContain("run `svc auth token create --name NAME --save` once.");
  expect((await server.request("tools/list")).result?.tools).toHaveLength(12);
  const { code, text } = await called(server, SEARCH);
  expect(code).toBe("UNAUTHENTICATED");
  expect(text).toContain("Run `svc auth token create --name NAME --save` once on this machine");
  await output(bare, "auth", "token", "create", "--name", "laptop", "--save");
  // On a busy machine, the first index may take longer than a query waits for it.
  const next = async (): Promise<unknown> => (await called(server, SEARCH)).code;
  await expect.poll(next, { timeout: 25_000 }).not.toBe("INDEX_EMPTY");
  expect(await next()).toBe("ok");
});

test("a token that is revoked while a server runs is reported once on standard error", async () => {
  const { token, token_id } = await createTokenFor(place);
  const server = open(place, { SERVICE_TOKEN: token });
  expect((await called(server)).code).toBe("ok");
  expect((await svc(place, "auth", "token", "revoke", token_id)).exit).toBe(0);
  expect((await called(server)).code).toBe("CREDENTIAL_REVOKED");
  expect((await called(server)).code).toBe("CREDENTIAL_REVOKED");
  expect(server.stderr().split("the access token is not accepted")).toHaveLength(2);
});

test("a token that works leaves no word of it, whether or not a client asks anything", async () => {
  const { token } = await createTokenFor(place);
  const server = startServer(place, { SERVICE_TOKEN: token });
  const { result } = await server.request("initialize", { clientInfo: { name: "e2e" } });
  expect(result?.instructions).not.toContain("refused");
  expect(await server.close()).toBe(0);
  expect(server.stderr()).not.toContain("the access token is not accepted");
  const silent = startServer(place, { SERVICE_TOKEN: token });
  expect(await silent.close()).toBe(0);
  expect(silent.stderr()).not.toContain("the access token is not accepted");
});

test("a token that worked before and was revoked since is named at the next start", async () => {
  const { token, token_id } = await createTokenFor(place);
  expect((await called(open(place, { SERVICE_TOKEN: token }))).code).toBe("ok");
  await outputHere(place, "auth", "token", "revoke", token_id);
  const revoked = await saidBy(open(place, { SERVICE_TOKEN: token }));
  expect(revoked.instructions).toContain("was revoked.");
  await output(place, "auth", "token", "create", "--name", freshName("saved"), "--save");
  expect((await called(open(place, {}))).code).toBe("ok");
  await output(place, "auth", "token", "list", "--json");
  const { result } = await open(place, {}).request("initialize", { clientInfo: { name: "e2e" } });
  expect(result?.instructions).not.toContain("refused");
});
