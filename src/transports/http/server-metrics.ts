import { ERRORS } from "../../base/errors.ts";
import { TOOL_LISTINGS } from "../../tools/tool-listings.ts";
import { REST_PATHS } from "./rest-endpoint.ts";
import { Counter, Histogram, single, type Family } from "./metrics.ts";

/** Tool labels of REST calls. */
const REST_TOOLS: ReadonlySet<string> = new Set(REST_PATHS);

/** A finished call. */
interface MeasuredCall {
  /** Name sent by the client, or the path of a REST call. */
  readonly tool: string;
  readonly isRest: boolean;
  /** `ok`, `cancelled`, or an error code. */
  readonly outcome: string;
  /** Duration from the first byte of the request. */
  readonly seconds: number;
}

/** Current numbers of calls and streams. */
interface ActiveCounts {
  readonly calls: number;
  readonly waiting: number;
  readonly streams: number;
}

/** From an answer out of the cache to the longest possible call. */
const BUCKET_BOUNDS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const TOOLS: ReadonlySet<string> = new Set(TOOL_LISTINGS.map(({ name }) => name));
const OUTCOMES: ReadonlySet<string> = new Set(["ok", "cancelled", ...Object.keys(ERRORS)]);

/** Metrics of the server's own work. */
export class ServerMetrics {
  readonly #version: string;
  readonly #calls = new Counter({
    name: "svc_calls_total",
    help: "Finished calls, by tool and outcome: ok, cancelled, or an error code.",
  });
  readonly #durations = new Histogram(
    {
      name: "svc_call_duration_seconds",
      help: "Duration of calls with any outcome, from the first byte to the reply.",
    },
    BUCKET_BOUNDS_SECONDS,
  );
  readonly #refusals = new Counter({
    name: "svc_refusals_total",
    help: "Error responses to calls, and to requests that never became one.",
  });

  constructor(version: string) {
    this.#version = version;
    for (const tool of [...TOOLS, ...REST_TOOLS]) this.#calls.add({ tool, outcome: "ok" }, 0);
  }

  /** Counts a finished call and its duration. Returns the label of its tool. */
  recordCall({ tool: named, isRest, outcome, seconds }: MeasuredCall): string {
    // A tool name made up by a client must not create a new time series.
    const tool = knownOr(isRest ? REST_TOOLS : TOOLS, named);
    this.#calls.add({ tool, outcome: knownOr(OUTCOMES, outcome) });
    this.#durations.observe({ tool }, seconds);
    return tool;
  }

  /** Counts an error response. */
  recordError(code: string): void {
    this.#refusals.add({ error_code: knownOr(OUTCOMES, code) });
  }

  families({ calls, waiting, streams }: ActiveCounts): readonly Family[] {
    return [
      this.#calls.family(),
      this.#durations.family(),
      single("gauge", { name: "svc_calls_in_flight", help: "Running MCP and REST calls." }, calls),
      single(
        "gauge",
        { name: "svc_calls_waiting", help: "Requests that wait for their turn." },
        waiting,
      ),
      single("gauge", { name: "svc_event_streams", help: "Open event streams." }, streams),
      this.#refusals.family(),
      ...processFamilies(),
      {
        name: "svc_build_info",
        help: "Always 1; the label gives the running version.",
        type: "gauge",
        samples: [{ labels: { version: this.#version }, value: 1 }],
      },
    ];
  }
}

/** Uses the names that collectors and dashboards know from other programs. */
function processFamilies(): readonly Family[] {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    single("gauge", { name: "process_resident_memory_bytes", help: "Memory of the process." }, rss),
    single("gauge", { name: "nodejs_heap_size_used_bytes", help: "Used heap of V8." }, heapUsed),
    single(
      "gauge",
      {
        name: "nodejs_external_memory_bytes",
        help: "Memory that V8 objects hold outside the heap.",
      },
      external,
    ),
    single(
      "counter",
      { name: "process_cpu_seconds_total", help: "Processor time of all threads." },
      (user + system) / 1e6,
    ),
    single(
      "gauge",
      {
        name: "process_start_time_seconds",
        help: "Start time of the process, in seconds since 1970.",
      },
      performance.timeOrigin / 1000,
    ),
  ];
}

function knownOr(known: ReadonlySet<string>, text: string): string {
  return known.has(text) ? text : "other";
}
