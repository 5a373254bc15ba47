// `GET /page/admin`: the admin's view of the search page (docs/decisions/0073-sessions-of-the-page.md).
import { startDeadline } from "../../base/deadline.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import type { CallEvent } from "../../credentials/audit-event.ts";
import type { ListedCredential } from "../../credentials/list-credentials.ts";
import type { NamespaceStatus } from "../../engine/api/status.ts";
import type { Authenticator } from "./authenticator.ts";
import { remainingMs, requireMethod, type HttpExchange } from "./exchange.ts";
import type { RecentEvents } from "./recent-events.ts";
import { sendJson } from "./reply.ts";

/** Where the view comes from. */
export interface AdminSource {
  /** The status of all namespaces, with the skipped files. */
  readonly projects: (signal: AbortSignal) => Promise<readonly NamespaceStatus[]>;
  /** All API keys and access tokens, also those that are not valid any more. */
  readonly credentials: () => Promise<readonly ListedCredential[]>;
  /** The last lines of the audit log, each one JSON object. */
  readonly auditLines: (count: number) => Promise<readonly string[]>;
}

interface PageAdminOptions {
  readonly authenticator: Authenticator;
  readonly source: AdminSource;
  readonly events: RecentEvents;
  readonly version: string;
  readonly audit: (call: CallEvent) => void;
}

const MAX_SKIPPED = 200;
const MAX_CREDENTIALS = 500;
const AUDIT_LINES = 50;

/** Throws UNAUTHENTICATED and the like, and FORBIDDEN for a user without the right. */
export async function handlePageAdmin(
  exchange: HttpExchange,
  options: PageAdminOptions,
): Promise<void> {
  const principal = await options.authenticator.authenticate(exchange, "key");
  requireMethod(exchange, ["GET", "HEAD"]);
  let outcome = "ok";
  try {
    if (!principal.isAdmin) throw notAnAdmin();
    sendJson(exchange, 200, await overview(exchange, options));
  } catch (thrown) {
    outcome = toSvcError(thrown).code;
    throw thrown;
  } finally {
    options.audit({
      principal: principal.id,
      tool: "/page/admin",
      namespace: null,
      outcome,
      ms: Math.round(performance.now() - exchange.receivedAt),
      items: 0,
      characters: 0,
      request: null,
    });
  }
}

function notAnAdmin(): SvcError {
  return new SvcError("FORBIDDEN", "This credential does not see the admin's view.", {
    hint: "Run `svc serve --open` on the server's machine, or sign in with a token from `svc auth token create --name NAME --admin`.",
  });
}

async function overview(
  exchange: HttpExchange,
  { source, events, version }: PageAdminOptions,
): Promise<object> {
  const { deadline, stop } = startDeadline(remainingMs(exchange));
  try {
    const [projects, credentials, lines] = await Promise.all([
      deadline.limit(source.projects(deadline.signal)),
      source.credentials(),
      source.auditLines(AUDIT_LINES),
    ]);
    events.noteStatus(projects);
    return {
      version,
      now: new Date().toISOString(),
      started_at: new Date(performance.timeOrigin).toISOString(),
      projects: projects.map(projectOf),
      credentials: credentials.slice(-MAX_CREDENTIALS).map(credentialOf),
      audit: lines.toReversed().flatMap(auditEventOf),
      calls: events.calls,
      runs: events.runs,
    };
  } finally {
    stop();
  }
}

function projectOf({
  sources,
  skipped_files: skipped = [],
  problem_files: _problems,
  ...status
}: NamespaceStatus): object {
  return {
    ...status,
    sources: sources.map(({ root, url, available, problem }) => ({
      name: url ?? root,
      available,
      problem,
    })),
    skipped_files: skipped.slice(0, MAX_SKIPPED),
  };
}

/** Without the digest of the secret. */
function credentialOf({ record, state, isDefault }: ListedCredential): object {
  const { id, kind, name, namespaces, readOnly, createdAt } = record;
  return {
    id,
    kind,
    name,
    namespaces,
    read_only: readOnly,
    admin: record.admin === true,
    default: isDefault,
    state,
    created_at: timeOrNull(createdAt),
    expires_at: timeOrNull(record.expiresAt),
    last_used_at: timeOrNull(record.lastUsedAt),
    revoked_at: timeOrNull(record.revokedAt),
  };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

/** The members that the view shows; a query, which an owner may have chosen to log, is none of them. */
function auditEventOf(line: string): readonly object[] {
  let event: Readonly<Record<string, unknown>>;
  try {
    event = JSON.parse(line);
  } catch {
    return [];
  }
  if (event["event"] === "store.commit") return [];
  const shown = ["time", "event", "principal", "credential", "tool", "namespace", "outcome", "ms"];
  return [Object.fromEntries(shown.map((name) => [name, event[name] ?? null]))];
}
