// SQL tables: where one is created, in SQL or by a migration, and the statements in code that use it.

import { isInComment, lineNumbers, type NamedText } from "./named-text.ts";
import type { SharedName } from "./shared-name.ts";

const QUOTE = "[\"'`[]?";
const TABLE = String.raw`(?:${QUOTE}\w+["'\x60\]]?\.)?${QUOTE}([A-Za-z_]\w{0,80})`;
const CREATED = new RegExp(
  String.raw`\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:GLOBAL\s+|LOCAL\s+|TEMP(?:ORARY)?\s+|UNLOGGED\s+|FOREIGN\s+|MATERIALIZED\s+)*(?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?${TABLE}`,
  "gi",
);
/** Migrations and mappings of Rails, Laravel, Knex, SQLAlchemy, TypeORM, JPA, Diesel. */
const MAPPED = new RegExp(
  String.raw`(?:\bcreate_table\s*\(?\s*[:"']|\bSchema::create\(\s*["']|\bcreateTable(?:IfNotExists)?\(\s*["'\x60]|__tablename__\s*=\s*["']|\bdb_table\s*=\s*["']|@Table\(\s*(?:name\s*=\s*)?["']|@Entity\(\s*(?:\{\s*name:\s*)?["'\x60]|\bop\.create_table\(\s*["']|\b(?:pg|mysql|sqlite)Table\(\s*["'\x60])(\w{1,80})`,
  "g",
);
const USED = new RegExp(
  String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TRUNCATE(?:\s+TABLE)?|REFERENCES|(?:ALTER|DROP)\s+TABLE(?:\s+IF\s+EXISTS)?(?:\s+ONLY)?)\s+${TABLE}`,
  "g",
);
const USED_IN_SQL = new RegExp(USED.source, "gi");
/** Words after a keyword that do not name a table. */
const WORDS = new Set(
  "select set only lateral unnest values table if where the a an this each generate_series json_each dual on cascade".split(
    " ",
  ),
);
const STATEMENT = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|TRUNCATE|MERGE)\b/;
const MAY_CREATE = /CREATE |create table|Create Table/;
const MAY_MAP = /_table|Schema::create|createTable|@Table|@Entity|Table\(/;
/** How far from its statement the name of a table may be, in characters. */
const MAX_STATEMENT_CHARS = 2000;

/** Returns the tables in a text that is not prose. */
export function sqlTablesIn(file: NamedText): SharedName[] {
  const { text, language } = file;
  const found: SharedName[] = [];
  const isSql = language === "sql";
  if (isSql || MAY_CREATE.test(text)) collect(file, CREATED, { isDeclared: true, into: found });
  if (!isSql && MAY_MAP.test(text)) {
    collect(file, MAPPED, { isDeclared: true, into: found });
  }
  if (isSql) collect(file, USED_IN_SQL, { isDeclared: false, into: found });
  else if (STATEMENT.test(text)) collect(file, USED, { isDeclared: false, into: found });
  return found;
}

function collect(
  file: NamedText,
  pattern: RegExp,
  { isDeclared, into }: { readonly isDeclared: boolean; readonly into: SharedName[] },
): void {
  const { text, language } = file;
  const lineAt = lineNumbers(text);
  for (const match of text.matchAll(pattern)) {
    const { index } = match;
    const name = match[1]?.toLowerCase();
    if (name === undefined || WORDS.has(name) || isInComment(file, index)) continue;
    // In code, prose and imports have the same words: `import x from y`.
    if (language !== "sql" && pattern !== MAPPED && !isInStatement(text, index, match[0])) continue;
    // The name may follow on a later line than the keyword.
    const line = lineAt(index + match[0].length - name.length);
    into.push({ kind: "table", name, line, isDeclared });
  }
}

function isInStatement(text: string, index: number, match: string): boolean {
  if (/^(?:CREATE|ALTER|DROP|TRUNCATE|INSERT|UPDATE)/.test(match)) {
    return /["'`(]\s*$|\n\s*$/.test(text.slice(Math.max(0, index - 80), index));
  }
  return STATEMENT.test(text.slice(Math.max(0, index - MAX_STATEMENT_CHARS), index));
}
