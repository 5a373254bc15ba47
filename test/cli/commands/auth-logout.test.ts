import { expect, test } from "vitest";

import { serveRemote } from "../../remote/serve-remote.ts";
import { TOKEN } from "../../transports/http/serve-project.ts";
import { credentialMachine } from "../credential-machine.ts";
import { runProgram } from "../process.ts";

test("the saved token of one server is deleted, and only that", async () => {
  const [{ server: one }, { server: other }] = [await serveRemote(), await serveRemote()];
  const machine = credentialMachine();
  for (const { url } of [one, other]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await runProgram(machine, ["auth", "login", url], { input: TOKEN });
  }
  const logout = (url: string) => machine.svc("auth", "logout", url);
  expect((await logout(`${one.url}/`)).out).toBe(
    `Deleted the token for ${one.url} from this machine.\n`,
  );
  expect((await logout(one.url)).out).toBe(`No token for ${one.url} is saved on this machine.\n`);
  const { out } = await machine.svc("auth", "logout", other.url, "--json");
  expect(JSON.parse(out)).toEqual({ server: other.url, removed: true });
}, 60_000);
