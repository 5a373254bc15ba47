// The TypeScript and JavaScript repositories with known references, each at one commit, with the packages of its types.

export interface Repository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly packageManager: PackageManager;
  readonly installArguments: readonly string[];
  /** Folders of the sampled definitions, each with `/` at its end; uses are searched for everywhere. */
  readonly sources: readonly string[];
  /** Plain JavaScript: its definitions are found as `scriptDefinitionsIn` does. */
  readonly isScript?: true;
  /** Its definitions are the members of objects, as `objectDefinitionsIn` finds them. */
  readonly ofObjects?: true;
  /** Size of the sample; 400 if undefined. */
  readonly count?: number;
  /** As in a tsconfig.json at the root. `paths` maps the packages of the repository to their sources. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
}

/** Exact versions: an installed tree is to be the same the next time. */
export const PACKAGE_MANAGERS = { npm: undefined, pnpm: "pnpm@11.28.11", none: undefined } as const;
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

/** Plain JavaScript with `require`, as an editor reads it without a configuration. */
const SCRIPTS = {
  allowJs: true,
  checkJs: true,
  esModuleInterop: true,
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  maxNodeModuleJsDepth: 0,
  module: "NodeNext",
  moduleResolution: "NodeNext",
  noEmit: true,
  // Without it, the service does not know the object in the functions of a literal.
  noImplicitThis: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  strict: false,
  target: "ESNext",
  types: ["node"],
};
const NPM = ["--no-audit", "--no-fund"];

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
  {
    name: "fastify",
    github: "fastify/fastify",
    commit: "83e69762aff047940b376fc2a266d143499ef727",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["fastify.js", "lib/"],
    isScript: true,
    count: 160,
    compilerOptions: SCRIPTS,
  },
  {
    name: "mocha",
    github: "mochajs/mocha",
    commit: "e6b9ee773481fd739ae24caeb42f32ac0b010f95",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["lib/"],
    isScript: true,
    count: 160,
    compilerOptions: SCRIPTS,
  },
  {
    name: "express",
    github: "expressjs/express",
    commit: "a3714473feb3d2908add734d340e7755fd85e0a3",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["lib/"],
    isScript: true,
    count: 160,
    compilerOptions: SCRIPTS,
  },
  {
    name: "koa",
    github: "koajs/koa",
    commit: "e0ba8ef39d27fe5dae5492f9fe753d155124f994",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["lib/"],
    isScript: true,
    count: 160,
    compilerOptions: SCRIPTS,
  },
  {
    name: "trpc",
    github: "trpc/trpc",
    commit: "340811ba5320637fbaf48fccf3dbfdd258bd34db",
    packageManager: "pnpm",
    installArguments: ["--frozen-lockfile", "--filter", "./packages/*"],
    sources: ["packages/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      paths: {
        "@trpc/client": ["./packages/client/src"],
        "@trpc/client/*": ["./packages/client/src/*"],
        "@trpc/next": ["./packages/next/src"],
        "@trpc/next/*": ["./packages/next/src/*"],
        "@trpc/react-query": ["./packages/react-query/src"],
        "@trpc/react-query/*": ["./packages/react-query/src/*"],
        "@trpc/openapi": ["./packages/openapi/src"],
        "@trpc/openapi/*": ["./packages/openapi/src/*"],
        "@trpc/server": ["./packages/server/src"],
        "@trpc/server/*": ["./packages/server/src/*"],
        "@trpc/tanstack-react-query": ["./packages/tanstack-react-query/src"],
        "@trpc/tanstack-react-query/*": ["./packages/tanstack-react-query/src/*"],
      },
      types: ["node"],
    },
  },
  {
    name: "vue",
    github: "vuejs/core",
    commit: "e2bede96134f757aad5c5b33ac9be055022dbfc8",
    packageManager: "pnpm",
    installArguments: ["--frozen-lockfile"],
    sources: ["packages/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      paths: {
        "@vue/compat": ["./packages/vue-compat/src"],
        "@vue/*": ["./packages/*/src"],
        vue: ["./packages/vue/src"],
      },
      types: ["node"],
    },
  },
  {
    name: "ws",
    github: "websockets/ws",
    commit: "a2f4e7c046c2112bbce6fef39a083dac77d6f0d2",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["lib/"],
    isScript: true,
    count: 160,
    compilerOptions: SCRIPTS,
  },
  {
    name: "mobx",
    github: "mobxjs/mobx",
    commit: "01211a698b64ea94de8e5f276ff8235fcf8ddf96",
    packageManager: "npm",
    installArguments: NPM,
    sources: ["packages/mobx/src/", "packages/mobx-react/src/", "packages/mobx-react-lite/src/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      paths: {
        mobx: ["./packages/mobx/src/mobx.ts"],
        "mobx-react": ["./packages/mobx-react/src/index.ts"],
        "mobx-react-lite": ["./packages/mobx-react-lite/src/index.ts"],
      },
    },
  },
  {
    name: "zod",
    github: "colinhacks/zod",
    commit: "e516c3baf22615e20934116abebfed6c000222c2",
    packageManager: "pnpm",
    installArguments: ["--frozen-lockfile", "--filter", "zod"],
    sources: ["packages/zod/src/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      paths: {
        zod: ["./packages/zod/src/index.ts"],
        "zod/v3": ["./packages/zod/src/v3/index.ts"],
        "zod/v4": ["./packages/zod/src/v4/index.ts"],
        "zod/v4/core": ["./packages/zod/src/v4/core/index.ts"],
        "zod/mini": ["./packages/zod/src/mini/index.ts"],
      },
      types: ["node"],
    },
  },
  {
    name: "typedoc",
    github: "TypeStrong/typedoc",
    commit: "6d8c856bbb46b089371952981f113c3e318818fd",
    packageManager: "npm",
    installArguments: [...NPM, "--legacy-peer-deps", "--no-package-lock"],
    sources: ["src/lib/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      customConditions: ["typedoc-ts"],
      jsx: "react",
      jsxFactory: "JSX.createElement",
      jsxFragmentFactory: "JSX.Fragment",
      module: "NodeNext",
      moduleResolution: "NodeNext",
      types: ["node", "mocha"],
    },
  },
  {
    name: "excalidraw",
    github: "excalidraw/excalidraw",
    commit: "4872083c044491b6d5c96ae134a75464f96d6831",
    packageManager: "npm",
    installArguments: [...NPM, "--legacy-peer-deps", "--no-package-lock"],
    sources: ["packages/"],
    count: 160,
    compilerOptions: {
      ...COMMON,
      paths: {
        "@excalidraw/excalidraw": ["./packages/excalidraw/index.tsx"],
        "@excalidraw/excalidraw/*": ["./packages/excalidraw/*"],
        "@excalidraw/*": ["./packages/*/src/index.ts"],
        "@excalidraw/common/*": ["./packages/common/src/*"],
        "@excalidraw/element/*": ["./packages/element/src/*"],
        "@excalidraw/fractional-indexing/*": ["./packages/fractional-indexing/src/*"],
        "@excalidraw/laser-pointer/*": ["./packages/laser-pointer/src/*"],
        "@excalidraw/math/*": ["./packages/math/src/*"],
        "@excalidraw/utils/*": ["./packages/utils/src/*"],
      },
      types: ["node"],
    },
  },
  {
    name: "umami",
    github: "umami-software/umami",
    commit: "c0ea3aefbee7a3429ee2f824b06dc4a9dbe0b7e1",
    packageManager: "npm",
    installArguments: [...NPM, "--legacy-peer-deps", "--no-package-lock"],
    sources: ["src/"],
    count: 160,
    compilerOptions: { ...COMMON, paths: { "@/*": ["./src/*"] }, types: ["node"] },
  },
  {
    name: "umami-objects",
    github: "umami-software/umami",
    commit: "c0ea3aefbee7a3429ee2f824b06dc4a9dbe0b7e1",
    packageManager: "npm",
    installArguments: [...NPM, "--legacy-peer-deps", "--no-package-lock"],
    sources: ["src/"],
    ofObjects: true,
    count: 200,
    compilerOptions: { ...COMMON, paths: { "@/*": ["./src/*"] }, types: ["node"] },
  },
  {
    name: "documenso-objects",
    github: "documenso/documenso",
    commit: "75330166cc00b29c14399bc2e391e4b4d8080c00",
    packageManager: "none",
    installArguments: [],
    sources: ["apps/remix/", "packages/"],
    ofObjects: true,
    count: 200,
    compilerOptions: {
      ...COMMON,
      paths: {
        "~/*": ["./apps/remix/app/*"],
        "@documenso/*": ["./packages/*", "./packages/*/index.ts", "./packages/*/index.tsx"],
      },
    },
  },
  {
    name: "outline-objects",
    github: "outline/outline",
    commit: "d77dcdf853868c5d5fe125c895c9b71f0eff5c68",
    packageManager: "none",
    installArguments: [],
    sources: ["app/", "server/", "shared/"],
    ofObjects: true,
    count: 200,
    compilerOptions: {
      ...COMMON,
      experimentalDecorators: true,
      paths: {
        "@server/*": ["./server/*"],
        "@shared/*": ["./shared/*"],
        "~/*": ["./app/*"],
        "plugins/*": ["./plugins/*"],
      },
    },
  },
];
