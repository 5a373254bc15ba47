// A route, its handler and its clients in several repositories: in one answer, and within the rights of the caller.
import { afterAll, beforeAll, expect, test } from "vitest";

import { Principal } from "../../../src/sources/principal.ts";
import { indexNamespaces } from "../../helpers/index-namespaces.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";

const CLIENT = "export const load = (id: string) => fetch(`/users/${id}`);\n";
const NAMESPACES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  server: {
    "api.py": '@app.get("/users/{id}")\ndef user(id):\n    return os.environ["REGION"]\n',
    ".env.example": "REGION=eu\n",
  },
  web: { "client.ts": `${CLIENT}const place = process.env.REGION;\n` },
  secret: { "hidden.ts": CLIENT },
  empty: { "other.ts": "export const a = 1;\n" },
};

let project: Project;
let removeFolders: () => void;

beforeAll(async () => {
  project = createProject({ "main.ts": "export {};\n" });
  removeFolders = await indexNamespaces(project, NAMESPACES);
}, 30_000);

afterAll(async () => {
  await project.dispose();
  removeFolders();
});

function references(namespace: string, symbol: string, more: object = {}) {
  const asked = { symbol, relation: "references", depth: 1, limit: 50 } as const;
  return project.engine.references({ ...request(), ...asked, ...more, namespace });
}

test("the clients of a route are found in other namespaces than its handler", async () => {
  const found = await references("web,server,empty", "GET /users/{id}");
  expect(found).toMatchObject({
    namespace: "web,server,empty",
    target: { namespace: "server", path: "api.py", startLine: 1, symbol: "route:GET /users/{}" },
    references: [{ namespace: "web", path: "client.ts", line: 1, certainty: "name" }],
    missing: [],
  });
  const handlers = await references("web,server", "/users/{id}", { relation: "implementations" });
  expect(handlers.references).toMatchObject([{ namespace: "server", path: "api.py", line: 1 }]);
});

test("a bare name that no namespace defines is a variable of all of them", async () => {
  const found = await references("server,web", "REGION");
  expect(found.target).toMatchObject({ namespace: "server", path: ".env.example" });
  expect(found.references.map(({ namespace, path }) => `${namespace}/${path}`).toSorted()).toEqual([
    "server/api.py",
    "web/client.ts",
  ]);
});

test("pages go on in the same namespaces", async () => {
  const first = await references("server,web", "REGION", { limit: 1 });
  const second = await references("server,web", "REGION", { limit: 1, cursor: first.nextCursor });
  const paths = [...first.references, ...second.references].map(({ path }) => path);
  expect(paths.toSorted()).toEqual(["api.py", "client.ts"]);
  const other = references("web,server", "REGION", { limit: 1, cursor: first.nextCursor });
  await expect(other).rejects.toThrow("cursor");
});

test("what no namespace has is an error, and nothing of a namespace without right is shown", async () => {
  await expect(references("server,web", "NOTHING_OF_IT")).rejects.toThrow("No symbol");
  const principal = new Principal({
    id: "key",
    namespaces: ["server", "web", "empty"],
    readOnly: true,
  });
  const found = await references("*", "GET /users/{id}", { principal });
  expect(found.references.map(({ namespace }) => namespace)).toEqual(["web"]);
  expect(JSON.stringify(found)).not.toContain("secret");
});
