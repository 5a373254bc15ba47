// The repositories of component files with known references, each at one commit.

export interface ComponentRepository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly language: "vue" | "svelte";
  /** Folders of the sampled definitions, each with `/` at its end. */
  readonly sources: readonly string[];
  /** Folders whose files are not read: copies and generated sites. */
  readonly without: readonly string[];
  /** npm packages that the types of the sources need. */
  readonly packages: readonly string[];
  /** As `paths` of a tsconfig.json at the root. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Only the totals were looked at when svc was changed. */
  readonly isJudge?: true;
}

export const COMPONENT_REPOSITORIES: readonly ComponentRepository[] = [
  {
    name: "vitepress",
    github: "vuejs/vitepress",
    commit: "ed2bfb266ef788e86d1a73fe3cd7708a4cd5e260",
    language: "vue",
    sources: ["src/client/", "src/shared/", "types/"],
    without: ["docs/", "template/", "__tests__/"],
    packages: ["vue@3.5.45", "@vueuse/core@14.0.0", "@types/node@24.9.2", "vite@7.2.2"],
    paths: { vitepress: ["./src/client/index.ts"] },
  },
  {
    name: "koel",
    github: "koel/koel",
    commit: "41cab99feeaf59b139699403fdfd41f0a280fb39",
    language: "vue",
    sources: ["resources/assets/js/"],
    without: ["docs/", "public/"],
    packages: ["vue@3.5.45", "@vueuse/core@14.0.0", "lodash@4.17.21", "@types/lodash@4.17.20"],
    paths: { "@/*": ["./resources/assets/js/*"] },
    isJudge: true,
  },
  {
    name: "bits-ui",
    github: "huntabyte/bits-ui",
    commit: "d9cc7ccd804e781596c68ca755d0ebb373d0776b",
    language: "svelte",
    sources: ["packages/bits-ui/src/lib/"],
    without: ["docs/", "tests/"],
    packages: ["svelte@5.57.3", "svelte-toolbelt@0.10.6", "runed@0.35.1"],
    paths: { "$lib/*": ["./packages/bits-ui/src/lib/*"] },
  },
  {
    name: "flowbite-svelte",
    github: "themesberg/flowbite-svelte",
    commit: "df3404b81aefbd91cb178dd68e4844a4e4e31066",
    language: "svelte",
    sources: ["src/lib/"],
    without: ["src/routes/"],
    packages: ["svelte@5.57.3", "tailwind-variants@3.1.1", "tailwind-merge@3.3.1"],
    paths: { "$lib/*": ["./src/lib/*"], $lib: ["./src/lib/index.ts"] },
    isJudge: true,
  },
];
