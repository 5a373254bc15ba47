import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { isNamespaceName } from "../../src/sources/namespace.ts";
import {
  addMonitor,
  removeMonitor,
  removeMonitorsOf,
} from "../../src/sources/registry/monitors.ts";
import type { RegistryStore } from "../../src/sources/registry/port.ts";
import type { Monitor } from "../../src/sources/registry/records.ts";
import { Registry } from "../../src/sources/registry/registry.ts";
import { tree } from "../helpers/tree.ts";

/** Opens the same records, which are empty at first, as another process does. */
type OpenStore = () => RegistryStore;

interface TestedRegistry {
  readonly open: OpenStore;
  readonly registry: Registry;
  /** Creates a folder. */
  readonly folder: (name: string) => string;
}

const refuse = (): Promise<void> => Promise.reject(new Error("not now"));

const PATTERN = { namespace: "team", owner: "tok_1", kind: "pattern", question: "TODO" } as const;

/** What every store of the registry promises (src/sources/registry/port.ts), through the rules that use it. */
export function registryContract(make: () => OpenStore): void {
  const begun = (): TestedRegistry => begin(make());
  const withNamespace = async (): Promise<TestedRegistry> => {
    const tested = begun();
    await tested.registry.addSource("team", { root: tested.folder("app") });
    return tested;
  };

  describe("records", () => {
    test("an unchanged state is the same object, and a change makes a new version", async () => {
      const { open } = begun();
      const store = open();
      const empty = await store.read();
      expect(await store.read()).toBe(empty);
      const record = { name: "team", createdAt: "2026-01-01T00:00:00.000Z" };
      expect(await store.swap(empty.version, [{ put: "namespace", record }])).toBe(true);
      const after = await store.read();
      expect(after.version).not.toBe(empty.version);
      expect(after.records).toEqual({ ...empty.records, namespaces: [record] });
      expect(await store.read()).toBe(after);
    });

    test("every record is read as it was put, by this store and by another", async () => {
      const { open } = begun();
      const store = open();
      const source = {
        id: 1,
        namespace: "team",
        root: "/srv/app",
        prefix: "",
        include: ["*.ts"],
        exclude: ["dist/"],
        addedAt: "2026-01-01T00:00:00.000Z",
        url: "https://example.org/app.git",
        ref: "v1",
        fetchedAt: "2026-01-02T00:00:00.000Z",
        identity: "1 2 3",
        outsideGit: "/srv/app.git",
      };
      const monitor: Monitor = { ...PATTERN, id: 1, name: "m", createdAt: "2026-01-03T00:00:00Z" };
      const lastRun = {
        namespace: "team",
        endedAt: "2026-01-04T00:00:00.000Z",
        startedBy: "index",
        process: 4711,
        problem: undefined,
        warnings: ["slow"],
      };
      const pending = { kind: "clone", name: "/srv/old", requestedMs: 1_700_000_000_000 } as const;
      const namespace = { name: "team", createdAt: "2026-01-01T00:00:00.000Z" };
      const { version } = await store.read();
      await store.swap(version, [
        { put: "namespace", record: namespace },
        { put: "source", record: source },
        { put: "monitor", record: monitor },
        { put: "lastRun", record: lastRun },
        { put: "pendingDeletion", record: pending },
      ]);
      const expected = {
        namespaces: [namespace],
        sources: [source],
        monitors: [monitor],
        lastRuns: [lastRun],
        pendingDeletions: [pending],
        nextSourceId: 2,
        nextMonitorId: 2,
      };
      expect((await store.read()).records).toEqual(expected);
      expect((await open().read()).records).toEqual(expected);
    });

    test("a swap from an outdated version changes nothing", async () => {
      const { open } = begun();
      const [one, other] = [open(), open()];
      const before = await one.read();
      const record = { name: "team", createdAt: "2026-01-01T00:00:00.000Z" };
      const { version } = await other.read();
      expect(await other.swap(version, [{ put: "namespace", record }])).toBe(true);
      const late = { put: "namespace", record: { ...record, name: "late" } } as const;
      expect(await one.swap(before.version, [late])).toBe(false);
      expect((await one.read()).records.namespaces).toEqual([record]);
    });

    test("a refused change changes nothing, and its step runs only when it would be the next state", async () => {
      const { open, registry, folder } = begun();
      await registry.addSource("team", { root: folder("app") });
      const store = open();
      const { version, records } = await store.read();
      const edits = [{ remove: "namespace", name: "team" }] as const;
      await expect(store.swap(version, edits, { beforeCommit: refuse })).rejects.toThrow("not now");
      expect((await store.read()).records).toEqual(records);
      await registry.addSource("team", { root: folder("lib") });
      expect(await store.swap(version, edits, { beforeCommit: refuse })).toBe(false);
      const current = await store.read();
      const steps: string[] = [];
      const beforeCommit = async (): Promise<void> => void steps.push("step");
      expect(await store.swap(current.version, edits, { beforeCommit })).toBe(true);
      expect(steps).toEqual(["step"]);
      expect((await registry.state()).namespaces()).toEqual([]);
    });

    test("changes of one process run one after the other, and reads see whole states", async () => {
      const { registry, folder } = begun();
      const roots = Array.from({ length: 20 }, (_, at) => folder(`p${at}`));
      const states: number[] = [];
      await Promise.all(
        roots.flatMap((root) => [
          registry.addSource("team", { root }),
          registry.state().then((state) => states.push(state.sources("team").length)),
        ]),
      );
      const sources = (await registry.state()).sources("team");
      expect(new Set(sources.map(({ id }) => id)).size).toBe(20);
      expect(new Set(sources.map(({ prefix }) => prefix)).size).toBe(20);
      expect(states.every((count) => count >= 0 && count <= 20)).toBe(true);
    });

    test("an id is never given twice", async () => {
      const { open, registry, folder } = begun();
      const first = await registry.addSource("team", { root: folder("a") });
      await registry.removeSource(first);
      const again = new Registry(open());
      const second = await again.addSource("team", { root: folder("a") });
      expect(second.id).toBeGreaterThan(first.id);
    });
  });

  describe("namespaces and sources", () => {
    test("a workspace becomes a namespace named after its folder, and keeps it", async () => {
      const { registry, folder } = begun();
      const root = folder("My Project");
      expect(await registry.ensureWorkspace(root)).toBe("my-project");
      expect(await registry.ensureWorkspace(root)).toBe("my-project");
      const state = await registry.state();
      expect(state.namespaces()).toEqual(["my-project"]);
      expect(state.has("my-project")).toBe(true);
      expect(state.sources("my-project")).toMatchObject([
        { root, prefix: "", include: [], exclude: [] },
      ]);
    });

    test("a suggested name counts for a new namespace, if it is free", async () => {
      const { registry, folder } = begun();
      const [one, two] = [folder("one"), folder("two")];
      expect(await registry.ensureWorkspace(one, async () => "shop")).toBe("shop");
      expect(await registry.ensureWorkspace(two, async () => "shop")).toBe("two");
      expect(await registry.ensureWorkspace(one, async () => "other")).toBe("shop");
      expect((await registry.state()).sources("shop")).toMatchObject([{ root: one }]);
    });

    test("folders of the same name get separate namespaces", async () => {
      const { registry, folder } = begun();
      const names: string[] = [];
      for (const name of ["a/app", "b/app", "c/app"]) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        names.push(await registry.ensureWorkspace(folder(name)));
      }
      expect(names).toEqual(["app", "app-2", "app-3"]);
    });

    test.each(["...", "😀", "x".repeat(200), "Größe", "-", "a b/c d"])(
      "a folder named %j gets a valid namespace name",
      async (name) => {
        const { registry, folder } = begun();
        for (const parent of ["one", "two"]) {
          // oxlint-disable-next-line no-await-in-loop -- in this order
          const namespace = await registry.ensureWorkspace(folder(join(parent, name)));
          expect([namespace, isNamespaceName(namespace)]).toEqual([namespace, true]);
        }
      },
    );

    test("a folder that is already a source is the workspace of its namespace, also through a link", async () => {
      const { registry, folder } = begun();
      const root = folder("lib");
      await registry.addSource("team", { root });
      symlinkSync(root, join(folder("links"), "alias"));
      expect(await registry.ensureWorkspace(join(folder("links"), "alias"))).toBe("team");
      const state = await registry.state();
      expect(state.namespaceOf(root)).toBe("team");
      expect(state.namespaceOf(folder("other"))).toBeUndefined();
    });

    test("the first source has no prefix, the others their folder's name, made unique", async () => {
      const { registry, folder } = begun();
      const prefixes: string[] = [];
      for (const name of ["app", "x/lib", "y/lib", "z/lib"]) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        prefixes.push((await registry.addSource("team", { root: folder(name) })).prefix);
      }
      expect(prefixes).toEqual(["", "lib/", "lib-2/", "lib-3/"]);
    });

    test("a prefix never hides a folder of the first source", async () => {
      const { registry, folder } = begun();
      folder("app/docs");
      await registry.addSource("team", { root: folder("app") });
      expect((await registry.addSource("team", { root: folder("docs") })).prefix).toBe("docs-2/");
    });

    test("adding a source again changes only the given globs", async () => {
      const { registry, folder } = begun();
      const root = folder("app");
      const globs = { include: ["*.ts"], exclude: ["dist/"] };
      const first = await registry.addSource("team", { root, ...globs });
      expect(await registry.addSource("team", { root })).toEqual(first);
      expect(await registry.addSource("team", { root, exclude: [] })).toEqual({
        ...first,
        exclude: [],
      });
      expect((await registry.state()).sources("team")).toHaveLength(1);
    });

    test("a folder takes the place of the sources inside it, with the id of the first", async () => {
      const { registry, folder } = begun();
      const inner = [
        await registry.addSource("team", { root: folder("app/one"), include: ["*.ts"] }),
        await registry.addSource("team", { root: folder("app/two") }),
      ];
      const root = folder("app");
      await registry.replaceNestedSources("team", root, inner);
      expect((await registry.state()).sources("team")).toMatchObject([
        { id: inner[0]?.id, root, prefix: "", include: [], exclude: [] },
      ]);
    });

    test("namespaces have separate sources", async () => {
      const { registry, folder } = begun();
      const root = folder("app");
      await registry.addSource("one", { root });
      await registry.addSource("two", { root });
      const state = await registry.state();
      expect(state.sources("one").map((source) => source.root)).toEqual([root]);
      expect(state.sources("two").map((source) => source.root)).toEqual([root]);
      expect(state.sources("three")).toEqual([]);
      expect(state.namespaceOf(root)).toBe("one");
    });

    test("a folder that does not exist changes nothing", async () => {
      const { registry, folder } = begun();
      const root = folder("app");
      renameSync(root, `${root}-moved`);
      await expect(async () => registry.addSource("team", { root })).rejects.toThrow("ENOENT");
      await expect(registry.ensureWorkspace(root)).rejects.toThrow("ENOENT");
      expect((await registry.state()).namespaces()).toEqual([]);
    });

    test("another process sees an added source with its next read", async () => {
      const { open, registry, folder } = begun();
      const other = new Registry(open());
      expect((await other.state()).sources("team")).toEqual([]);
      await registry.addSource("team", { root: folder("app") });
      expect((await other.state()).sources("team")).toEqual(
        (await registry.state()).sources("team"),
      );
    });

    test("a removed namespace takes its sources, its last run and its monitors with it", async () => {
      const { registry, folder } = begun();
      await registry.addSource("team", { root: folder("app") });
      await registry.addSource("other", { root: folder("lib") });
      await registry.setLastRun("team", { startedBy: "index", problem: undefined, warnings: [] });
      await addMonitor(registry, { ...PATTERN, name: "" });
      await registry.removeNamespace("team");
      const { records } = await registry.state();
      expect(records).toMatchObject({
        namespaces: [{ name: "other" }],
        sources: [{ namespace: "other" }],
        lastRuns: [],
        monitors: [],
        pendingDeletions: [{ kind: "index", name: "team" }],
      });
    });
  });

  describe("pending deletions", () => {
    test("an item that is in use again is not deleted", async () => {
      const { registry, folder } = begun();
      await registry.addSource("team", { root: folder("app") });
      await registry.removeNamespace("team");
      const pending = { kind: "index", name: "team" } as const;
      const deleted: string[] = [];
      const remove = async (): Promise<void> => void deleted.push("team");
      await registry.completeDeletion(pending, remove);
      expect(deleted).toEqual(["team"]);
      // The entry stays for a day.
      expect((await registry.state()).pendingDeletion(pending)).toBeDefined();
      await registry.addSource("team", { root: folder("app") });
      await registry.completeDeletion(pending, remove);
      expect(deleted).toEqual(["team"]);
      expect((await registry.state()).pendingDeletions()).toEqual([]);
    });

    test("a clone is deleted with its last source", async () => {
      const { registry, folder } = begun();
      const clone = { root: folder("clone"), url: "https://example.org/app.git" };
      const one = await registry.addSource("one", clone);
      const two = await registry.addSource("two", clone);
      await registry.removeSource(one);
      expect((await registry.state()).pendingDeletions()).toEqual([]);
      await registry.removeSource(two);
      expect((await registry.state()).pendingDeletions()).toMatchObject([
        { kind: "clone", name: clone.root },
      ]);
    });
  });

  describe("last runs", () => {
    test("the last one is recorded, with its process and time; none for a removed namespace", async () => {
      const { registry, folder } = begun();
      await registry.addSource("team", { root: folder("app") });
      const run = { startedBy: "watch", problem: "The disk is full.", warnings: ["one"] };
      await registry.setLastRun("team", { ...run, problem: undefined });
      await registry.setLastRun("team", run);
      await registry.setLastRun("gone", run);
      const state = await registry.state();
      expect(state.lastRun("team")).toMatchObject({ ...run, process: process.pid });
      expect(Date.parse(state.lastRun("team")?.endedAt ?? "")).toBeGreaterThan(0);
      expect(state.lastRun("gone")).toBeUndefined();
    });
  });

  describe("monitors", () => {
    test("they belong to their owner, and an equal one is not added twice", async () => {
      const { registry } = await withNamespace();
      const first = await addMonitor(registry, { ...PATTERN, name: "" });
      expect(first).toMatchObject({ ...PATTERN, name: "monitor-1" });
      expect(await addMonitor(registry, { ...PATTERN, name: "" })).toEqual(first);
      await addMonitor(registry, { ...PATTERN, owner: "tok_2", name: "todos" });
      const state = await registry.state();
      expect(state.monitorsOfOwner("team", "tok_1")).toEqual([first]);
      expect(state.allMonitorsOfOwner("tok_2").map(({ name }) => name)).toEqual(["todos"]);
      expect(state.monitors("team")).toHaveLength(2);
    });

    test("a name that is taken, and the 51st monitor of an owner, are refused", async () => {
      const { registry } = await withNamespace();
      for (let at = 0; at < 50; at += 1) {
        const question = `TODO ${at}`;
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await addMonitor(registry, { ...PATTERN, name: `m${at}`, question });
      }
      const taken = addMonitor(registry, { ...PATTERN, name: "m1", question: "FIXME" });
      await expect(taken).rejects.toMatchObject({ code: "INVALID_PARAMS" });
      const another = addMonitor(registry, { ...PATTERN, name: "", question: "FIXME" });
      await expect(another).rejects.toThrow("the maximum");
    });

    test("an owner removes its own monitors only; a revoked credential loses all of them", async () => {
      const { registry, folder } = await withNamespace();
      await registry.addSource("other", { root: folder("lib") });
      const name = "todos";
      for (const owner of ["tok_1", "tok_2"]) {
        // oxlint-disable-next-line no-await-in-loop -- in this order
        await addMonitor(registry, { ...PATTERN, owner, name });
        // oxlint-disable-next-line no-await-in-loop -- as above
        await addMonitor(registry, { ...PATTERN, namespace: "other", owner, name });
      }
      expect(await removeMonitor(registry, "team", { owner: "tok_3", name })).toBeUndefined();
      expect(await removeMonitor(registry, "team", { owner: "tok_1", name })).toMatchObject({
        owner: "tok_1",
      });
      await removeMonitorsOf(registry, "tok_2");
      const { records } = await registry.state();
      expect(records.monitors.map(({ namespace, owner }) => [namespace, owner])).toEqual([
        ["other", "tok_1"],
      ]);
    });
  });
}

function begin(openStore: OpenStore): TestedRegistry {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const open = (): RegistryStore => {
    const store = openStore();
    onTestFinished(store.close);
    return store;
  };
  const folder = (name: string): string => {
    mkdirSync(join(path, name), { recursive: true });
    return join(path, name);
  };
  return { open, registry: new Registry(open()), folder };
}
