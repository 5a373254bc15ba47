// A library and a project that uses it at the version of its lock file. The truth of each is in truth/.

export interface Pair {
  readonly name: string;
  readonly library: Tree;
  readonly user: Tree;
  /** The folder with known uses; the whole project by default. */
  readonly within?: string;
}

/** A commit of a repository, or a published npm package. */
export type Tree =
  | { readonly github: string; readonly commit: string; readonly tag?: string }
  | { readonly npm: string };

const KOA = { github: "koajs/koa", commit: "e0ba8ef39d27fe5dae5492f9fe753d155124f994" } as const;
const FLASK = {
  github: "pallets/flask",
  commit: "2ac89889f4cc330eabd50f295dcef02828522c69",
} as const;
const GIN = {
  github: "gin-gonic/gin",
  commit: "4ea0e648e38a63d6caff14100f5eab5c50912bcd",
} as const;

export const PAIRS: readonly Pair[] = [
  { name: "koa-compose", library: { npm: "koa-compose@4.1.0" }, user: KOA },
  { name: "http-errors", library: { npm: "http-errors@2.0.1" }, user: KOA },
  {
    name: "diff",
    library: { npm: "diff@9.0.0" },
    user: { github: "mochajs/mocha", commit: "e6b9ee773481fd739ae24caeb42f32ac0b010f95" },
  },
  {
    name: "ufo",
    library: { github: "unjs/ufo", commit: "0f15ddc67f06c7abe16ef863d71a58b0c615b477" },
    user: { github: "unjs/h3", commit: "4bd5c3f9cf863448dd97bdabe5505a964e491756" },
  },
  {
    name: "sse",
    library: {
      github: "gin-contrib/sse",
      commit: "54d8467d122d380a14768b6b4e5cd7ca4755938f",
      tag: "v0.1.0",
    },
    user: GIN,
  },
  {
    name: "validator",
    library: {
      github: "go-playground/validator",
      commit: "ce28d7c4b27fbcafff82bc87a8bf58257beb9030",
      tag: "v10.14.0",
    },
    user: GIN,
  },
  {
    name: "click",
    library: { github: "pallets/click", commit: "052c006033729bbb422cbdad0c4fee988ecb5aa5" },
    user: FLASK,
    within: "src/",
  },
  {
    name: "werkzeug",
    library: { github: "pallets/werkzeug", commit: "c1a26b45fb06d5e086b4d6be820c3302f588d815" },
    user: FLASK,
    within: "src/",
  },
  {
    name: "commons-lang",
    library: { github: "apache/commons-lang", commit: "598dfc163b8b410fb3bb8794521206ec8dcec82a" },
    user: { github: "apache/commons-io", commit: "d83aeb6f4774aee75d857b29fb6cd89132c9a91b" },
  },
  {
    name: "bytes",
    library: { github: "tokio-rs/bytes", commit: "74e6e200fd671340d4d4a874f83776def04f6c7b" },
    user: { github: "tokio-rs/mini-redis", commit: "3d93b42bc363220f85af4fc9e1bebd35b588a4a3" },
  },
];
