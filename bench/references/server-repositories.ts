// The repositories whose references come from a language server, each at one commit.
import { tmpdir } from "node:os";

import type { ServerCommand } from "./language-server.ts";

export interface ServedRepository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly server: keyof typeof SERVERS;
  /** Files with sampled definitions; uses are searched for in all that the server reads. */
  readonly sources: RegExp;
  /** The files that the server can read here, if not all of `Served.files`. */
  readonly files?: RegExp;
  /** A shell command in the work tree of the server, before it starts; undefined if none is needed. */
  readonly prepare?: string;
}

export interface Served extends ServerCommand {
  readonly languageId: string;
  /** Its name and version. */
  readonly tool: string;
  /** The files that it reads. */
  readonly files: RegExp;
  /** Whether it reads files that nobody has opened. */
  readonly readsAll: boolean;
  /** Whether its uses of a method are also those of all methods that override the same one. */
  readonly listsRelatives?: true;
  /** Whether it must be asked for declarations too: it takes imports and assignments for some. */
  readonly listsDeclarations: boolean;
}

const CLANGD: Served = {
  tool: "clangd 16",
  languageId: "cpp",
  files: /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/,
  readsAll: true,
  listsDeclarations: false,
  command: ["clangd-16", "--background-index", "--limit-references=0", "--limit-results=0", "-j=2"],
  initializationOptions: { compilationDatabasePath: "build" },
  readyMethod: "$/progress",
};

export const SERVERS = {
  clangd: CLANGD,
  pyright: {
    tool: "pyright 1.1.414",
    languageId: "python",
    files: /\.pyi?$/,
    readsAll: false,
    listsDeclarations: false,
    command: ["pyright-langserver", "--stdio"],
    initializationOptions: {},
    readyMethod: undefined,
  },
  intelephense: {
    tool: "intelephense 1.10.4",
    languageId: "php",
    files: /\.php$/,
    readsAll: true,
    listsDeclarations: true,
    listsRelatives: true,
    command: ["intelephense", "--stdio"],
    initializationOptions: { clearCache: true, storagePath: tmpdir() },
    readyMethod: "indexingEnded",
  },
} satisfies Readonly<Record<string, Served>>;

const CMAKE = "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";

export const SERVED: readonly ServedRepository[] = [
  {
    name: "leveldb",
    github: "google/leveldb",
    commit: "78a352f47ed6c1e9d750545e9b242289185b87e1",
    server: "clangd",
    sources: /^(?:db|table|util|include|port|helpers)\/(?!.*_(?:test|bench)\.cc$)/,
    // The others need googletest, or Windows.
    files: /^(?!.*(?:_test\.cc|testutil\.|windows|^benchmarks|^third_party|^issues)).*\.(?:cc|h)$/,
    prepare: `${CMAKE} -DLEVELDB_BUILD_TESTS=OFF -DLEVELDB_BUILD_BENCHMARKS=OFF`,
  },
  {
    name: "ninja",
    github: "ninja-build/ninja",
    commit: "fc6bb98eee5a9710055cb9fe74375a6523831e28",
    server: "clangd",
    sources: /^src\/(?!.*(?:_test\.cc|win32|_perftest\.cc))/,
    // The others need googletest, or Windows.
    files: /^src\/(?!.*(?:test\.cc|test\.h|win32|minidump|msvc|getopt)).*\.(?:cc|h)$/,
    prepare: `${CMAKE} -DBUILD_TESTING=OFF`,
  },
  {
    name: "jq",
    github: "jqlang/jq",
    commit: "579e6f76cffd7643ba4002a2c3618a5ea710589a",
    server: "clangd",
    sources: /^src\//,
    // The others are generated.
    files: /^src\/(?!(?:lexer|parser|inject_errors)\.)\w+\.[ch]$/,
    prepare: `mkdir -p build && node -e 'const fs=require("fs");const d=process.cwd();fs.writeFileSync("build/compile_commands.json",JSON.stringify(fs.readdirSync("src").filter(f=>f.endsWith(".c")&&f!="inject_errors.c").map(f=>({directory:d,file:d+"/src/"+f,arguments:["clang","-Isrc","-I.","-D_GNU_SOURCE","-DHAVE_PTHREAD","-DUSE_DECNUM=0","-DIEEE_8087","-DHAVE_MEMMEM","-DHAVE_STRPTIME","-DHAVE_TIMEGM","-DHAVE_GMTIME_R","-c","src/"+f]}))))'`,
  },
  {
    name: "zlib",
    github: "madler/zlib",
    commit: "d201f04c72b0881220f5ba75ca19fd0e19fa848b",
    server: "clangd",
    sources: /^[^/]+\.[ch]$/,
    // The build has no others.
    files: /^(?:[^/]+|test\/(?!infcover)[^/]+)\.[ch]$/,
    prepare: `${CMAKE} && if [ -f zconf.h.included ]; then mv zconf.h.included zconf.h; fi`,
  },
  {
    name: "werkzeug",
    github: "pallets/werkzeug",
    commit: "1b00618e787f40dfb21eba29caf8f8be7c8e1d93",
    server: "pyright",
    sources: /^src\//,
  },
  {
    name: "httpx",
    github: "encode/httpx",
    commit: "ae1b9f66238f75ced3ced5e4485408435de10768",
    server: "pyright",
    sources: /^httpx\//,
  },
  {
    name: "guzzle",
    github: "guzzle/guzzle",
    commit: "2779e868a00289e1b1fd854af030c43a06f4bcb4",
    server: "intelephense",
    sources: /^src\//,
  },
  {
    name: "symfony-console",
    github: "symfony/console",
    commit: "6b099f3306f7c9c2d2786ed736d0026b2903205f",
    server: "intelephense",
    sources: /^(?!Tests\/)/,
  },
  {
    name: "yaml-cpp",
    github: "jbeder/yaml-cpp",
    commit: "c3f81127320662deb3e28f4da0a511f1faecd860",
    server: "clangd",
    sources: /^(?:src|include)\//,
    // The others need googletest.
    files: /^(?:src|include|util)\/.*\.(?:cpp|h)$/,
    prepare: `${CMAKE} -DYAML_CPP_BUILD_TESTS=OFF`,
  },
  {
    name: "hiredis",
    github: "redis/hiredis",
    commit: "29ea2791c102fdffff350f1ea6e04d1f71903d0d",
    server: "clangd",
    sources: /^[^/]+\.[ch]$/,
    // The others need OpenSSL, or Windows.
    files: /^(?!ssl\.c|hiredis_ssl|win32|sockcompat|ffc)[^/]+\.[ch]$/,
    prepare: `${CMAKE} -DDISABLE_TESTS=OFF`,
  },
  {
    name: "jinja",
    github: "pallets/jinja",
    commit: "5ef70112a1ff19c05324ff889dd30405b1002044",
    server: "pyright",
    sources: /^src\//,
  },
  {
    name: "monolog",
    github: "Seldaek/monolog",
    commit: "57eb1028342134e701e77c617565d51b6e5a2a53",
    server: "intelephense",
    sources: /^src\//,
  },
  {
    name: "spdlog",
    github: "gabime/spdlog",
    commit: "62302019babd8fdf63c1c6dc4c9faa48d441a7f0",
    server: "clangd",
    sources: /^(?:src|include)\/(?!spdlog\/fmt\/bundled)/,
    // The others need other systems or libraries.
    files:
      /^(?:src|example|include)\/(?!.*(?:bundled|windows|win_|wincolor|msvc|android|kafka|mongo|qt_)).*\.(?:cpp|h)$/,
    prepare: CMAKE,
  },
  {
    name: "cli11",
    github: "CLIUtils/CLI11",
    commit: "c1cfe00d2f3d862aecfe6e69ec810414d5f4c906",
    server: "clangd",
    sources: /^include\//,
    // The tests need Catch2.
    files: /^(?:include|examples)\/.*\.(?:cpp|hpp)$/,
    prepare: `${CMAKE} -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=ON -DCLI11_BUILD_EXAMPLES_JSON=OFF`,
  },
  {
    name: "pugixml",
    github: "zeux/pugixml",
    commit: "3a8e1dc59ec00645179f0dcb701ee400e062ae54",
    server: "clangd",
    sources: /^src\//,
    files: /^(?:src|tests)\/(?!.*fuzz).*\.[ch]pp$/,
    prepare: `${CMAKE} -DPUGIXML_BUILD_TESTS=ON`,
  },
  {
    name: "taskflow",
    github: "taskflow/taskflow",
    commit: "83f90a279aaab33fd4ce1deed00ca07819cbc8f8",
    server: "clangd",
    sources: /^taskflow\/(?!cuda|sycl)/,
    // The others need CUDA or SYCL.
    files: /^(?:taskflow\/(?!cuda|sycl)|examples\/(?!cuda|sycl)).*\.[ch]pp$/,
    prepare: `${CMAKE} -DTF_BUILD_TESTS=OFF -DTF_BUILD_BENCHMARKS=OFF`,
  },
  {
    name: "rich",
    github: "Textualize/rich",
    commit: "42899d8a0a96b121a514516f4be9db44ff7aeaf3",
    server: "pyright",
    sources: /^rich\//,
  },
  {
    name: "marshmallow",
    github: "marshmallow-code/marshmallow",
    commit: "341b927f219205704728c05cd61f04d7e9727523",
    server: "pyright",
    sources: /^src\//,
  },
  {
    name: "pytest",
    github: "pytest-dev/pytest",
    commit: "df87db7b0462fb764ef73fa00561adf8ad047572",
    server: "pyright",
    sources: /^src\//,
  },
];
