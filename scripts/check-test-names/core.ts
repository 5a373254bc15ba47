import type { Cover } from "./cover.ts";

/** Other parts that index and answer, without a test of their name, by the test that covers them. */
export const CORE: Readonly<Record<string, Cover>> = {
  "test/engine/drift/find-drift.test.ts": {
    why: "the questions that decide whether a statement no longer fits",
    covers: ["src/engine/drift/{grep-commit,since-filter}.ts"],
  },
  "test/tools/monitoring/drift-text.test.ts": {
    why: "the same answer as JSON",
    covers: ["src/tools/monitoring/drift-record.ts"],
  },
  "test/engine/api-changes/compare-declarations.test.ts": {
    why: "reads the declarations that it compares",
    covers: ["src/engine/api-changes/{declaration,overloads}.ts"],
  },
  "test/engine/api-changes/find-api-changes.test.ts": {
    why: "whole comparisons of two commits, in languages with their own rules",
    covers: [
      "src/engine/api-changes/{affected-users,api-version,compare-revisions,diff-names,exported-names}.ts",
      "src/engine/api-changes/{public-definition,public-names,python-names,rust-names,script-names}.ts",
    ],
  },
  "test/tools/monitoring/api-change-text.test.ts": {
    why: "the same answer as JSON",
    covers: ["src/tools/monitoring/api-change-record.ts"],
  },
  "test/graph/overloads.test.ts": {
    why: "calls with arguments of all types",
    covers: ["src/graph/overload-types.ts"],
  },
  "test/parse/references/signatures.test.ts": {
    why: "reads functions that are passed as values",
    covers: ["src/parse/languages/overload-rules.ts"],
  },
  "test/scip/import-index.test.ts": {
    why: "the steps of an import, with the indexes of real indexers",
    covers: ["src/scip/{definition-table,fit-document,own-definitions}.ts"],
  },
  "test/engine/scip/import-scip.test.ts": {
    why: "the path of a compiler's facts through runs into answers",
    covers: ["src/engine/indexing/known-facts.ts", "src/graph/compiled-relations.ts"],
  },
  "test/engine/scip/export-scip.test.ts": {
    why: "whole SCIP indexes, checked by the rules of scip lint",
    covers: [
      "src/engine/scip/file-symbol-names.ts",
      "src/scip/{languages,symbol-names,write-index}.ts",
    ],
  },
  "test/index/compiler-facts/add-facts.test.ts": {
    why: "the receivers that it writes",
    covers: ["src/base/compiler-target.ts"],
  },
  "test/chunk/chunk.test.ts": {
    why: "chunks of text between definitions",
    covers: ["src/chunk/{outline-symbols,parse-with-grammar,tile}.ts"],
  },
  "test/chunk/fixtures.test.ts": {
    why: "reads the trees of every language",
    covers: [
      "src/parse/flat-tree/flat-syntax-tree.ts",
      "src/parse/languages/reference-rules-common.ts",
    ],
  },
  "test/parse/sections/html.test.ts": {
    why: "titles without markup",
    covers: ["src/parse/sections/html-text.ts"],
  },
  "test/extract/document-writer.test.ts": {
    why: "the form of documents that it writes",
    covers: ["src/base/documents/document.ts"],
  },
  "test/engine/documents.test.ts": {
    why: "places in the answers of the tools",
    covers: ["src/tools/place-of.ts"],
  },
  "test/extract/notebook/extract-notebook.test.ts": {
    why: "the parts of a cell, in whole notebooks",
    covers: ["src/extract/notebook/{cell-language,json-values,output-lines,text-of-html}.ts"],
  },
  "test/extract/pdf/extract-pdf.test.ts": {
    why: "the parts of the way from bytes to text, in whole documents",
    covers: [
      "src/extract/pdf/divided-words.ts",
      "src/extract/pdf/pdf-{cmaps,connection,engine,fonts,furniture,headings,layout,lines}.ts",
    ],
  },
  "test/doctor/check-indexes.test.ts": {
    why: "checks that every run makes, and their common parts",
    covers: [
      "src/doctor/{check-program,check-registry,check-sources}.ts",
      "src/index/embedded/inspect.ts",
    ],
  },
  "test/embed/kernel.test.ts": {
    why: "the JavaScript that the kernel is compared with",
    covers: ["src/embed/scalar-kernel.ts"],
  },
  "test/embed/model2vec.test.ts": {
    why: "parts of a model that the user provides",
    covers: ["src/embed/{embedding-table,safetensors,word-piece}.ts"],
  },
  "test/embed/read-embedding-table.test.ts": {
    why: "parts of the built-in table",
    covers: ["src/embed/{checksum,vocabulary,word-parts,word-rows}.ts"],
  },
  "test/engine/cached-answers.test.ts": {
    why: "each query runs through all of them",
    covers: [
      "src/engine/middleware/{caching,engine-calls,middleware,read-dependencies,tracing}.ts",
      "src/sources/guarded-read.ts",
    ],
  },
  "test/engine/changes/change-log.test.ts": {
    why: "monitors match what a run records",
    covers: [
      "src/engine/monitors/{compile-monitor,create-matcher,matcher,monitor-names}.ts",
      "src/index/change-log/{file-renames,record-version,symbol-diff}.ts",
    ],
  },
  "test/engine/engine.test.ts": {
    why: "the engine as a whole, through its interface",
    covers: [
      "src/backend/open-backend.ts",
      "src/engine/{create-engine,namespace-status,open-indexes,query-service,status-service}.ts",
      "src/index/embedded/quarantine.ts",
    ],
  },
  "test/engine/files/read-targets.test.ts": {
    why: "text of files that have changed or not",
    covers: ["src/engine/files/current-file.ts"],
  },
  "test/engine/impact/analyze-impact.test.ts": {
    why: "sections of one answer",
    covers: ["src/engine/impact/{impact-target,likely-evidence,tests-to-run}.ts"],
  },
  "test/engine/indexing/default-namespace.test.ts": {
    why: "the namespace of a source that is named by its path",
    covers: ["src/engine/indexing/source-resolver.ts"],
  },
  "test/engine/indexing/git-sources.test.ts": {
    why: "a repository by its URL, from the clone to its runs",
    covers: [
      "src/engine/indexing/{repository-updates,requested-source,update-clone,usable-clones}.ts",
      "src/providers/git-fetch.ts",
      "src/sources/{clone-checkout,clones}.ts",
    ],
  },
  "test/engine/indexing/index-runs.test.ts": {
    why: "runs of several callers, and who waits for which run",
    covers: [
      "src/engine/indexing/file-states.ts",
      "src/engine/indexing/{execute-job,job-queue,job-runner,job-waiters,overlapping-sources,scheduler,source-service}.ts",
    ],
  },
  "test/engine/indexing/indexer-embeddings.test.ts": {
    why: "a run with all its stages, which writes and merges segments",
    covers: [
      "src/index/embedded/merge-policy.ts",
      "src/index/embedded/trigrams/{trigram-batch,trigram-writer}.ts",
    ],
  },
  "test/engine/indexing/indexer.test.ts": {
    why: "parts of a run that no caller sees",
    covers: [
      "src/engine/indexing/{commit-schedule,content-reader,index-run,run-index-job,unparsable-files}.ts",
    ],
  },
  "test/engine/monitors/monitor-hits.test.ts": {
    why: "creates, lists and deletes monitors",
    covers: ["src/engine/monitors/monitor-service.ts"],
  },
  "test/engine/outline/outline-tree.test.ts": {
    why: "the outline of files and folders is one tree",
    covers: ["src/engine/outline/{outline-file,outline-folder,ranked-files}.ts"],
  },
  "test/engine/passages/rerank.test.ts": {
    why: "the search that it reranks",
    covers: ["src/engine/passages/search-passages.ts"],
  },
  "test/engine/related/find-related.test.ts": {
    why: "one relation each, of one answer",
    covers: [
      "src/engine/related/{find-related-changes,find-related-docs,find-related-mentions,find-related-names,find-related-similar,find-related-subject,find-related-testing}.ts",
    ],
  },
  "test/engine/removal.test.ts": {
    why: "deletes all data of a namespace",
    covers: ["src/engine/{pending-deletions,require-source}.ts"],
  },
  "test/engine/symbols/find-symbols.test.ts": {
    why: "symbol queries need all parts of an index",
    covers: [
      "src/engine/symbols/symbol-kinds.ts",
      "src/graph/count-using-files.ts",
      "src/index/coding/number-groups.ts",
      "src/index/embedded/{reader,reference-lookup,segment-symbols}.ts",
      "src/index/file-tree.ts",
    ],
  },
  "test/engine/text-search/search-text.test.ts": {
    why: "its pages and their cursors",
    covers: [
      "src/engine/cursor.ts",
      "src/engine/text-search/{long-line-worker,searchable-text,text-page}.ts",
    ],
  },
  "test/engine/text-search/text-pattern.test.ts": {
    why: "how a pattern is compiled",
    covers: ["src/engine/text-search/{character-set,native-pattern,pattern-size}.ts"],
  },
  "test/engine/watching/leader.test.ts": {
    why: "the heartbeat of the watching process",
    covers: ["src/engine/watching/heartbeat.ts"],
  },
  "test/engine/watching/watched-sources.test.ts": {
    why: "watches folders, and reports which files have changed",
    covers: [
      "src/engine/watching/incremental-queue.ts",
      "src/scan/{folder-watcher,repository-watcher,source-watcher}.ts",
    ],
  },
  "test/graph/modules/by-path.test.ts": {
    why: "rules of languages whose modules are files",
    covers: ["src/graph/modules/swift.ts"],
  },
  "test/graph/modules/javascript.test.ts": {
    why: "rules of one language",
    covers: [
      "src/graph/modules/{javascript-aliases,javascript-exports,javascript-files,javascript-packages}.ts",
    ],
  },
  "test/graph/modules/module-resolver.test.ts": {
    why: "rules of a language, or of all, for the same question",
    covers: ["src/graph/modules/{dart,dotted,module-target,path-search}.ts"],
  },
  "test/graph/modules/rust.test.ts": {
    why: "rules of one language",
    covers: ["src/graph/modules/rust-crates.ts"],
  },
  "test/graph/reference-graph-c.test.ts": {
    why: "the parts of the graph that C needs",
    covers: ["src/graph/included-names.ts"],
  },
  "test/graph/reference-graph-others.test.ts": {
    why: "the parts of the graph that other languages need",
    covers: ["src/graph/{open-types,visible-definitions}.ts"],
  },
  "test/graph/reference-graph-rust.test.ts": {
    why: "the parts of the graph that Rust needs",
    covers: ["src/graph/{container-methods,name-rules,rust-macros}.ts"],
  },
  "test/graph/reference-graph.test.ts": {
    why: "steps from a use to its definition",
    covers: [
      "src/graph/{entity,evaluate-expression,expression,indexed-symbols,module-exports,own-names,resolution-context,resolve-use}.ts",
    ],
  },
  "test/mcp/hit-notifier.test.ts": {
    why: "engines that share an index in memory",
    covers: ["src/backend/memory-backend.ts"],
  },
  "test/parse/flat-tree/flatten-tree.test.ts": {
    why: "a tree is flattened into them",
    covers: ["src/parse/flat-tree/tree-columns.ts"],
  },
  "test/parse/languages/c/references.test.ts": {
    why: "declarations decide the kind of a use",
    covers: ["src/parse/languages/c/{declarators,definitions}.ts"],
  },
  "test/parse/languages/go/references.test.ts": {
    why: "rules that the uses of one language need",
    covers: ["src/parse/languages/go/{imports,literals}.ts"],
  },
  "test/parse/languages/rust/references.test.ts": {
    why: "rules that the uses of one language need",
    covers: ["src/parse/languages/rust/{imports,token-trees}.ts"],
  },
  "test/parse/references/parse-references.test.ts": {
    why: "steps from a tree to its uses",
    covers: [
      "src/parse/languages/javascript/patterns.ts",
      "src/parse/languages/reference-rules-by-language.ts",
      "src/parse/references/{call-results,expressions,file-scopes,file-symbols,function-results,grammar-rules,imports,parameter-types,patterns,scopes,steps,symbol-types,type-reader,value-reader}.ts",
    ],
  },
  "test/parse/symbols/access.test.ts": {
    why: "the public symbols, by language",
    covers: ["src/parse/languages/javascript/access.ts", "src/parse/languages/ruby/access.ts"],
  },
  "test/parse/symbols/group-members.test.ts": {
    why: "members and macros of several languages",
    covers: ["src/parse/languages/assigned-fields.ts", "src/parse/languages/c/macros.ts"],
  },
  "test/parse/symbols/line-outline.test.ts": {
    why: "lines that look like definitions",
    covers: [
      "src/parse/languages/line-pattern.ts",
      "src/parse/symbols/{line-matcher,line-tests}.ts",
    ],
  },
  "test/parse/symbols/parse-outline.test.ts": {
    why: "the definitions of each language with a grammar",
    covers: [
      "src/parse/languages/javascript/definitions.ts",
      "src/parse/languages/{definition-rules,indexed-keys,scripts-in-markup}.ts",
      "src/parse/symbols/{cut-points,describe-definition,outline-walk,signature}.ts",
    ],
  },
  "test/scan/classify.test.ts": {
    why: "tables by which files are classified",
    covers: ["src/scan/languages.ts"],
  },
  "test/scan/walk-rules.test.ts": {
    why: "rules by name of a walk",
    covers: ["src/scan/name-rules.ts"],
  },
  "test/search/excerpt.test.ts": {
    why: "the lines that an excerpt shows",
    covers: ["src/search/line-window.ts"],
  },
  "test/search/required-literals.test.ts": {
    why: "parses the pattern first",
    covers: ["src/search/regex-syntax.ts"],
  },
  "test/sources/git-history.test.ts": {
    why: "opens the repository that it reads",
    covers: ["src/sources/git-directory.ts"],
  },
  "test/sources/registry/sqlite/sqlite-registry.test.ts": {
    why: "runs the contract of registries",
    covers: [
      "src/sources/registry/sqlite/{record-rows,registry-database}.ts",
      "src/sources/registry/{apply-edit,monitors,registry,registry-draft,registry-state}.ts",
    ],
  },
  "test/sources/text/local-texts.test.ts": {
    why: "runs the contract of texts",
    covers: [
      "src/sources/text/document-text.ts",
      "src/sources/text/{decode-text,source-of-path,source-text}.ts",
    ],
  },
  "test/tools/analysis/find-references.test.ts": {
    why: "targets and pages of one answer",
    covers: ["src/engine/symbols/{find-references,innermost-symbol,resolve-target}.ts"],
  },
  "test/tools/bare-names.test.ts": {
    why: "the order in which a bare name finds definitions, and how they are shown",
    covers: ["src/engine/symbols/short-signature.ts"],
  },
  "test/tools/monitoring/set-monitor.test.ts": {
    why: "the engine's part of the tool",
    covers: ["src/engine/monitors/set-monitor.ts"],
  },
  "test/trust/parse-budget.test.ts": {
    why: "limits of the parser, and its behaviour at them",
    covers: ["src/parse/{parse-budget,parse-problems,parser-memory}.ts"],
  },
  "test/trust/secrets.test.ts": {
    why: "masking is a promise for every answer",
    covers: ["src/engine/middleware/masking.ts"],
  },
  "test/graph/packages/read-manifest.test.ts": {
    why: "each kind of manifest and lock file, through the table of their names",
    covers: [
      "src/graph/packages/{cargo,go,jvm,manifest-row,npm,others,package-facts,python,toml-values}.ts",
    ],
  },
  "test/graph/linked/linked-projects.test.ts": {
    why: "projects whose imports lead to each other",
    covers: ["src/graph/linked/{linked-modules,package-imports,prefixed-reader}.ts"],
  },
  "test/engine/multi/multi-references.test.ts": {
    why: "questions that are answered with all of them",
    covers: [
      "src/engine/multi/{across-namespaces,multi-target,package-lookup}.ts",
      "src/graph/linked/{linked-graph,versions}.ts",
    ],
  },
};
