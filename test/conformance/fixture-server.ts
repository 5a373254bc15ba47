// node fixture-server.ts --http | --stdio: the core and the transports of the program over the fixture
// tools. Over HTTP it prints its address; it checks no token.
import { createLogger } from "../../src/base/log.ts";
import { CredentialPrincipal } from "../../src/credentials/authenticate.ts";
import { RightsWatcher } from "../../src/credentials/rights-watcher.ts";
import { localOwner, type Principal } from "../../src/sources/principal.ts";
import { serveHttp } from "../../src/transports/http/server.ts";
import { serveStdio } from "../../src/transports/stdio.ts";
import { createFixture } from "./fixture-tools.ts";

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const logger = createLogger({
  level: "warn",
  human: false,
  write: (line) => void process.stderr.write(line),
});
const { tools, isReadOnly } = createFixture();
// The suite waits less than a second for the effects of a change.
const rights = new RightsWatcher({ revision: () => Promise.resolve(undefined), intervalMs: 100 });
const owner = (): Principal => localOwner({ readOnly: isReadOnly() });
const options = {
  tools,
  version: "0.8.0",
  instructions: "Fixture.",
  engine: () => Promise.reject(new Error("the fixture has no engine")),
  logger,
};

if (process.argv.includes("--http")) {
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: { ...options, audit: () => {} },
    rights,
    authenticate: (_secret, kind) => Promise.resolve(ownerOf(kind)),
    ready: () => Promise.resolve(),
  });
  process.stderr.write(`listens on ${server.url}\n`);
  await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
  await server.end();
} else {
  await serveStdio(
    {
      ...options,
      authorize: () => Promise.resolve(owner()),
      watchRights: (onVerified) =>
        rights.add({ verify: () => Promise.resolve(owner()), onVerified }),
    },
    { input: process.stdin, output: process.stdout, signal: stop.signal },
  );
}

function ownerOf(kind: CredentialPrincipal["kind"]): CredentialPrincipal {
  return new CredentialPrincipal({
    id: `${kind}_1`,
    kind,
    name: "conformance",
    namespaces: "all",
    readOnly: isReadOnly(),
    createdAt: 0,
    digest: "",
  });
}
