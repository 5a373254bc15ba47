// A data directory with namespaces, credentials for some of them, and the two servers that answer.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import { authenticate, verify } from "../../../src/credentials/authenticate.ts";
import type { CredentialKind } from "../../../src/credentials/secret-format.ts";
import { createKey } from "../../../src/credentials/api-keys.ts";
import { openOrCreateStore } from "../../../src/credentials/sealed/open-store.ts";
import { RightsWatcher } from "../../../src/credentials/rights-watcher.ts";
import type { SealedStore } from "../../../src/credentials/sealed/sealed-store.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { createEngine } from "../../../src/engine/create-engine.ts";
import type { EngineOptions } from "../../../src/engine/engine-options.ts";
import type { Engine } from "../../../src/engine/api/engine.ts";
import { tools } from "../../../src/tools/registry.ts";
import { serveHttp } from "../../../src/transports/http/server.ts";
import { indexThreads } from "../../helpers/index-threads.ts";
import { request } from "../../helpers/project.ts";
import { recordingLogger } from "../../helpers/rpc.ts";
import { folderOf, MINE, repository, SHARED, THEIRS, type Holding } from "./folders.ts";

/** A caller: a credential, and its access. */
export interface Asker {
  readonly name: string;
  readonly kind: CredentialKind;
  readonly secret: string;
  readonly sees: readonly Holding[];
}

export interface World {
  /** All its files on disk are below this folder. */
  readonly base: string;
  readonly roots: Readonly<Record<string, string>>;
  readonly data: string;
  readonly port: number;
  readonly store: SealedStore;
  readonly askers: Readonly<Record<string, Asker>>;
  /** The access of `svc mcp --stdio` in `mine`. */
  readonly local: Engine;
  /** The access of `svc serve` in `mine`. */
  readonly served: Engine;
  readonly authenticate: (secret: string, kind: CredentialKind) => ReturnType<typeof authenticate>;
  readonly rights: RightsWatcher;
}

const PLAN: readonly (readonly [name: string, kind: CredentialKind, sees: readonly Holding[]])[] = [
  ["mine", "token", [MINE]],
  ["mine-read-only", "token", [MINE]],
  ["two", "token", [MINE, SHARED]],
  ["gone", "token", []],
  ["mine-key", "key", [MINE]],
  ["gone-key", "key", []],
  // Callers with access to the namespace that the others may not see.
  ["theirs", "token", [THEIRS]],
  ["theirs-too", "token", [THEIRS]],
  ["theirs-key", "key", [THEIRS]],
  ["owner", "token", [MINE, SHARED, THEIRS]],
];

/** It ends with the test. `hasTheirs`: whether the third folder is indexed, as a separate namespace. */
export async function createWorld({ hasTheirs }: { hasTheirs: boolean }): Promise<World> {
  const git = repository();
  onTestFinished(git.dispose);
  const place = realpathSync(mkdtempSync(join(tmpdir(), "svc-world-")));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const holdings = hasTheirs ? [MINE, SHARED, THEIRS] : [MINE, SHARED];
  const roots = Object.fromEntries(
    [MINE, SHARED, THEIRS].map((one) => [one.name, join(git.path, folderOf(one))]),
  );
  const data = join(place, "data");
  const engineOptions: EngineOptions = {
    dataDirectory: data,
    home: join(place, "home"),
    logger: recordingLogger().logger,
    workspace: () => roots["mine"] ?? "",
  };
  const threads = (engine: string) => indexThreads(`${engine} ${hasTheirs}`);
  const local = createEngine({ ...engineOptions, jobRunner: threads("local") });
  onTestFinished(() => local.close());
  const served = createEngine({
    ...engineOptions,
    jobRunner: threads("served"),
    indexOnlyBelow: [],
  });
  onTestFinished(() => served.close());
  for (const { name } of holdings) {
    // eslint-disable-next-line no-await-in-loop -- in order
    await local.index({ ...request(), namespace: name, source: roots[name] });
  }
  const directory = { directory: join(place, "store"), keyDirectory: join(place, "keys") };
  const store = await openOrCreateStore(directory);
  onTestFinished(() => store.close());
  const rights = new RightsWatcher({ revision: store.revision });
  const world = { base: git.path, roots, data, store, local, served, rights };
  const verifySecret: World["authenticate"] = (secret, kind) =>
    authenticate(store, secret, undefined, kind);
  const port = await serve(world, verifySecret);
  return { ...world, port, authenticate: verifySecret, askers: await createAskers(store) };
}

async function serve(
  { store, served, rights }: Pick<World, "store" | "served" | "rights">,
  verifySecret: World["authenticate"],
): Promise<number> {
  const server = await serveHttp({
    host: "127.0.0.1",
    port: 0,
    mcp: {
      tools,
      version: "0.8.0",
      instructions: "Ask for code.",
      engine: () => Promise.resolve(served),
      logger: recordingLogger().logger,
      audit: () => {},
    },
    authenticate: async (secret, wanted, { shouldTouchLastUsed } = { shouldTouchLastUsed: true }) =>
      shouldTouchLastUsed ? verifySecret(secret, wanted) : verify(store, secret, wanted),
    rights,
    ready: () => Promise.resolve(),
  });
  onTestFinished(() => server.end());
  return Number(new URL(server.url).port);
}

async function createAskers(store: SealedStore): Promise<World["askers"]> {
  const made = PLAN.map(async ([name, kind, sees]) => {
    const names = sees.length === 0 ? ["gone"] : sees.map((one) => one.name);
    const namespaces = name === "owner" ? "all" : names;
    const readOnly = name.endsWith("read-only");
    const created =
      kind === "key"
        ? await createKey(store, { name, namespaces: [names[0] ?? "gone"] })
        : await createToken(store, { name, namespaces, readOnly });
    return [name, { name, kind, sees, secret: created.secret }] as const;
  });
  return Object.fromEntries(await Promise.all(made));
}
