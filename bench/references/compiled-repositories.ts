// Repositories with the references that a compiler found, in Ruby a run of the tests, each at one commit. No library was
// there: a use whose meaning the compiler therefore did not know is not judged.

export interface CompiledRepository {
  readonly name: string;
  /** `owner/name`. */
  readonly github: string;
  readonly commit: string;
  readonly language: "go" | "java" | "kotlin" | "csharp" | "ruby" | "elixir";
  /** The sampled definitions are in paths that this regular expression matches; uses are searched for everywhere. */
  readonly sources: string;
  /** The files that the compiler reads, a regular expression; undefined for all of the language. */
  readonly files?: string;
  /** The symbols of `#if` in C#, separated by spaces. */
  readonly symbols?: string;
  /** The tests of a Ruby project, a pattern of paths. */
  readonly tests?: string;
  /** Nobody reads its false and missed references: it shows whether what helps the others helps in general. */
  readonly isJudge?: true;
}

export const COMPILED_REPOSITORIES: readonly CompiledRepository[] = [
  {
    name: "jsoup",
    github: "jhy/jsoup",
    commit: "46b620860af930eedc193a705eaf7cea5aec89a6",
    language: "java",
    sources: "^src/main/",
  },
  {
    name: "commons-lang",
    github: "apache/commons-lang",
    commit: "d15939ef46f0bd4144994df8be95cf5a7f91eb52",
    language: "java",
    sources: "^src/main/",
  },
  {
    name: "mockito",
    github: "mockito/mockito",
    commit: "ee8a330da0218f32d5964acdeaa3ac39e2c6ce14",
    language: "java",
    sources: "/src/main/",
    isJudge: true,
  },
  {
    name: "commons-io",
    github: "apache/commons-io",
    commit: "d83aeb6f4774aee75d857b29fb6cd89132c9a91b",
    language: "java",
    sources: "^src/main/",
    isJudge: true,
  },
  {
    name: "kotlinpoet",
    github: "square/kotlinpoet",
    commit: "c5bf640d1db3611cc65cdb59199e4db9e312438c",
    language: "kotlin",
    sources: "^kotlinpoet/src/\\w+Main/",
    files: String.raw`^kotlinpoet/src/(?:common|jvm)(?:Main|Test)/.*\.kt$`,
  },
  {
    name: "moshi",
    github: "square/moshi",
    commit: "889013ec2edb8d8034902662a1dc8c4f3b3f8111",
    language: "kotlin",
    sources: "/src/main/",
    files: String.raw`^moshi[\w-]*/src/(?:main|test)/.*\.kt$`,
    isJudge: true,
  },
  {
    name: "clikt",
    github: "ajalt/clikt",
    commit: "fa2e48c54995a88d492f05568a64889d99994877",
    language: "kotlin",
    sources: "^clikt/src/\\w+Main/",
    files: String.raw`^(?:clikt|clikt-mordant|test)/src/(?:common|jvm)(?:Main|Test)/.*\.kt$`,
  },
  {
    name: "koin",
    github: "InsertKoinIO/koin",
    commit: "fff5291f333c04fe5d6d9447f72740647d40d186",
    language: "kotlin",
    sources: "^projects/core/koin-core/src/\\w+Main/",
    files: String.raw`^projects/core/koin-core/src/(?:common|jvm)(?:Main|Test)/.*\.kt$`,
    isJudge: true,
  },
  {
    name: "restsharp",
    github: "restsharp/RestSharp",
    commit: "81252a6b91d41a48b176e1603915041963afcacd",
    language: "csharp",
    sources: "^RestSharp/",
    files: String.raw`^RestSharp(?:\.Tests)?/.*\.cs$`,
    symbols: "FRAMEWORK NET4 NET_4_0",
  },
  {
    name: "newtonsoft-json",
    github: "JamesNK/Newtonsoft.Json",
    commit: "5d186e4ef368fa6b40846f6b6af9430be1eb7679",
    language: "csharp",
    sources: "^Src/Newtonsoft.Json/",
    files: String.raw`^Src/Newtonsoft\.Json(?:\.Tests)?/.*\.cs$`,
    symbols: "DEBUG TRACE CODE_ANALYSIS",
    isJudge: true,
  },
  {
    name: "liquid",
    github: "Shopify/liquid",
    commit: "a0411e09277ddba0e12167d56cc2d6a52847ca91",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/{unit,integration}/**/*_test.rb",
  },
  {
    name: "kramdown",
    github: "gettalong/kramdown",
    commit: "12b3d2e752793d4128b6355c338b23fefa674ee0",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/test_*.rb",
    isJudge: true,
  },
  {
    name: "jackson-core",
    github: "FasterXML/jackson-core",
    commit: "b367da1c30a25e99fbf2c30876e948b578c86846",
    language: "java",
    sources: "^src/main/",
    isJudge: true,
  },
  {
    name: "rake",
    github: "ruby/rake",
    commit: "474500ab2eec41ef28068e18e30f84fa412a098f",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/test_*.rb",
  },
  {
    name: "cecil",
    github: "jbevain/cecil",
    commit: "b9b27dbb77801cc0bccd49f07279fb22779ad58b",
    language: "csharp",
    sources: "^Mono",
    files: String.raw`^(?:Mono|System|Test/Mono|rocks/Mono)[^/]*/.*\.cs$`,
    symbols: "NET_3_5 NET_4_0",
  },
  {
    name: "rexml",
    github: "ruby/rexml",
    commit: "13aedf2c74c871e8c4ceba549971e16a66df1171",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/{helper,test_*}.rb",
  },
  {
    name: "rack",
    github: "rack/rack",
    commit: "d28c464bcb55a9e26b9a9656e4ba484d327515ed",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/spec_*.rb",
    isJudge: true,
  },
  {
    name: "rubyzip",
    github: "rubyzip/rubyzip",
    commit: "4209b022069d4d5646753dd5799e8771e4699e5c",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/**/*_test.rb",
    isJudge: true,
  },
  {
    name: "reline",
    github: "ruby/reline",
    commit: "841ab2f88fc1d190873f19f151e3fb88772d30e7",
    language: "ruby",
    sources: "^lib/",
    files: String.raw`^(?:lib|test)/.*\.rb$`,
    tests: "test/reline/test_*.rb",
    isJudge: true,
  },
  {
    name: "javapoet",
    github: "square/javapoet",
    commit: "b9017a9503b76e11b4ad4c1a9f050e2d29112cb0",
    language: "java",
    sources: "^src/main/",
  },
  {
    name: "guice",
    github: "google/guice",
    commit: "621416a2408952eec8007e06e81f4dc21baa8ab0",
    language: "java",
    sources: "^core/src/",
    isJudge: true,
  },
  {
    name: "zap",
    github: "uber-go/zap",
    commit: "5b81b37b81b8e2ed447a6f57991e372ee4fa5c8f",
    language: "go",
    sources: "^(?!.*(?:_test\\.go|^benchmarks/))",
    files: String.raw`\.go$`,
  },
  {
    name: "chi",
    github: "go-chi/chi",
    commit: "735ae2b87f8c733d616e809ae86e0985c1bc3350",
    language: "go",
    sources: "^(?!.*(?:_test\\.go|^_examples/))",
    isJudge: true,
    files: String.raw`\.go$`,
  },
  {
    name: "nimble_parsec",
    github: "dashbitco/nimble_parsec",
    commit: "d4b9d46f8e8fe07f4b6d41d7c1258aeb4be3c6df",
    language: "elixir",
    sources: "^lib/",
    files: String.raw`^lib/.*\.ex$`,
    isJudge: true,
  },
  {
    name: "gen_stage",
    github: "elixir-lang/gen_stage",
    commit: "72198f86c8cd4ba149e8ee2ad80ab442d6d106be",
    language: "elixir",
    sources: "^lib/",
    files: String.raw`^lib/.*\.ex$`,
    isJudge: true,
  },
  {
    name: "phoenix_pubsub",
    github: "phoenixframework/phoenix_pubsub",
    commit: "6ff3cd44c94a36e3f0cd607ab2b12dc7efdf1cdb",
    language: "elixir",
    sources: "^lib/",
    files: String.raw`^lib/.*\.ex$`,
    isJudge: true,
  },
];
