import { afterAll, expect, test, vi } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";

// Each call is a separate program with an indexing run.
vi.setConfig({ testTimeout: 30_000 });

const here = createMachine({
  "src/log.ts": "export function write(text: string): void {}\nexport function unused(): void {}\n",
  "src/main.ts":
    'import { write } from "./log.ts";\nexport function main() {\n  write("\u001b[2J");\n}\n',
});
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("refs", ...words);
}

test("references are listed below their files; standard error has the target", async () => {
  const { code, out, err } = await call("write", "--relation", "callers");
  expect(err).toBe("1 caller of write (src/log.ts:1-1) in 1 file: 1 exact, 0 by name\n");
  expect(out).toMatch(/^src\/main\.ts\n {2}3: write\(".*\);  \[main\]\n$/u);
  expect(out).not.toContain("\u001b");
  expect(code).toBe(0);
});

test("no result is exit code 1; so is an unknown symbol, with the nearest name", async () => {
  expect(await call("unused")).toEqual({
    code: 1,
    out: "",
    err: "No references of unused (src/log.ts:2-2) found.\n",
  });
  // Advice names commands of the shell, not tools.
  expect((await call("write", "-r", "implementations")).err).toBe(
    "No implementations of write (src/log.ts:1-1) found. It has 2 references of other kinds: `-r references` lists them.\n",
  );
  const { code, err } = await call("wrote");
  expect(code).toBe(1);
  expect(err).toContain('No symbol "wrote".\nNearest: write.');
});

test("an unknown relation is refused with the list of relations", async () => {
  const { code, err } = await call("write", "--relation", "users");
  expect(code).toBe(2);
  expect(err).toContain("callers");
});

test("--json has a record for each place", async () => {
  const { code, out } = await call("src/log.ts", "-r", "importers", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    namespace: "project",
    generation: expect.any(Number),
    target: { path: "src/log.ts", start_line: 0, end_line: 0, symbol: "" },
    references: [
      {
        path: "src/main.ts",
        line: 1,
        symbol: "",
        role: "import",
        certainty: "exact",
        depth: 1,
        text: 'import { write } from "./log.ts";',
      },
    ],
    exact: 1,
    by_name: 0,
    files: 1,
    next_cursor: null,
  });
});

test("--format and --jsonl print places one by one", async () => {
  const format = "{path}:{line}:{column}: {role} {certainty} {symbol}";
  const { out } = await call("write", "-r", "callers", "--format", format);
  expect(out).toBe("src/main.ts:3:3: call exact main\n");
  const { references } = JSON.parse((await call("write", "--json")).out);
  const lines = (await call("write", "--jsonl")).out.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(references);
});

test("the place of an import is in the file that imports", async () => {
  const { out } = await call("src/main.ts", "-r", "imports", "--format", "{path}:{line} {target}");
  expect(out).toBe("src/main.ts:1 src/log.ts\n");
});

test("an environment variable, a route and its handlers", async () => {
  const machine = createMachine({
    ".env.example": "PORT=80\n",
    "server.py": '@app.get("/users/{id}")\ndef user(id):\n    return os.environ["PORT"]\n',
    "client.ts": "export const load = (id: string) => fetch(`/users/${id}`);\n",
  });
  try {
    const port = await machine.svc("refs", "PORT");
    expect(port.err).toContain(
      "1 reference of env:PORT (.env.example:1-1) in 1 file: 0 exact, 1 by name",
    );
    expect(port.out).toBe('server.py\n  3: return os.environ["PORT"]  [user]  by name\n');
    const clients = await machine.svc("refs", "GET /users/{id}");
    expect(clients.err).toContain("1 reference of route:GET /users/{} (server.py:1-1)");
    expect(clients.out).toContain("client.ts\n  1: ");
    const handlers = await machine.svc("refs", "/users/{id}", "-r", "implementations");
    expect(handlers.out).toBe('server.py\n  1: @app.get("/users/{id}")  [user]  by name\n');
    const none = await machine.svc("refs", "GET /users/{id}", "-r", "callees");
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("has no callees") });
  } finally {
    machine.dispose();
  }
});
