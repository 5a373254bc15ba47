import { SvcError } from "../../base/errors.ts";
import { requireCredentialName } from "../../credentials/credential-name.ts";
import { createKey, namespacesOfKey } from "../../credentials/api-keys.ts";
import { requireNamespaces } from "../../credentials/credential-namespaces.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { REQUIRE_KEYCHAIN_FLAG, withStore } from "../with-store.ts";
import { printJson } from "../print/json.ts";
import { isoTime } from "../print/time.ts";
import { requireVisibleOutput, showSecret } from "../show-secret.ts";
import { warnUnknownNamespaces } from "../warn-unknown-namespaces.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Creates an API key for the REST search. The key can search the named namespaces, which cannot be changed later, and does not expire: revoke it when it is no longer needed. Only the key is printed on standard output, once; svc stores only its SHA-256. For MCP, create an access token.",
  flags: {
    name: {
      type: "string",
      required: true,
      placeholder: "S",
      description: "Name of the key, such as where it is used.",
    },
    namespace: {
      type: "list",
      placeholder: "NS",
      description: "Namespaces that the key can search; they need not exist yet.",
    },
    allNamespaces: {
      type: "boolean",
      description: "Let the key search every namespace, including later ones.",
    },
    requireKeychain: REQUIRE_KEYCHAIN_FLAG,
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth keys create --name dashboard --namespace docs",
      description: "Create a key for the namespace docs.",
    },
    {
      run: "svc auth keys create --name portal --namespace web,api,docs",
      description: "Create a key for three namespaces.",
    },
    {
      run: "KEY=$(svc auth keys create --name ci --namespace api)",
      description: "Store the key in a variable.",
    },
  ],
  async run({ flags }, { app, io }) {
    const { name, namespace, allNamespaces, requireKeychain, json } = flags;
    requireCredentialName(name);
    const namespaces = allNamespaces ? "all" : namespace;
    requireOneChoice(namespace, allNamespaces);
    requireNamespaces(namespaces);
    requireVisibleOutput(io);
    await warnUnknownNamespaces(io, app, namespace);
    return withStore({ app, io, requireKeychain }, async (store) => {
      const { record, secret } = await createKey(store, { name, namespaces });
      const created = {
        key_id: record.id,
        key: secret,
        name,
        ...namespacesOfKey(record),
        created_at: isoTime(record.createdAt),
      };
      const print = (): void => (json ? printJson(io, created) : io.out(`${secret}\n`));
      if (!(await showSecret(io, store, { record, print, isSaved: false }))) return FAILED;
      if (!json) {
        io.err(
          `Key ${record.id} "${name}" can search ${searched(namespaces)} until it is revoked. It is not shown again.\n`,
        );
      }
      return 0;
    });
  },
});

function searched(namespaces: "all" | readonly string[]): string {
  if (namespaces === "all") return "all namespaces";
  return `${namespaces.length === 1 ? "namespace" : "namespaces"} ${namespaces.join(", ")}`;
}

/** Throws USAGE: a key for everything is not created by forgetting a flag. */
function requireOneChoice(namespace: readonly string[], allNamespaces: boolean): void {
  if (namespace.length === 0 && !allNamespaces) {
    throw new SvcError("USAGE", "--namespace is required.", {
      hint: "Name the namespaces that the key can search, or add --all-namespaces.",
    });
  }
  if (namespace.length === 0 || !allNamespaces) return;
  throw new SvcError("USAGE", "--namespace cannot be used with --all-namespaces.", {
    hint: "Omit one of them.",
  });
}
