import { expect, test } from "vitest";

import { sqlTablesIn } from "../../../src/parse/shared-names/sql-tables.ts";

function tables(language: string, text: string): readonly string[] {
  return sqlTablesIn({ path: "a", baseName: "a", language, text, isTest: false }).map(
    ({ line, name, isDeclared }) => `${line} ${isDeclared ? "=" : ""}${name}`,
  );
}

test("SQL creates and uses tables, in any case", () => {
  const text = `CREATE TABLE IF NOT EXISTS public."Users" (id int);
create view active as select * from users join orders on true;
-- select * from comments
alter table only orders add foreign key (user_id) references users(id);
`;
  expect(tables("sql", text)).toEqual([
    "1 =users",
    "2 =active",
    "2 users",
    "2 orders",
    "4 orders",
    "4 users",
  ]);
});

test("statements in code, also over several lines", () => {
  const text = `const one = "SELECT name FROM users WHERE id = $1";
db.query(\`
  INSERT INTO orders (id)
  SELECT id
  FROM
    carts
\`);
const two = "UPDATE users SET name = $1";
`;
  expect(tables("typescript", text)).toEqual(["1 users", "3 orders", "6 carts", "8 users"]);
});

test.each([
  ["ruby", "create_table :users do |t|", ["1 =users"]],
  ["php", "Schema::create('users', function ($table) {", ["1 =users"]],
  ["python", '__tablename__ = "users"', ["1 =users"]],
  ["typescript", '@Entity("users")', ["1 =users"]],
  ["java", '@Table(name = "users")', ["1 =users"]],
  ["typescript", 'const users = pgTable("users", {});', ["1 =users"]],
])("migrations and mappings: %s, %s", (language, text, expected) => {
  expect(tables(language, text)).toEqual(expected);
});

test("words of prose and imports are no tables", () => {
  const text = `import { SELECT } from "x";
// SELECT the user FROM the list
const message = "UPDATE your settings";
export * from "y";
`;
  expect(tables("typescript", text)).toEqual(["3 your"]);
});
