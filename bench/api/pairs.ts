// Pairs of versions whose public definitions are compared.

interface Pair {
  readonly name: string;
  readonly repository: string;
  readonly tags: readonly [string, string];
  /** True if no rule was written after its result was known. */
  readonly isHeldOut?: boolean;
}

export interface PythonPair extends Pair {
  readonly language: "python";
  /** The folder of the package. */
  readonly root: string;
  readonly module: string;
  /** Packages that the package imports. */
  readonly needs?: readonly {
    readonly repository: string;
    readonly tag: string;
    readonly root: string;
  }[];
}

export interface ScriptPair extends Pair {
  readonly language: "typescript";
  /** A pattern for the build folder, and the source folder. */
  readonly source: readonly [string, string];
}

export type VersionPair = PythonPair | ScriptPair;

const MARKUPSAFE = [{ repository: "pallets/markupsafe", tag: "2.1.5", root: "src" }];

function python(
  repository: string,
  tags: readonly [string, string],
  facts: Partial<Pick<PythonPair, "root" | "module" | "needs">> = {},
): PythonPair {
  const name = repository.slice(repository.indexOf("/") + 1);
  return { name, repository, tags, language: "python", root: "src", module: name, ...facts };
}

function script(
  repository: string,
  tags: readonly [string, string],
  source: ScriptPair["source"],
): ScriptPair {
  const name = repository.slice(repository.indexOf("/") + 1);
  return { name, repository, tags, language: "typescript", source };
}

const IN_SRC = ["^(?:\\w+/types|\\w+)/", "src/"] as const;

/** The first pairs guided the rules, which did not change after the others were compared. */
export const PAIRS: readonly VersionPair[] = [
  python("pallets/click", ["8.1.8", "8.2.0"]),
  python("pallets/click", ["7.1.2", "8.0.0"]),
  python("pallets/click", ["8.0.4", "8.1.0"]),
  python("pallets/werkzeug", ["2.3.8", "3.0.0"], { needs: MARKUPSAFE }),
  python("pallets/werkzeug", ["3.0.6", "3.1.0"], { needs: MARKUPSAFE }),
  python("pallets/werkzeug", ["2.0.3", "2.1.0"], { needs: MARKUPSAFE }),
  python("python-attrs/attrs", ["21.4.0", "22.2.0"], { module: "attr,attrs" }),
  python("python-attrs/attrs", ["22.2.0", "24.2.0"], { module: "attr,attrs" }),
  script("honojs/hono", ["v3.12.0", "v4.0.0"], IN_SRC),
  script("honojs/hono", ["v4.6.0", "v4.10.0"], IN_SRC),
  script("sindresorhus/ky", ["v1.0.0", "v1.7.0"], ["^\\w+/", "source/"]),
  script("sindresorhus/ky", ["v1.14.0", "v2.0.0"], ["^\\w+/", "source/"]),
  ...[
    python("pallets/click", ["8.2.2", "8.3.0"]),
    python("pallets/werkzeug", ["1.0.1", "2.0.0"], { needs: MARKUPSAFE }),
    python("pallets/werkzeug", ["2.1.2", "2.2.0"], { needs: MARKUPSAFE }),
    python("pallets/werkzeug", ["2.2.3", "2.3.0"], { needs: MARKUPSAFE }),
    python("python-attrs/attrs", ["19.3.0", "21.4.0"], { module: "attr" }),
    python("python-hyper/h11", ["v0.9.0", "v0.14.0"], { root: "" }),
    script("honojs/hono", ["v4.0.0", "v4.4.0"], IN_SRC),
    script("honojs/hono", ["v4.10.0", "v4.13.0"], IN_SRC),
    script("sindresorhus/ky", ["v1.7.0", "v1.14.0"], ["^\\w+/", "source/"]),
  ].map((pair) => ({ ...pair, isHeldOut: true })),
];
