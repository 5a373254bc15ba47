import { splitQualified } from "../definition-rules.ts";
import { linePattern, type LinePatterns } from "../line-pattern.ts";

const CREATE =
  "^\\s*(?:create|alter(?=\\s+(?:function|proc|view|trigger)))\\s+(?:or\\s+(?:replace|alter)\\s+)?(?:(?:global|local|temporary|temp|unlogged|unique|clustered|nonclustered|materialized|external|virtual|recursive|constraint|editionable|algorithm\\s*=\\s*\\w+|definer\\s*=\\s*\\S+|sql\\s+security\\s+\\w+)\\s+)*";
/** Matches a qualified name; its parts may be quoted. */
const NAME = '(?:(?:if\\s+not\\s+exists|concurrently)\\s+)*([\\w$`"[\\]-]+(?:\\.[\\w$`"[\\]-]+)*)';

const TYPES =
  "int|integer|bigint|smallint|tinyint|mediumint|serial|bigserial|smallserial|numeric|decimal|number|real|float\\d?|double|money|bool|boolean|bit|char|character|n?varchar2?|nchar|text|n?text|tinytext|mediumtext|longtext|clob|blob|bytea|binary|varbinary|date|datetime2?|time|timestamp|timestamptz|interval|year|json|jsonb|xml|uuid|uniqueidentifier|inet|cidr|enum|set|array|geometry|geography|tsvector|vector|string|int\\d+|uint\\d+";

/** Tables and views are classes, and columns are their members. */
export const SQL_LINES: LinePatterns = {
  patterns: [
    linePattern("class", `${CREATE}(?:table|view|type|domain)\\s+${NAME}`, "iu"),
    linePattern(
      "function",
      `${CREATE}(?:function|procedure|proc|trigger|package(?:\\s+body)?|macro|aggregate|event)\\s+${NAME}`,
      "iu",
    ),
    linePattern(
      "constant",
      `${CREATE}(?:index|sequence|schema|role|policy|extension|database|user)\\s+${NAME}`,
      "iu",
    ),
    {
      ...linePattern("field", `^\\s+[\`"[]?(\\w+)[\`"\\]]?\\s+\\[?(?:${TYPES})\\b`, "iu"),
      isInline: true,
      isMember: true,
    },
    linePattern("function", "^\\s*\\{%-?\\s*(?:macro|snapshot|test)\\s+(\\w+)", "iu"),
    {
      ...linePattern(
        "text",
        '^((?:insert into|alter table|update|delete from|drop \\w+|grant)\\s+[\\w."`]+)',
        "iu",
      ),
      isSymbol: false,
    },
  ],
  untilNext: true,
  split: (name) => splitQualified(name.replaceAll(/[`"[\]]/g, "")),
};
