// HTTP routes: where a server handles one, and where a client calls it. Frameworks and clients are recognized by the call
// around the text of the route. A call that could be of either, or of something else, is left out.

import { isInComment, lineNumbers, lineStartAt, type NamedText } from "./named-text.ts";
import { annotatedRoutesIn } from "./annotated-routes.ts";
import { mountableRouteOf, routeOf, type SharedName } from "./shared-name.ts";

/** A text that may be a route: a path, also after a host, a variable or a method. */
const LITERAL =
  /(["'`])((?:GET |POST |PUT |PATCH |DELETE )?(?:https?:\/\/[^\s"'`/]+|\$?\{[^{}\n"'`]{1,60}\}|%[sv])?\/[^"'`\n\s\\]{0,200})\1/g;
/** Whether a text has such a text at all. */
const MAY_HAVE_ROUTES = /["'`](?:\/|https?:|\$?\{|%[sv]\/|(?:GET|POST|PUT|PATCH|DELETE) )/;
/** How much of the text before and after a route is read. */
const CONTEXT_CHARS = 240;
/** The call in whose arguments the route is: the receiver, and the name of the function. */
const CALL =
  /(?:(?:(?<receiver>[\w$]+)(?:\([^()]*\))?)?[ \t]*(?<dot>\??\.|::|->)[ \t\n]*)?(?<name>[A-Za-z_$]\w*!?)(?:<[^<>()]{0,80}(?:<[^<>()]{0,80}>)?>|::<\w+>)?\((?:[^()"'`]*|[^()"'`]*["'](?:GET|POST|PUT|PATCH|DELETE|HEAD)["'][^()"'`]*)(?:f|r|b|rf|fr|@|\$|\$@)?$/;
/** `format!("{}/users", base)` and the like: the call is around this one. */
const FORMATS = /(?:\bformat!|\bfmt\.Sprintf|\bString\.format|\bsprintf|\burljoin|\bnew URL)\($/;
/** Ruby has no parentheses. */
const RUBY_CALL = /(?:^|\n)\s*(?<name>get|post|put|patch|delete|match)\s+$/;

const VERBS = new Map(
  "get post put patch delete head options".split(" ").map((verb) => [verb, verb] as const),
);
VERBS.set("del", "delete");
const SERVERS =
  /^(?:\w*(?:app|router|routes?|routing|server|blueprint|controller)|application|fastify|hono|express|mux|web|bp|e|r|g|v\d+|group|grp|engine|srv)$/i;
const CLIENTS =
  /^(?:\w*(?:client|axios|http|api|session|requests?|fetcher|agent)|\$http|https|ky|got|superagent|instance|rest|resttemplate|page|supertest|cy|conn|faraday)$/i;
/** Functions that handle a route, with their method. */
const HANDLES = new Map<string, string>([
  ...["route", "HandleFunc", "Handle", "handle", "add_url_rule", "add_route", "add_api_route"].map(
    (name) => [name, ""] as const,
  ),
  ...["resource", "MapMethods", "match", "all", "any", "Any", "websocket"].map(
    (name) => [name, ""] as const,
  ),
  ...["Get", "Post", "Put", "Patch", "Delete"].flatMap((verb): [string, string][] => [
    [`Map${verb}`, verb],
    [`add_${verb.toLowerCase()}`, verb],
  ]),
]);
/** Functions that call a route, with their method; "" if it is elsewhere. */
const CALLS = new Map<string, string>([
  ...["fetch", "$fetch", "useFetch", "useSWR", "axios", "request", "ajax", "exchange", "uri"].map(
    (name) => [name, ""] as const,
  ),
  ...["NewRequest", "NewRequestWithContext", "intercept", "urlopen", "open", "visit"].map(
    (name) => [name, ""] as const,
  ),
  ...["Get", "Post", "Put", "Patch", "Delete"].flatMap((verb): [string, string][] => [
    [`${verb}Async`, verb],
    [`${verb}AsJsonAsync`, verb],
    [`${verb}FromJsonAsync`, verb],
    [`${verb.toLowerCase()}ForObject`, verb],
    [`${verb.toLowerCase()}ForEntity`, verb],
  ]),
  ["getJSON", "get"],
]);
/** `open` and `visit` call routes only with such a receiver. */
const OPENERS = new Map([
  ["open", /^(?:\w*xhr|req|request|xmlhttp)$/i],
  ["visit", /^cy$/],
  ["intercept", /^(?:cy|page|nock)$/],
]);
const PREFIX =
  /(?:APIRouter|Blueprint|Router|basePath|prefix)\((?:[^()"'`]|["'][\w.]*["']\s*,)*(?:(?:url_)?prefix\s*[=:]\s*)?["'`](\/[^"'`\s]{1,100})["'`]/;

/** Returns the routes in a text that is not prose. */
export function httpRoutesIn(file: NamedText): SharedName[] {
  const { text } = file;
  const found = annotatedRoutesIn(file);
  if (!MAY_HAVE_ROUTES.test(text)) return found;
  const lineAt = lineNumbers(text);
  const prefix = prefixOf(text);
  for (const match of text.matchAll(LITERAL)) {
    const { index } = match;
    const [whole, , route = ""] = match;
    if (isInComment(file, index)) continue;
    const place = placeOf(file, index, index + whole.length);
    const call = callAround(place);
    const how = call && meaningOf(call, { ...place, isTest: file.isTest, language: file.language });
    if (how === undefined) continue;
    const line = lineAt(index);
    for (const method of methodsOf(how, route, place)) {
      const path = route.replace(/^[A-Z]+ /, "") + (place.isContinued ? "{}" : "");
      const isOwn = how.isDeclared && !/^[a-z]+:/.test(path);
      const name = isOwn ? mountableRouteOf(method, prefix() + path) : routeOf(method, path);
      if (name !== undefined) found.push({ kind: "route", name, line, isDeclared: how.isDeclared });
    }
  }
  return found;
}

/** Returns a function that finds the prefix of all routes of a text. The search is slow, and few texts declare a route. */
function prefixOf(text: string): () => string {
  let prefix: string | undefined;
  return () => (prefix ??= PREFIX.exec(text)?.[1] ?? "");
}

interface LiteralPlace {
  readonly before: string;
  readonly after: string;
  /** Whether something is appended to the text: `"/users/" + id`. */
  readonly isContinued: boolean;
}

function placeOf({ text }: NamedText, start: number, end: number): LiteralPlace {
  let from = lineStartAt(text, start);
  // The call may be on the line before.
  if (text.slice(from, start).trim() === "" && from > 0) from = lineStartAt(text, from - 1);
  const before = text.slice(Math.max(from, start - CONTEXT_CHARS), start);
  const after = text.slice(end, end + CONTEXT_CHARS);
  const isContinued = text[end - 2] === "/" && /^\s*[+.]\s*\w/.test(after);
  return { before, after, isContinued };
}

interface Call {
  /** "" if it is an expression, or if there is none. */
  readonly receiver: string;
  readonly name: string;
  readonly isMember: boolean;
  /** `@app.get("/")`, `#[get("/")]`. */
  readonly isDecorator: boolean;
}

function callAround({ before }: LiteralPlace): Call | undefined {
  const outer = before.replace(FORMATS, "");
  const match = CALL.exec(outer) ?? RUBY_CALL.exec(outer);
  if (match?.groups === undefined) return undefined;
  const { receiver = "", dot = "", name = "" } = match.groups;
  const isDecorator = /(?:@|#\[)[ \t]*$/.test(outer.slice(0, match.index));
  return { receiver, name, isMember: dot !== "", isDecorator };
}

interface Meaning {
  readonly isDeclared: boolean;
  /** "" if the method is elsewhere. */
  readonly method: string;
}

interface CallPlace extends LiteralPlace, Pick<NamedText, "isTest" | "language"> {}

/** Returns what a call does with a route; undefined if that is not clear. */
function meaningOf(call: Call, place: CallPlace): Meaning | undefined {
  const { receiver, name, isMember, isDecorator } = call;
  const verb = VERBS.get(name.toLowerCase());
  const handled = HANDLES.get(name);
  if (isDecorator) return handlerOf(verb ?? handled);
  if (handled !== undefined && (isMember || handled !== "")) {
    return CLIENTS.test(receiver) && receiver !== "http" ? undefined : handlerOf(handled);
  }
  const called = CALLS.get(name);
  if (called !== undefined) {
    const isMeant = OPENERS.get(name)?.test(receiver) ?? true;
    return isMeant ? { isDeclared: false, method: called } : undefined;
  }
  return verb === undefined ? undefined : meaningOfVerb(verb, call, place);
}

function handlerOf(method: string | undefined): Meaning | undefined {
  return method === undefined ? undefined : { isDeclared: true, method };
}

/** What a call such as `x.get("/users")` does: servers and clients have the same names for it. */
function meaningOfVerb(method: string, { receiver }: Call, place: CallPlace): Meaning | undefined {
  const { after, isTest, language } = place;
  if (language === "ruby" && receiver === "") return { isDeclared: !isTest, method };
  if (hasHandler(after)) return { isDeclared: true, method };
  if (CLIENTS.test(receiver)) return { isDeclared: false, method };
  const isServer = SERVERS.test(receiver) && /^\s*,/.test(after);
  return isServer ? { isDeclared: !isTest, method } : undefined;
}

/** Whether a function follows the route as an argument. */
function hasHandler(after: string): boolean {
  return /^\s*,\s*(?:async\b|function\b|func\s*\(|\([^()]{0,100}\)\s*(?::\s*[^=]{1,60})?=>|\w+\s*=>|\|)|^[ \t]*\)?[ \t]+do\b/.test(
    after,
  );
}

const METHOD_NAME =
  /["'.](GET|POST|PUT|PATCH|DELETE|HEAD)\b|\bMethod(Get|Post|Put|Patch|Delete|Head)\b/i;

/** Returns the methods of a route, or undefined as the only one if none is named. */
function methodsOf(
  { isDeclared, method }: Meaning,
  route: string,
  { before, after }: LiteralPlace,
): readonly (string | undefined)[] {
  const own = /^([A-Z]+) /.exec(route)?.[1];
  if (own !== undefined) return [own];
  if (method !== "") return [method];
  const call = before.slice(before.lastIndexOf("\n") + 1);
  const first = METHOD_NAME.exec(call.slice(call.lastIndexOf("(") + 1));
  if (first !== null) return [first[1] ?? first[2]];
  if (isDeclared) return declaredMethods(after);
  const chained = /^[^\n]{0,20}$/.test(call)
    ? undefined
    : /\.(get|post|put|patch|delete)\(\)/.exec(call);
  if (chained?.[1] !== undefined) return [chained[1]];
  const named = /^[^;]{0,200}?\bmethod["']?\s*[:=]\s*["'`]?(?:\w+\.)?(\w+)/s.exec(after)?.[1];
  return [named];
}

/** `methods=["POST"]`, `.Methods("GET", "POST")`, `get(list).post(create)`. */
function declaredMethods(after: string): readonly (string | undefined)[] {
  const rest = after.slice(0, endOfCall(after));
  const list = /\b[Mm]ethods\s*(?:=|:|=>|\()\s*[[({]?([^\])}\n]{1,100})/.exec(rest)?.[1];
  const named = list?.match(/\b(?:get|post|put|patch|delete|head|options)\b|Method\w+/gi);
  if (named !== null && named !== undefined) {
    return named.map((one) => one.replace(/^Method/, ""));
  }
  const chained = [...rest.matchAll(/\b(get|post|put|patch|delete)\(/g)].map((one) => one[1]);
  return chained.length === 0 ? [undefined] : chained;
}

/** The end of the statement: its closing bracket, and what is called on its result. */
function endOfCall(after: string): number {
  let depth = 1;
  for (const { 0: bracket, index } of after.matchAll(/[()]/g)) {
    depth += bracket === "(" ? 1 : -1;
    if (depth <= 0 && !/^\)\s*\.\s*[Mm]ethods\(/.test(after.slice(index))) return index;
  }
  return after.length;
}
