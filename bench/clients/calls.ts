// The calls of the simulated model: 40 questions about webpack, and 20 wrong calls.

export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** For a wrong call: the texts that its model must receive, namely the reason and the remedy. */
  readonly remedy?: RegExp;
}

const SEARCHES = [
  "how are modules resolved",
  "where is the cache of a compilation invalidated",
  "how does tree shaking find unused exports",
  "what decides the name of a chunk file",
  "how is a source map attached to an asset",
  "where are loaders run",
  "how does hot module replacement send updates",
  "which hook runs before a chunk is rendered",
  "how are circular dependencies handled",
  "where is the watch mode implemented",
  "how is a module concatenated",
  "what is the public path of assets and where is it set",
  "how are externals configured",
  "how does split chunks choose a cache group",
  "where are warnings and errors formatted",
  "how is the runtime code generated",
  "NormalModuleFactory",
  "ContextReplacementPlugin",
  "compilation.hooks.processAssets",
  "chunk graph connect module",
  "persistent cache pack file strategy",
  "side effects flag package json",
  "Module parse failed: Unexpected token",
  "Can't resolve module in directory",
  "const stats = compilation.getStats();",
  "class DefinePlugin { apply(compiler) {",
];

const QUESTIONS: readonly ScriptedCall[] = [
  ...SEARCHES.map((query) => ({ tool: "search_context", input: { query } })),
  { tool: "search_text", input: { pattern: "processAssets" } },
  { tool: "search_text", input: { pattern: "new Error\\(", regex: true, limit: 20 } },
  { tool: "search_text", input: { pattern: "TODO", output: "files" } },
  { tool: "search_text", input: { pattern: "createHash", output: "count" } },
  { tool: "find_symbol", input: { name: "Compilation" } },
  { tool: "find_symbol", input: { name: "createChunk" } },
  { tool: "find_symbol", input: { name: "resolv" } },
  { tool: "read_context", input: { targets: ["lib/Compiler.js:1-60"] } },
  { tool: "read_context", input: { targets: ["ChunkGraph"], max_tokens: 1000 } },
  { tool: "outline", input: {} },
  { tool: "outline", input: { path: "lib/Module.js" } },
  { tool: "find_references", input: { symbol: "ConcatenatedModule" } },
  { tool: "list_changes", input: {} },
  { tool: "index_status", input: {} },
];

const WRONG_CALLS: readonly ScriptedCall[] = [
  { tool: "search_context", input: { query: "cache", limit: 0 }, remedy: /limit.*1 to 50|>= 1/ },
  { tool: "search_context", input: { query: "cache", limit: 500 }, remedy: /limit.*1 to 50|<= 50/ },
  {
    tool: "search_context",
    input: { query: "cache", limit: "ten" },
    remedy: /limit.*(?:number|integer)/i,
  },
  {
    tool: "search_context",
    input: { query: "cache", max_tokens: 5 },
    remedy: /max_tokens.*100|>= 100/,
  },
  {
    tool: "search_context",
    input: { query: "cache", top_k: 5 },
    remedy: /top_k.*It takes: query/s,
  },
  {
    tool: "search_context",
    input: { query: "cache", language: "javscript" },
    remedy: /Nearest: javascript/,
  },
  { tool: "search_context", input: { query: "cache", path: "lib/[" }, remedy: /glob.*backslash/s },
  {
    tool: "search_context",
    input: { query: "cache", cursor: "page2" },
    remedy: /again without a cursor/,
  },
  { tool: "search_context", input: { query: "ca" }, remedy: /3 to 10,000/ },
  {
    tool: "search_context",
    input: { query: "cache", namespace: "no-such" },
    remedy: /namespace.*no-such/i,
  },
  { tool: "search_text", input: {}, remedy: /pattern.*required|required.*pattern/is },
  {
    tool: "search_text",
    input: { pattern: "(cache", regex: true },
    remedy: /RE2.*without `regex`/s,
  },
  { tool: "search_text", input: { pattern: "a(?=b)", regex: true }, remedy: /no look-around/ },
  {
    tool: "search_text",
    input: { pattern: "cache", output: "lines" },
    remedy: /matches, files or count/,
  },
  { tool: "find_symbol", input: { name: "Compilation", kind: "struct" }, remedy: /must be one of/ },
  {
    tool: "read_context",
    input: { targets: "lib/Compiler.js" },
    remedy: /targets.*(?:list|array)/is,
  },
  {
    tool: "read_context",
    input: { targets: ["../../etc/passwd"] },
    remedy: /relative to the source's root/,
  },
  { tool: "outline", input: { path: "lib/Compilr.js" }, remedy: /lib\/Compiler\.js/ },
  { tool: "find_references", input: { symbol: "Compilatoin" }, remedy: /compilation/ },
  { tool: "list_changes", input: { since: "yesterday" }, remedy: /next_cursor/ },
];

export const CALLS: readonly ScriptedCall[] = [...QUESTIONS, ...WRONG_CALLS];
