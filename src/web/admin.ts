// The admin's view: projects, credentials, the audit log and the times of calls. Loaded with the first click.
import { button, element } from "./dom.ts";
import type { Failure } from "./failure.ts";
import { makeVisible } from "./make-visible.ts";
import { notice, problemBox } from "./notices.ts";
import { plotLabel, type PlottedCall, type PlottedRun } from "./call-times.ts";
import { timesPlot } from "./plot.ts";
import { failureIn, send, sessionHeaders } from "./session.ts";

interface Project {
  readonly name: string;
  readonly state: string;
  readonly files: number;
  readonly bytes: number;
  readonly generation: number;
  readonly indexed_at: string | null;
  readonly sources: readonly { name: string; available: boolean; problem?: string }[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly skipped_files: readonly { path: string; reason: string }[];
  readonly last_run: { problem?: string; warnings: readonly string[] } | null;
  readonly freshness: { mode: string; problem?: string };
  readonly problem?: string;
}

interface Credential {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly namespaces: "all" | readonly string[];
  readonly state: string;
  readonly admin: boolean;
  readonly read_only: boolean;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

interface AuditEvent {
  readonly time: string | null;
  readonly event: string | null;
  readonly principal: string | null;
  readonly credential: string | null;
  readonly tool: string | null;
  readonly namespace: string | null;
  readonly outcome: string | null;
  readonly ms: number | null;
}

/** What `GET /page/admin` answers. */
interface Overview {
  readonly version: string;
  readonly now: string;
  readonly started_at: string;
  readonly projects: readonly Project[];
  readonly credentials: readonly Credential[];
  readonly audit: readonly AuditEvent[];
  readonly calls: readonly PlottedCall[];
  readonly runs: readonly PlottedRun[];
}

interface AdminEvents {
  readonly onBack: () => void;
  /** Called when the server accepts the session no longer. */
  readonly onRefused: (failure: Failure) => void;
}

const FRESHNESS: Readonly<Record<string, string>> = {
  starting: "starting to watch",
  watched: "watched",
  polled: "checked periodically",
  asked: "checked on each query",
};

/** The view in its place of the page. */
export class AdminView {
  readonly #events: AdminEvents;
  readonly #content = element("div", { class: "sections" });
  readonly #heading = element("h1", { tabindex: "-1" }, "Admin");

  constructor(place: HTMLElement, events: AdminEvents) {
    this.#events = events;
    const actions = element(
      "div",
      { class: "actions" },
      button("Refresh", {}, () => void this.load()),
      button("Back to search", {}, events.onBack),
    );
    place.replaceChildren(
      element("div", { class: "admin-bar" }, this.#heading, actions),
      this.#content,
    );
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") events.onBack();
    });
    document.title = "Admin · svc";
    this.#heading.focus();
  }

  /** Shows the present state. */
  async load(): Promise<void> {
    try {
      const headers = sessionHeaders();
      this.#show(await send<Overview>("/page/admin", { method: "GET", headers }));
    } catch (error) {
      const failure = failureIn(error);
      if (failure.isRefusal) this.#events.onRefused(failure);
      else this.#content.replaceChildren(problemBox(failure));
    }
  }

  #show(overview: Overview): void {
    const { version, now, started_at: startedAt } = overview;
    this.#content.replaceChildren(
      element(
        "p",
        { class: "muted" },
        `svc ${version}, started ${shown(startedAt)}, shown as of ${shown(now)}`,
      ),
      section("Projects", ...overview.projects.map(projectBox)),
      section("Call times", ...timesOf(overview)),
      section("Keys and tokens", credentialTable(overview.credentials)),
      section("Audit log, newest first", auditTable(overview.audit)),
    );
  }
}

function section(title: string, ...children: readonly (Node | string)[]): HTMLElement {
  const content = children.length === 0 ? [notice("Nothing here yet.")] : children;
  return element("section", {}, element("h2", {}, title), ...content);
}

function projectBox(project: Project): HTMLElement {
  const { name, state, files, bytes, generation, indexed_at: indexedAt, freshness } = project;
  const facts = [
    state,
    `${files} files`,
    `${(bytes / 1e6).toFixed(1)} MB`,
    `generation ${generation}`,
    indexedAt === null ? "not indexed yet" : `indexed ${shown(indexedAt)}`,
    FRESHNESS[freshness.mode] ?? freshness.mode,
  ];
  return element(
    "article",
    { class: "card" },
    element("h3", {}, name),
    element("p", { class: "muted" }, facts.join(" · ")),
    ...project.sources.map((source) =>
      element(
        "p",
        {},
        element("code", {}, makeVisible(source.name)),
        source.available ? "" : " (not available)",
      ),
    ),
    ...problemsOf(project).map((text) => notice(text)),
    ...skippedOf(project),
  );
}

function problemsOf({ problem, last_run: run, freshness, sources }: Project): readonly string[] {
  const all = [problem, run?.problem, freshness.problem, ...sources.map((one) => one.problem)];
  return [...all.filter((text) => text !== undefined), ...(run?.warnings ?? [])];
}

function skippedOf({ skipped, skipped_files: files }: Project): readonly HTMLElement[] {
  const counts = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  if (counts.length === 0) return [];
  const total = Object.values(skipped).reduce((sum, count) => sum + count, 0);
  const more = total > files.length ? `The first ${files.length} of ${total} files.` : "";
  return [
    element(
      "details",
      {},
      element("summary", {}, `Skipped: ${counts.join(", ")}`),
      table(
        "Skipped files",
        ["File", "Reason"],
        files.map(({ path, reason }) => [path, reason]),
      ),
      element("p", { class: "muted" }, more),
    ),
  ];
}

function timesOf({ calls, runs, now }: Overview): readonly (Node | string)[] {
  return [
    scrollable("Plot of the times", timesPlot(calls, runs, Date.parse(now))),
    element("p", {}, plotLabel(calls, runs.length)),
    element(
      "p",
      { class: "muted" },
      "A dot is a call, a cross a failed one, a line a change of an index. The server keeps the last 500 calls in its memory; it sees a change of an index when somebody reads the metrics or this page.",
    ),
  ];
}

function credentialTable(credentials: readonly Credential[]): HTMLElement {
  return table(
    "Keys and tokens",
    ["Name", "Kind", "Namespaces", "State", "Expires", "Last used", "Id"],
    credentials.map((one) => [
      one.name,
      [
        one.kind,
        ...(one.admin ? ["admin"] : []),
        ...(one.read_only && one.kind === "token" ? ["read-only"] : []),
      ].join(", "),
      one.namespaces === "all" ? "all" : one.namespaces.join(", "),
      one.state,
      shown(one.expires_at),
      shown(one.last_used_at),
      one.id,
    ]),
  );
}

function auditTable(events: readonly AuditEvent[]): HTMLElement {
  return table(
    "Audit log",
    ["Time", "Who", "What", "Namespace", "Outcome", "ms"],
    events.map(({ time, event, principal, credential, tool, namespace, outcome, ms }) => [
      shown(time),
      principal ?? "–",
      [tool ?? event ?? "–", ...(credential === null ? [] : [credential])].join(" "),
      namespace ?? "–",
      outcome ?? "–",
      ms === null ? "–" : String(ms),
    ]),
  );
}

function table(
  name: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): HTMLElement {
  const heads = titles.map((title) => {
    const head = element("th", {}, title);
    head.scope = "col";
    return head;
  });
  const body = rows.map((row) =>
    element("tr", {}, ...row.map((cell) => element("td", {}, makeVisible(cell)))),
  );
  const header = element("thead", {}, element("tr", {}, ...heads));
  return scrollable(name, element("table", {}, header, element("tbody", {}, ...body)));
}

/** A box that scrolls on a narrow screen; the keyboard reaches it. */
function scrollable(name: string, content: Element): HTMLElement {
  const attributes = { class: "scroll", role: "region", "aria-label": name, tabindex: "0" };
  return element("div", attributes, content);
}

function shown(time: string | null): string {
  return time === null ? "–" : new Date(time).toLocaleString();
}
