import { basename } from "node:path";

import { expect, test } from "vitest";

import { environmentVariablesIn } from "../../../src/parse/shared-names/environment-variables.ts";

/** `line NAME`, with "=" before the name where it is declared. */
function variables(path: string, language: string, text: string): readonly string[] {
  const file = { path, baseName: basename(path), language, text, isTest: false };
  return environmentVariablesIn(file).map(
    ({ line, name, isDeclared }) => `${line} ${isDeclared ? "=" : ""}${name}`,
  );
}

test.each([
  [
    "a.ts",
    "typescript",
    "f(process.env.PORT, process.env['HOST'], import.meta.env.VITE_URL);",
    ["1 PORT", "1 HOST", "1 VITE_URL"],
  ],
  [
    "a.py",
    "python",
    'os.environ["A_B"]\nos.environ.get("C")\nos.getenv("D", "x")',
    ["1 A_B", "2 C", "3 D"],
  ],
  [
    "a.go",
    "go",
    'os.Getenv("A")\nos.LookupEnv("B")\nmapEnv(&s.addr, "CART_ADDR")',
    ["1 A", "2 B", "3 CART_ADDR"],
  ],
  ["a.go", "go", 'type C struct {\n  Port int `env:"PORT" default:"80"`\n}', ["2 PORT"]],
  ["a.rs", "rust", 'std::env::var("A");\nenv!("B");\nenv::var_os("C")', ["1 A", "2 B", "3 C"]],
  ["A.java", "java", 'System.getenv("A")', ["1 A"]],
  ["a.c", "c", 'getenv("A");\n#define X getenv("B")', ["1 A", "2 B"]],
  ["a.rb", "ruby", "ENV['A']\nENV.fetch(\"B\") { 1 }", ["1 A", "2 B"]],
  ["a.php", "php", "getenv('A');\n$_ENV['B'];\nenv('APP_KEY')", ["1 A", "2 B", "3 APP_KEY"]],
  ["a.cs", "csharp", 'Environment.GetEnvironmentVariable("A")', ["1 A"]],
  ["a.ps1", "powershell", "$env:A", ["1 A"]],
])("%s: reads of %s", (path, language, text, expected) => {
  expect(variables(path, language, text).toSorted()).toEqual([...expected].toSorted());
});

test("an object that is taken apart", () => {
  const text = 'const {\n  HOST,\n  PORT = "80",\n  USER: user,\n} = process.env;\n';
  expect(variables("a.js", "javascript", text)).toEqual(["2 HOST", "3 PORT", "4 USER"]);
});

test("comments and other members are no reads", () => {
  const text = '// process.env.A\n * process.env.B\nconst event = "ENV";\nprocess.environment.X;\n';
  expect(variables("a.ts", "typescript", text)).toEqual([]);
  expect(variables("a.py", "python", '# os.getenv("A")\n')).toEqual([]);
});

test("values in configuration", () => {
  expect(variables(".env.example", "", "# A=1\nB=2\nexport C=3\n")).toEqual(["2 =B", "3 =C"]);
  expect(variables("Dockerfile", "dockerfile", "FROM x\nENV A=1\nARG B\n")).toEqual([
    "2 =A",
    "3 =B",
  ]);
  expect(variables("a.sh", "bash", "export A=1\nB=2\n")).toEqual(["1 =A"]);
});

test("YAML: only blocks of variables, as maps and lists", () => {
  const text = `services:
  web:
    image: NODE
    environment:
      DATABASE_URL: postgres://x
      # COMMENTED: 1
    ports: [80]
  worker:
    environment:
      - QUEUE_URL=x
    env_file: X
jobs:
  build:
    env:
      CI_TOKEN: x
    steps:
      - name: BUILD
spec:
  containers:
  - env:
    - name: PORT
      value: "80"
    - name: HOST
    name: server
`;
  expect(variables("compose.yml", "yaml", text)).toEqual([
    "5 =DATABASE_URL",
    "10 =QUEUE_URL",
    "15 =CI_TOKEN",
    "21 =PORT",
    "23 =HOST",
  ]);
});
