import type { Cover } from "./cover.ts";

/** The parts around them: the command line, the protocol, credentials, by the test that covers them. */
export const SHELL: Readonly<Record<string, Cover>> = {
  "test/base/assets.test.ts": {
    why: "the place of the assets, in the sources and in the executable",
    covers: ["src/base/keyring-file.ts"],
  },
  "test/base/mask-secrets.test.ts": {
    why: "the rules by which it finds secrets",
    covers: ["src/base/{assigned-secrets,placed-secrets,secret-patterns}.ts"],
  },
  "test/base/out-of-memory.test.ts": {
    why: "the table has no behaviour of its own; here it names failures of the machine",
    covers: ["src/base/errors.ts"],
  },
  "test/base/process-limits.test.ts": { why: "starts the program itself", covers: ["src/main.ts"] },
  "test/e2e/api-changes.test.ts": {
    why: "the flags, the output and the exit codes of the program",
    covers: ["src/cli/api-changes.ts"],
  },
  "test/cli/commands/audit-rollback.test.ts": {
    why: "accepting a restored store, and the earlier message of a session",
    covers: [
      "src/cli/commands/auth-store-accept.ts",
      "src/cli/token-check.ts",
      "src/credentials/audit/local/revoked-in-log.ts",
      "src/credentials/token-remedy.ts",
    ],
  },
  "test/cli/commands/install-rules.test.ts": {
    why: "the output of the client commands about rules",
    covers: ["src/cli/print/rules.ts"],
  },
  "test/cli/commands/audit-verify.test.ts": {
    why: "both read the same log",
    covers: ["src/cli/commands/audit-tail.ts", "src/credentials/audit/local/tail.ts"],
  },
  "test/cli/commands/auth-keys-create.test.ts": {
    why: "a warning of the commands for credentials",
    covers: ["src/cli/warn-unknown-namespaces.ts"],
  },
  "test/cli/commands/auth-keys-revoke.test.ts": {
    why: "the output of the credential commands",
    covers: ["src/cli/{print-credentials,report-revocation}.ts"],
  },
  "test/cli/commands/auth-names.test.ts": {
    why: "names are checked by the commands that give them",
    covers: ["src/credentials/credential-name.ts"],
  },
  "test/cli/commands/auth-store-migrate.test.ts": {
    why: "the same refusal for each command that needs a store",
    covers: ["src/cli/no-store.ts"],
  },
  "test/cli/commands/changes.test.ts": {
    why: "commands that show or change the effects of the other commands of the group",
    covers: [
      "src/cli/commands/{monitors-add,monitors-list,monitors-remove,watch}.ts",
      "src/cli/print/change.ts",
    ],
  },
  "test/cli/commands/config-list.test.ts": {
    why: "the texts of the commands for settings",
    covers: ["src/cli/settings-text.ts"],
  },
  "test/cli/commands/install.test.ts": {
    why: "steps of the command, which show only in its files and output",
    covers: [
      "src/cli/commands/uninstall.ts",
      "src/cli/print/clients.ts",
      "src/cli/{client-flags,default-token,known-namespaces,with-store}.ts",
      "src/clients/{config-target,find-installed}.ts",
      "src/config/setting-definitions.ts",
    ],
  },
  "test/cli/commands/search.test.ts": {
    why: "the output of the command",
    covers: ["src/cli/result-output.ts"],
  },
  "test/cli/commands/status.test.ts": {
    why: "the token that the command shows",
    covers: ["src/cli/token-in-use.ts"],
  },
  "test/cli/commands/serve.test.ts": {
    why: "the server that it starts, with its options and its watchers",
    covers: [
      "src/cli/mcp-server-options.ts",
      "src/engine/watching/{namespace-watchers,watch-thread}.ts",
      "src/transports/http/tls-files.ts",
    ],
  },
  "test/cli/print/table.test.ts": {
    why: "styles of its cells",
    covers: ["src/cli/print/style.ts"],
  },
  "test/cli/run.test.ts": {
    why: "finding a command and reporting its failure are steps of a run",
    covers: ["src/cli/{locate,report}.ts"],
  },
  "test/clients/install.test.ts": {
    why: "steps of an installation, which only its files show",
    covers: ["src/clients/{config-file,config-text,entry,jsonc-document}.ts"],
  },
  "test/clients/jsonc.test.ts": {
    why: "an interface with its errors, and two formats",
    covers: ["src/clients/config-format.ts"],
  },
  "test/config/paths.test.ts": {
    why: "makes the name of the key directory",
    covers: ["src/base/short-hash.ts"],
  },
  "test/config/resolve-settings.test.ts": {
    why: "values are parsed while settings are resolved",
    covers: ["src/config/setting-values.ts"],
  },
  "test/credentials/audit/local/contract.test.ts": {
    why: "the log is read through it",
    covers: ["src/credentials/audit/local/local-audit-reader.ts"],
  },
  "test/credentials/audit/local/local-audit-log.test.ts": {
    why: "a log is opened and written through it",
    covers: ["src/credentials/audit/{commit-line,line-fields}.ts"],
  },
  "test/credentials/audit/local/rotation.test.ts": {
    why: "files of the log, and their content",
    covers: ["src/credentials/audit/local/{head,log-files,recover-log,snapshot}.ts"],
  },
  "test/credentials/audit/local/tampering.test.ts": {
    why: "the findings of a log check",
    covers: [
      "src/credentials/audit/chain.ts",
      "src/credentials/audit/local/{read-lines,verify}.ts",
    ],
  },
  "test/credentials/audit/local/writers.test.ts": {
    why: "several processes write one log",
    covers: ["src/credentials/audit/local/{log-file,log-writer}.ts"],
  },
  "test/credentials/keychain/data-key.test.ts": {
    why: "the place of the key, by the settings",
    covers: ["src/credentials/keychain/{data-key-file,data-key-passphrase}.ts"],
  },
  "test/credentials/revoke.test.ts": {
    why: "ids that users type",
    covers: ["src/credentials/named-credential.ts"],
  },
  "test/credentials/sealed/contract.test.ts": {
    why: "the rules of a change and of a search, which every store has",
    covers: ["src/credentials/{credential-change,find-credential,pending-writes}.ts"],
  },
  "test/credentials/sealed/read-only.test.ts": {
    why: "opening a store, also if it cannot be written",
    covers: [
      "src/credentials/sealed/{anchor,connection,open-store,store-errors,store-file,store-reader}.ts",
    ],
  },
  "test/credentials/audit/local/same-history.test.ts": {
    why: "compares a store with the end of its log",
    covers: ["src/credentials/audit/local/{lazy-audit-log,log-end}.ts"],
  },
  "test/credentials/sealed/sealed-store.test.ts": {
    why: "rows and changes of a store are only visible through it",
    covers: ["src/credentials/sealed/{database,store-contents,store-settings,stored-row}.ts"],
  },
  "test/doctor/check-mcp-server.test.ts": {
    why: "the check starts the server with it",
    covers: [
      "src/cli/commands/doctor.ts",
      "src/credentials/sealed/{sealed-backend,store-admin,store-options}.ts",
      "src/doctor/mcp-self-test.ts",
    ],
  },
  "test/doctor/check-permissions.test.ts": {
    why: "the common parts of the checks",
    covers: ["src/doctor/{finding,inventory}.ts"],
  },
  "test/e2e/completions.test.ts": {
    why: "scripts for shells, which only a shell can run",
    covers: ["src/cli/commands/{complete,completions}.ts", "src/cli/complete/scripts.ts"],
  },
  "test/e2e/executable.test.ts": {
    why: "runs only in the executable",
    covers: ["src/base/{sea-in-folder,self-check}.ts"],
  },
  "test/e2e/search-page.test.ts": {
    why: "needs a browser",
    covers: [
      "src/web/{dom,failure,keys,notices,query-form,result-list,result-view,search-client,search-view,session,sign-in}.ts",
      "src/web/{admin,admin-button,plot}.ts",
      "src/web/{clipboard,completion-list,facets,page,searcher,suggestions}.ts",
    ],
  },
  "test/e2e/code-browser.test.ts": {
    why: "needs a browser",
    covers: [
      "src/web/{code-pane,code-row,file-head,file-notices,file-view,folder-list,folder-tree}.ts",
      "src/web/{hover-card,markdown,name-panel,outline-panel}.ts",
    ],
  },
  "test/transports/http/page-session-endpoint.test.ts": {
    why: "the user that the one-time code signs in",
    covers: ["src/credentials/page-owner.ts"],
  },
  "test/engine/indexing/git-sources-ends.test.ts": {
    why: "how a fetch fails or is cancelled",
    covers: ["src/engine/indexing/update-job.ts", "src/providers/git-failure-error.ts"],
  },
  "test/mcp/session.test.ts": {
    why: "the messages of a session show its behaviour",
    covers: ["src/mcp/{methods,options,outbox,reply}.ts"],
  },
  "test/mcp/subscriptions.test.ts": {
    why: "the list that clients read again after a change",
    covers: ["src/mcp/tools-list.ts"],
  },
  "test/providers/provider.test.ts": {
    why: "the answers of the provider show its behaviour",
    covers: ["src/providers/{key-verifier,models,provider-client,rerank-prompt}.ts"],
  },
  "test/search/definition-order.test.ts": {
    why: "kinds decide the order of definitions",
    covers: ["src/base/definition-kinds.ts"],
  },
  "test/tools/monitoring/list-changes.test.ts": {
    why: "the answer consists of them",
    covers: [
      "src/engine/changes/{change-cursor,change-symbols,commit-changes,list-changes}.ts",
      "src/engine/files/source-lines.ts",
      "src/engine/{packed-grammars,version-signal}.ts",
      "src/index/embedded/watch-versions.ts",
      "src/tools/monitoring/{change-record,change-text}.ts",
    ],
  },
  "test/transports/http/byok.test.ts": {
    why: "the caller of a request, with credentials in memory",
    covers: [
      "src/credentials/access.ts",
      "src/credentials/memory/memory-backend.ts",
      "src/transports/http/authenticator.ts",
    ],
  },
  "test/transports/http/limits.test.ts": {
    why: "limits are reached with real connections",
    covers: ["src/transports/http/{body,connections,refuse-connection}.ts"],
  },
  "test/transports/http/metrics-endpoint.test.ts": {
    why: "the numbers that it shows",
    covers: ["src/transports/http/{index-metrics,server-metrics}.ts"],
  },
  "test/transports/http/openapi.test.ts": {
    why: "the description is compared with the answers",
    covers: [
      "src/tools/search/{rest-schemas,rest-search,search-call,search-record}.ts",
      "src/transports/http/openapi-errors.ts",
    ],
  },
  "test/transports/http/rest-endpoint.test.ts": {
    why: "the endpoint shows the calls",
    covers: [
      "src/engine/browse/{browse-folder,color-file,explain-name,open-file}.ts",
      "src/tools/rest/{parse-body,rest-call}.ts",
    ],
  },
  "test/transports/http/rpc-response.test.ts": {
    why: "statuses and headers of the replies",
    covers: ["src/transports/http/{exchange,reply}.ts"],
  },
  "test/transports/http/tool-list-stream.test.ts": {
    why: "the streams that it keeps open",
    covers: ["src/transports/http/open-streams.ts"],
  },
};
