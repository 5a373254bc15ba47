// Metrics of a running server, in the Prometheus text format 0.0.4
// (prometheus.io/docs/instrumenting/exposition_formats). docs/decisions/0022-metrics.md explains why no library is
// used.

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Label values by name. Values come from a bounded set, never from a client. */
export type Labels = Readonly<Record<string, string>>;

interface Sample {
  /** Suffix of the family's name: "_bucket", "_sum" or "_count" of a histogram. */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

/** All samples of one name. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

type Naming = Pick<Family, "name" | "help">;

/** Returns a family with one value and no labels. */
export function single(type: "counter" | "gauge", naming: Naming, value: number): Family {
  return { ...naming, type, samples: [{ labels: {}, value }] };
}

/** Counts events by labels. */
export class Counter {
  readonly #naming: Naming;
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>();

  constructor(naming: Naming) {
    this.#naming = naming;
  }

  /** Adding 0 publishes the labels before the first event, so that the first event shows as an increase. */
  add(labels: Labels, by = 1): void {
    const key = labelsText(labels);
    const found = this.#counts.get(key);
    if (found === undefined) this.#counts.set(key, { labels, value: by });
    else found.value += by;
  }

  family(): Family {
    return { ...this.#naming, type: "counter", samples: [...this.#counts.values()] };
  }
}

interface Distribution {
  readonly labels: Labels;
  /** The number of values up to each bound and above the previous one, then the number above all bounds. */
  readonly counts: number[];
  sum: number;
}

/** Counts values by upper bounds and labels. */
export class Histogram {
  readonly #naming: Naming;
  readonly #bounds: readonly number[];
  readonly #distributions = new Map<string, Distribution>();

  /** `bounds` are in ascending order. */
  constructor(naming: Naming, bounds: readonly number[]) {
    this.#naming = naming;
    this.#bounds = bounds;
  }

  /** Counts a value in its bucket. */
  observe(labels: Labels, value: number): void {
    const key = labelsText(labels);
    const distribution = this.#distributions.get(key) ?? {
      labels,
      counts: [...this.#bounds, Infinity].map(() => 0),
      sum: 0,
    };
    this.#distributions.set(key, distribution);
    const found = this.#bounds.findIndex((bound) => value <= bound);
    const at = found === -1 ? this.#bounds.length : found;
    distribution.counts[at] = (distribution.counts[at] ?? 0) + 1;
    distribution.sum += value;
  }

  family(): Family {
    const samples = [...this.#distributions.values()].flatMap((one) => this.#samplesOf(one));
    return { ...this.#naming, type: "histogram", samples };
  }

  /** Buckets are cumulative: each counts all values up to its bound. */
  #samplesOf({ labels, counts, sum }: Distribution): readonly Sample[] {
    let value = 0;
    const buckets = [...this.#bounds, Infinity].map((bound, at) => {
      value += counts[at] ?? 0;
      return { suffix: "_bucket", labels: { ...labels, le: numberText(bound) }, value };
    });
    return [
      ...buckets,
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value },
    ];
  }
}

/** Returns the text that a collector reads. */
export function exposition(families: readonly Family[]): string {
  return families.map(familyText).join("");
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = "", labels, value }) =>
      `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
  );
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  return value === Infinity ? "+Inf" : String(value);
}
