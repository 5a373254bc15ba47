import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { inspectPostgres } from "../../src/backend/inspect-postgres.ts";
import { openPostgresBackend } from "../../src/backend/postgres-backend.ts";
import { TABLES_VERSION } from "../../src/postgres/migrate.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { createProject, request } from "../helpers/project.ts";
import { tree } from "../helpers/tree.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  test("shows the server, and how far the copy of each index is behind", async () => {
    const place = tree({ "project/a.md": "The aardvark sleeps.\n", "project/b/": "" });
    onTestFinished(place.dispose);
    const url = server.freshUrl();
    const at = (name: string) =>
      ({
        kind: "postgres",
        url,
        cacheDirectory: join(place.path, name),
        dataDirectory: place.path,
      }) as const;
    const root = join(place.path, "project");
    const node = createProject(
      {},
      { workspace: () => root, namespace: "zoo", backend: openPostgresBackend(at("one")) },
    );
    onTestFinished(node.dispose);
    await node.engine.index({ ...request(), source: root, namespace: "zoo" });

    const state = await inspectPostgres(at("one"));
    expect(state).toMatchObject({
      database: "postgres",
      schemaVersion: TABLES_VERSION,
      serverVersion: expect.stringMatching(/^\d+\.\d+$/),
      isEncrypted: false,
      standbys: [],
      namespaces: [{ name: "zoo", damage: undefined }],
    });
    const [zoo] = state.namespaces;
    const generation = zoo?.generation ?? 0;
    expect(generation).toBeGreaterThan(0);
    expect(zoo?.copied).toBe(generation);
    expect(state.sizeBytes).toBeGreaterThan(1e6);
    const other = await inspectPostgres(at("other"));
    expect(other.namespaces).toMatchObject([{ generation, copied: undefined }]);
    await server.open(url).query("UPDATE index_head SET generation = generation + 3");
    expect((await inspectPostgres(at("one"))).namespaces).toMatchObject([
      { generation: generation + 3, copied: generation },
    ]);
  });
});
