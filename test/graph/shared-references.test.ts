import { expect, test } from "vitest";

import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "../helpers/memory-index.ts";
import { usersIn } from "../helpers/reference-users.ts";

const APP: Record<string, string> = {
  "server/app.ts": `import userRoutes from "./user-routes";
import { orders } from "./orders";
app.use("/users", userRoutes);
app.use("/orders", orders);
`,
  "server/user-routes.ts": `const router = express.Router();
router.get("/:id", ensureSession, (req, res) => {});
router.get("/search", find);
export default router;
`,
  "server/orders.ts": `export const orders = express.Router();
orders.get("/:id", (req, res) => {});
`,
  "api/users.py": `@router.get("/users/{id}")
def read_user(id):
    return id
`,
  "web/client.ts": "export const load = (id: string) => fetch(`${base}/users/${id}`);\n",
  "web/order.ts": "export const order = (id: string) => axios.get(`/orders/${id}`);\n",
};

async function placesIn(files: Record<string, string>, name: string): Promise<readonly string[]> {
  const graph = await ReferenceGraph.open(await memoryIndex(files), (path) => files[path]);
  const places = await graph.shared.placesOf("route", name);
  return places.map(({ path, line, isDeclared }) => `${path}:${line}${isDeclared ? " =" : ""}`);
}

test("a route is found below the prefix under which its file is served", async () => {
  expect(await placesIn(APP, "GET /users/{}")).toEqual([
    "api/users.py:1 =",
    "server/user-routes.ts:2 =",
    "web/client.ts:1",
  ]);
  expect(await placesIn(APP, "GET /orders/{}")).toEqual(["server/orders.ts:2 =", "web/order.ts:1"]);
  expect(await placesIn(APP, "GET /orders/search")).toEqual(["server/orders.ts:2 ="]);
});

test("the clients of a handler are its users by name, in another language too", async () => {
  const users = await usersIn(APP);
  expect(await users("read_user")).toEqual(["web/client.ts:1 value ?"]);
});

test("a table has the statements that use it", async () => {
  const users = await usersIn({
    "schema.sql": "CREATE TABLE orders (\n  id int\n);\n",
    "store.go": 'package store\n\nfunc all() { db.Query("SELECT id FROM orders") }\n',
  });
  expect(await users("orders")).toEqual(["store.go:3 value ?"]);
});
