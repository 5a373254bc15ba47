// The checks of the suites that svc does not pass, each with the reason. An entry that no longer fails is stale, and
// fails the run like a new failure.
import type { Check, SuiteName } from "./suites.ts";
import type { TargetName } from "./targets.ts";

export interface Exception {
  readonly reason: string;
  /** The targets of the entry; all if absent. */
  readonly on?: readonly TargetName[];
  /** The suites of the entry; all if absent. */
  readonly of?: readonly SuiteName[];
  /**
   * `scenario`: none of its checks applies. `scenario check`: only this check of the scenario fails, and the rest must
   * pass. A suite ignores scenarios that it does not have.
   */
  readonly failures: readonly string[];
}

const PROGRAM: readonly TargetName[] = ["svc serve", "svc mcp --stdio", "svc mcp --remote"];
const STDIO: readonly TargetName[] = ["svc mcp --stdio", "svc mcp --remote", "fixtures, stdio"];

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      "svc has tools (interface, section 1): no prompts, resources or completions are declared",
    failures: [
      "completion-complete",
      "prompts-list",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "resources-list",
      "resources-read-text",
      "resources-read-binary",
      "resources-templates-read",
      "resources-subscribe",
      "resources-unsubscribe",
      "sep-2164-resource-not-found sep-2164-error-code",
      "sep-2164-resource-not-found sep-2164-data-uri",
      "caching sep-2549-prompts-list-caching-hints",
      "caching sep-2549-resources-list-caching-hints",
      "caching sep-2549-resources-templates-list-caching-hints",
    ],
  },
  {
    reason:
      "logs go to standard error (interface, 4.6): the logging of the protocol is not declared",
    failures: ["logging-set-level", "tools-call-with-logging"],
  },
  {
    reason:
      "the server asks nothing of its client: no sampling, elicitation or roots, and no tool needs them",
    failures: [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-request-state",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-missing-input-response sep-2322-missing-response-rerequests",
      "input-required-result-non-tool-request",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
      "input-required-result-capability-check",
      "input-required-result-ignore-extra-params sep-2322-ignore-unexpected-params",
      "server-stateless sep-2575-server-rejects-undeclared-capability",
      "server-stateless sep-2575-missing-capability-http-400",
    ],
  },
  {
    reason: "tasks are an extension, and not declared: no call of svc outlives 30 seconds",
    failures: [
      "tasks-lifecycle",
      "tasks-capability-negotiation",
      "tasks-wire-fields",
      "tasks-request-state-removal",
      "tasks-mrtr-input",
      "tasks-request-headers",
      "tasks-dispatch-and-envelope",
      "tasks-required-task-error",
      "tasks-mrtr-composition",
    ],
  },
  {
    reason:
      "nothing is kept between requests of HTTP: no sessions, and no event streams to be taken up again",
    // The newest revision has no sessions either.
    of: ["0.1.16", "0.2 2025-11-25"],
    failures: [
      "server-sse-multiple-streams server-sse-multiple-streams-session",
      "server-sse-polling server-sse-polling-session",
      "server-sse-polling server-sse-test-reconnection-tool",
    ],
  },
  {
    reason: "no argument of a tool is repeated in a header (x-mcp-header)",
    failures: ["http-custom-header-server-validation"],
  },
  {
    reason: "the tool that the suite calls is a fixture, which the program does not ship",
    on: PROGRAM,
    failures: [
      "tools-call-simple-text",
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
      "tools-call-error",
      "tools-call-with-progress",
      "json-schema-2020-12",
      "server-stateless sep-2575-http-server-no-independent-requests-on-stream",
      "server-stateless sep-2575-server-no-log-without-loglevel",
      "server-stateless sep-2575-server-sends-tools-list-changed-on-subscription",
    ],
  },
  {
    reason: "headers and statuses of HTTP, of which a line on standard input has none",
    on: STDIO,
    failures: [
      "dns-rebinding-protection localhost-host-rebinding-rejected",
      "http-header-validation sep-2243-server-reject-invalid-headers",
      "http-header-validation sep-2243-server-reject-error-code",
      "server-stateless sep-2575-http-server-header-mismatch-400",
      // Without a version in `_meta` or in a header, the request belongs to the older era.
      "server-stateless sep-2575-request-meta-invalid-missing-meta",
      "server-stateless sep-2575-request-meta-invalid-missing-protocol-version",
      "server-stateless sep-2575-http-server-meta-invalid-400",
    ],
  },
];

/** The differences between the actual and the expected failures. */
export interface Difference {
  readonly unexpected: readonly Check[];
  readonly stale: readonly string[];
}

/** The entries for a suite and a target whose scenarios ran. */
export function expectedOf(
  suite: SuiteName,
  target: TargetName,
  checks: readonly Check[],
): readonly string[] {
  const scenarios = new Set(checks.map(({ scenario }) => scenario));
  return EXCEPTIONS.filter(({ on, of }) => has(on, target) && has(of, suite))
    .flatMap(({ failures }) => failures)
    .filter((entry) => scenarios.has(scenarioOf(entry)));
}

function has<Name>(names: readonly Name[] | undefined, name: Name): boolean {
  return names === undefined || names.includes(name);
}

export function compare(checks: readonly Check[], expected: readonly string[]): Difference {
  const failed = checks.filter(({ passed }) => !passed);
  const names = new Set(failed.flatMap(namesOf));
  return {
    unexpected: failed.filter((check) => !namesOf(check).some((name) => expected.includes(name))),
    stale: expected.filter((entry) => !names.has(entry)),
  };
}

/** The names of the entries that would expect this failure. */
function namesOf({ scenario, id }: Check): readonly string[] {
  return [scenario, `${scenario} ${id}`];
}

export function scenarioOf(entry: string): string {
  const [scenario = ""] = entry.split(" ");
  return scenario;
}
