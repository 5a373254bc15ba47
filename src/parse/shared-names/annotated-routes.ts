// Routes in annotations and attributes, which a class may begin: `@RequestMapping("/users")` of the class and
// `@GetMapping("/{id}")` of a method are `GET /users/{}`.

import { isInComment, lineNumbers, type NamedText } from "./named-text.ts";
import { PARAMETER, routeOf, type SharedName } from "./shared-name.ts";

const METHODS = "Get|Post|Put|Patch|Delete|Head|Options";
/** Spring, JAX-RS, Micronaut, NestJS, Retrofit, ASP.NET, Symfony. */
const ANNOTATION = new RegExp(
  String.raw`(?:@|#\[|\[)(?<name>(?:${METHODS})(?:Mapping)?|Http(?:${METHODS})|RequestMapping|Controller|Path|Route|RoutePrefix|GET|POST|PUT|PATCH|DELETE|HEAD|All)\b(?:\(\s*(?<args>[^()]*(?:\([^()]*\)[^()]*)*)\))?`,
  "g",
);
const TEXT = /(?:^|[\s,{(=:])(?:(?<key>\w+)\s*[=:]\s*)?[{[]?\s*["'`](?<text>[^"'`\n]*)["'`]/g;
/** Keys of arguments that are not routes. */
const OTHER_KEYS =
  /^(?:name|produces|consumes|params|headers|version|host|Name|Order|operationId|description|summary)$/;
const CLASS =
  /^\s*(?:(?:export|default|public|internal|private|protected|abstract|final|sealed|static|open|data|partial)\s+)*(?:class|interface|object|trait|record)\s+(?<name>\w+)/;
/** How many lines of further annotations may be before the class. */
const MAX_LINES = 40;

/** Django names its routes in a list: `path("users/<int:pk>/", views.user)`. */
const DJANGO = /\b(?:re_)?(?:path|url)\(\s*r?(["'])\^?([^"'\n]{1,200}?)\$?\1\s*,/g;

const MAY_ANNOTATE =
  /(?:@|\[)(?:\w*Mapping|Controller|Path|Http\w+|Route|G[Ee][Tt]|P[Oo][Ss][Tt]|P[Uu][Tt]|D[Ee][Ll])/;
const IS_PREFIX = /^(?:RequestMapping|Controller|Path|Route|RoutePrefix)$/;

/** Returns the routes of annotations, and those of Django. */
export function annotatedRoutesIn(file: NamedText): SharedName[] {
  if (file.language === "python") return djangoRoutesIn(file);
  const { text } = file;
  if (!MAY_ANNOTATE.test(text)) return [];
  const found: SharedName[] = [];
  const lineAt = lineNumbers(text);
  const all = [...text.matchAll(ANNOTATION)].filter(({ index }) => !isInComment(file, index));
  let prefix = "";
  for (const [at, match] of all.entries()) {
    const { index, 0: whole, groups: { name = "", args = "" } = {} } = match;
    const className = classAfter(text, index + whole.length);
    if (className !== undefined) {
      if (IS_PREFIX.test(name)) prefix = prefixOf(routesIn(args)[0] ?? "", className);
      continue;
    }
    const around = all.slice(Math.max(0, at - 1), at + 2);
    for (const { route, isDeclared } of routesOfMethod(text, match, { prefix, around })) {
      found.push({ kind: "route", name: route, line: lineAt(index), isDeclared });
    }
  }
  return found;
}

interface AnnotatedPlace {
  /** The route of the class. */
  readonly prefix: string;
  /** The annotations before and after, and this one. */
  readonly around: readonly RegExpMatchArray[];
}

/** The routes of the annotation of a method. */
function routesOfMethod(
  text: string,
  { index = 0, groups: { name = "", args = "" } = {} }: RegExpMatchArray,
  { prefix, around }: AnnotatedPlace,
): readonly { readonly route: string; readonly isDeclared: boolean }[] {
  const method = methodOf(name, args);
  if (method === undefined) return [];
  const own = routesIn(args);
  const isUpper = name === name.toUpperCase();
  // A name in capitals is of JAX-RS if `@Path` is next to it; with a route it is a client of Retrofit.
  const isDeclared = !isUpper || own.length === 0;
  const paths =
    own.length > 0 ? own : [(isUpper ? nextPath(text, index, around) : undefined) ?? ""];
  return paths.flatMap((path) => {
    const whole = path.startsWith("~/") ? path.slice(1) : `${isDeclared ? prefix : ""}/${path}`;
    const route = routeOf(method, whole.replaceAll(/\/{2,}/g, "/"));
    return route === undefined ? [] : { route, isDeclared };
  });
}

/** The method of an annotation, "" for any; undefined if it only adds to another one. */
function methodOf(name: string, args: string): string | undefined {
  if (name === "RequestMapping" || name === "Route") {
    return /\b(?:RequestMethod\.|methods?\s*[:=]\s*[[{]?\s*["'])(\w+)/.exec(args)?.[1] ?? "";
  }
  if (/^(?:Controller|Path|RoutePrefix)$/.test(name)) return undefined;
  return name === "All" ? "" : name.replace(/^Http|Mapping$/g, "");
}

function routesIn(args: string): readonly string[] {
  return [...args.matchAll(TEXT)]
    .filter(({ groups: { key = "" } = {} }) => !OTHER_KEYS.test(key) && !/^methods?$/.test(key))
    .map(({ groups: { text = "" } = {} }) => text);
}

/** The name of the class that an annotation is of. */
function classAfter(text: string, offset: number): string | undefined {
  let start = text.indexOf("\n", offset);
  // Further arguments and annotations.
  for (let count = 0; start !== -1 && count < MAX_LINES; count += 1) {
    const end = text.indexOf("\n", start + 1);
    const line = text.slice(start + 1, end === -1 ? undefined : end);
    const name = CLASS.exec(line)?.groups?.["name"];
    if (name !== undefined) return name;
    if (!/^\s*(?:[@[#)}\]/*]|["'\w]+\s*[:=]|$)/.test(line)) return undefined;
    start = end;
  }
  return undefined;
}

/** `[controller]` of ASP.NET is the name of the class. */
function prefixOf(route: string, className: string): string {
  const name = className.replace(/Controller$/, "").toLowerCase();
  return `/${route.replaceAll("[controller]", name).replaceAll(/\[\w+\]/g, PARAMETER)}`;
}

/** The argument of a `@Path` directly before or after `@GET`. */
function nextPath(
  text: string,
  index: number,
  others: readonly RegExpMatchArray[],
): string | undefined {
  for (const other of others) {
    if (other.groups?.["name"] !== "Path") continue;
    const start = other.index ?? 0;
    const between =
      start < index ? text.slice(start + other[0].length, index) : text.slice(index, start);
    if (!/[;{}]/.test(between)) return routesIn(other.groups["args"] ?? "")[0];
  }
  return undefined;
}

function djangoRoutesIn(file: NamedText): SharedName[] {
  if (!/^urls\.py$/.test(file.baseName)) return [];
  const lineAt = lineNumbers(file.text);
  return [...file.text.matchAll(DJANGO)].flatMap((match): SharedName[] => {
    const path = (match[2] ?? "").replaceAll(/\(\?P<\w+>[^()]*\)|\([^()]*\)/g, PARAMETER);
    const name = routeOf(undefined, `/${path}`);
    if (name === undefined || isInComment(file, match.index)) return [];
    return [{ kind: "route", name, line: lineAt(match.index), isDeclared: true }];
  });
}
