import { PLACE } from "../search/rest-schemas.ts";
import * as v from "valibot";

const line = v.pipe(v.number(), v.integer());

/** Members that every answer with definitions has of each. */
export const DEFINITION = {
  path: v.string(),
  start_line: line,
  end_line: line,
  place: PLACE,
  name_line: line,
  name: v.string(),
  symbol: v.pipe(v.string(), v.description("Qualified name.")),
  kind: v.string(),
} as const;
