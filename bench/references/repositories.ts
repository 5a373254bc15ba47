// The TypeScript repositories with known references, each at one commit, with the packages of its types.

export interface Repository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly packageManager: PackageManager;
  readonly installArguments: readonly string[];
  /** Folders of the sampled definitions, each with `/` at its end; uses are searched for everywhere. */
  readonly sources: readonly string[];
  /** As in a tsconfig.json at the root. `paths` maps the packages of the repository to their sources. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Exact versions: an installed tree is to be the same the next time. */
export const PACKAGE_MANAGERS = { npm: undefined, pnpm: "pnpm@11.28.11" } as const;
export type PackageManager = keyof typeof PACKAGE_MANAGERS;

const COMMON = {
  allowImportingTsExtensions: true,
  allowJs: true,
  esModuleInterop: true,
  jsx: "react-jsx",
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  module: "ESNext",
  // A file without imports is not part of a global scope: fixtures would refer to each other.
  moduleDetection: "force",
  moduleResolution: "Bundler",
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: "ESNext",
};

export const REPOSITORIES: readonly Repository[] = [
  {
    name: "hono",
    github: "honojs/hono",
    commit: "28a9c128912de19f3fb28b00ae289c9b93f6f392",
    packageManager: "npm",
    installArguments: ["--no-audit", "--no-fund"],
    sources: ["src/"],
    compilerOptions: {
      ...COMMON,
      jsxImportSource: "hono/jsx",
      paths: {
        hono: ["./src/index.ts"],
        "hono/*": [
          "./src/*",
          "./src/*/index.ts",
          "./src/middleware/*/index.ts",
          "./src/helper/*/index.ts",
          "./src/adapter/*/index.ts",
        ],
      },
    },
  },
  {
    name: "vitest",
    github: "vitest-dev/vitest",
    commit: "c3ba16b35847d27fb9f01f38cdcb047c77e121f8",
    packageManager: "pnpm",
    installArguments: ["--frozen-lockfile", "--filter", "./packages/*"],
    sources: ["packages/"],
    compilerOptions: {
      ...COMMON,
      customConditions: ["__vitest_source__"],
      paths: {
        "@vitest/browser": ["./packages/browser/src/node/index.ts"],
        "@vitest/browser-preview": ["./packages/browser-preview/src/index.ts"],
        "@vitest/expect": ["./packages/expect/src/index.ts"],
        "@vitest/ui": ["./packages/ui/node/index.ts"],
        "@vitest/pretty-format": ["./packages/pretty-format/src/index.ts"],
        "@vitest/utils": ["./packages/utils/src/index.ts"],
        "@vitest/utils/*": ["./packages/utils/src/*"],
        "@vitest/spy": ["./packages/spy/src/index.ts"],
        "@vitest/mocker": ["./packages/mocker/src/index.ts"],
        "@vitest/mocker/node": ["./packages/mocker/src/node/index.ts"],
        "@vitest/mocker/browser": ["./packages/mocker/src/browser/index.ts"],
        "@vitest/mocker/transforms": ["./packages/mocker/src/node/transforms.ts"],
        "@vitest/browser-playwright": ["./packages/browser-playwright/src/index.ts"],
        "~/*": ["./packages/ui/client/*"],
        vitest: ["./packages/vitest/src/public/index.ts"],
        "vitest/globals": ["./packages/vitest/globals.d.ts"],
        "vitest/browser": ["./packages/vitest/browser/context.d.ts"],
        "vitest/*": ["./packages/vitest/src/public/*"],
        "#test-utils": ["./test/test-utils/index.ts"],
      },
      types: ["node", "vite/client"],
    },
  },
];
