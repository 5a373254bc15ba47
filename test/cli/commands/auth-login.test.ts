import { expect, test } from "vitest";

import { serveRemote } from "../../remote/serve-remote.ts";
import { KEY, NARROW_TOKEN, TOKEN } from "../../transports/http/serve-project.ts";
import { credentialMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

const SLOW = 60_000;

test(
  "the token of a server is read from standard input, checked with the server, and saved encrypted",
  async () => {
    const { server } = await serveRemote();
    const machine = credentialMachine();
    const login = (input: string, ...flags: readonly string[]) =>
      runProgram(machine, ["auth", "login", `${server.url}/mcp`, ...flags], { input });
    const { code, out, err } = await login(`${TOKEN}\n`);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      `Saved the token for ${server.url}: it allows 12 tools. It has project.\nRun \`svc install CLIENT --remote ${server.url}\` to use it in an editor or agent.\n`,
    );
    const saved = machine.openApp("mcp").savedTokenOf(server.url);
    expect(await saved.read()).toBe(TOKEN);
    await saved.close();
    // It is not the token of this machine.
    expect((await machine.svc("auth", "token", "list", "--json")).out).toBe("[]\n");
    expect(JSON.parse((await login(NARROW_TOKEN, "--json")).out)).toEqual({
      server: server.url,
      tools: expect.arrayContaining(["search_context"]),
      namespaces: [],
    });
  },
  SLOW,
);

test(
  "what is no token of the server is refused, and the saved one stays",
  async () => {
    const { server } = await serveRemote();
    const machine = credentialMachine();
    const login = (input: string, url = server.url) =>
      runProgram(machine, ["auth", "login", url], { input });
    await login(TOKEN);
    const refusals = [
      [await login(""), /No token was given/],
      [await login(KEY), /This is an API key/],
      [await login("svt_short"), /mistyped or cut short.*42 characters/s],
      [await login(NARROW_TOKEN.replace("UVW", "WVU")), /mistyped|does not accept/],
      [await login(TOKEN, "http://127.0.0.1:1"), /cannot be reached/],
      [await login(TOKEN, "http://svc.example.org"), /plain HTTP/],
    ] as const;
    for (const [{ code, out, err }, why] of refusals) {
      expect([code === 0, out]).toEqual([false, ""]);
      expect(err).toMatch(why);
      expect(err).not.toContain(TOKEN);
    }
    const saved = machine.openApp("mcp").savedTokenOf(server.url);
    expect(await saved.read()).toBe(TOKEN);
    await saved.close();
  },
  SLOW,
);
