// The model of a view of Razor: `@model Shop.Order`. In the view it is `Model`.

import { MAX_PATH } from "../../base/receiver-marks.ts";

const MODEL = /^[ \t]*@model[ \t]+([^\r\n]+)/m;
const COLLECTION =
  /^(?:[\w.]+\.)?(?:I?Enumerable|I?List|ICollection|IReadOnlyList|IReadOnlyCollection|IQueryable|PagedList|IPagedList)<([\w.]+)>/;

/**
 * Returns the model as an expression: `@Order`, `@Order*` for a list of them (see `Use.receiver`). Undefined if the view has none, or
 * one of another form.
 */
export function razorModel(text: string): string | undefined {
  const [, declared = ""] = MODEL.exec(text) ?? [];
  const [, element] = COLLECTION.exec(declared) ?? [];
  const [name = ""] = /^[\w.]+(?=\s*$|\?)/.exec(element ?? declared.trim()) ?? [];
  const type = name.slice(name.lastIndexOf(".") + 1);
  if (!/^[A-Z]/.test(type) || type.length > MAX_PATH) return undefined;
  return `@${type}${element === undefined ? "" : "*"}`;
}
