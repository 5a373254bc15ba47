import { requireCredentialName } from "../../credentials/credential-name.ts";
import { createKey } from "../../credentials/api-keys.ts";
import { requireNamespaceName } from "../../sources/namespace.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { REQUIRE_KEYCHAIN_FLAG, withStore } from "../with-store.ts";
import { printJson } from "../print/json.ts";
import { isoTime } from "../print/time.ts";
import { requireVisibleOutput, showSecret } from "../show-secret.ts";
import { warnUnknownNamespaces } from "../warn-unknown-namespaces.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Creates an API key for the REST search. The key can search one namespace, which cannot be changed later, and does not expire: revoke it when it is no longer needed. Only the key is printed on standard output, once; svc stores only its SHA-256. For MCP, create an access token.",
  flags: {
    name: {
      type: "string",
      required: true,
      placeholder: "S",
      description: "Name of the key, such as where it is used.",
    },
    namespace: {
      type: "string",
      required: true,
      placeholder: "NS",
      description: "Namespace that the key can search; it may be indexed later.",
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
      run: "KEY=$(svc auth keys create --name ci --namespace api)",
      description: "Store the key in a variable.",
    },
  ],
  async run({ flags }, { app, io }) {
    const { name, namespace, requireKeychain, json } = flags;
    requireCredentialName(name);
    requireNamespaceName(namespace);
    requireVisibleOutput(io);
    await warnUnknownNamespaces(io, app, [namespace]);
    return withStore({ app, io, requireKeychain }, async (store) => {
      const { record, secret } = await createKey(store, { name, namespace });
      const created = {
        key_id: record.id,
        key: secret,
        name,
        namespace,
        created_at: isoTime(record.createdAt),
      };
      const print = (): void => (json ? printJson(io, created) : io.out(`${secret}\n`));
      if (!(await showSecret(io, store, { record, print, isSaved: false }))) return FAILED;
      if (!json) {
        io.err(
          `Key ${record.id} "${name}" can search namespace ${namespace} until it is revoked. It is not shown again.\n`,
        );
      }
      return 0;
    });
  },
});
