import { requireCredentialName } from "../../credentials/credential-name.ts";
import {
  createToken,
  parseDuration,
  requireAllNamespaces,
  saveDefaultToken,
} from "../../credentials/access-tokens.ts";
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
    "Creates a bearer token for `svc mcp` and for `/mcp` over HTTP. Only the token is printed on standard output, once; svc stores only its SHA-256. The token expires after 30 days unless --ttl is given.",
  flags: {
    name: {
      type: "string",
      required: true,
      placeholder: "S",
      description: "Name of the token, such as where it is used.",
    },
    ttl: {
      type: "string",
      default: "30d",
      placeholder: "TIME",
      description: "Lifetime, such as 90m, 12h, 30d or 4w, from 1 minute to 365 days.",
    },
    namespace: {
      type: "list",
      placeholder: "NS",
      description: "Namespaces that the token can access (default: all).",
    },
    readOnly: {
      type: "boolean",
      description: "Forbid the tools that change the index.",
    },
    admin: {
      type: "boolean",
      description:
        "Allow the admin's view of the search page: all projects, credentials without their secrets, and the audit log.",
    },
    save: {
      type: "boolean",
      description: "Also save the token, encrypted, as this machine's default.",
    },
    requireKeychain: REQUIRE_KEYCHAIN_FLAG,
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth token create --name laptop --save",
      description: "Let editors on this machine connect.",
    },
    {
      run: "TOKEN=$(svc auth token create --name ci --ttl 1d)",
      description: "Store the token in a variable.",
    },
    {
      run: "svc auth token create --name review --namespace docs --read-only",
      description: "Create a read-only token for one namespace.",
    },
  ],
  async run({ flags }, { app, io }) {
    const { name, namespace, readOnly, admin, save, ttl, requireKeychain, json } = flags;
    // All input is checked before a store is created.
    requireCredentialName(name);
    const ttlMs = parseDuration(ttl);
    for (const one of namespace) requireNamespaceName(one);
    const namespaces = namespace.length === 0 ? ("all" as const) : namespace;
    if (admin) requireAllNamespaces(namespaces);
    if (!save) requireVisibleOutput(io);
    await warnUnknownNamespaces(io, app, namespace);
    return withStore({ app, io, requireKeychain }, async (store) => {
      const limits = { namespaces, readOnly, admin };
      const { record, secret } = await createToken(store, { name, ttlMs, ...limits });
      if (save) await saveDefaultToken(store, app.credentials.defaultToken, secret);
      const expires = isoTime(record.expiresAt ?? 0);
      const created = {
        token_id: record.id,
        token: secret,
        name: record.name,
        namespaces: record.namespaces,
        created_at: isoTime(record.createdAt),
        expires_at: expires,
      };
      const print = (): void => (json ? printJson(io, created) : io.out(`${secret}\n`));
      if (!(await showSecret(io, store, { record, print, isSaved: save }))) return FAILED;
      if (!json) {
        const isSaved = save
          ? " It is saved as this machine's default."
          : " It is not shown again.";
        io.err(`Token ${record.id} "${record.name}" expires ${expires}.${isSaved}\n`);
      }
      return 0;
    });
  },
});
