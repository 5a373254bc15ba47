import { requireCredentialName } from "../../credentials/credential-name.ts";
import { createToken, parseDuration, saveDefaultToken } from "../../credentials/access-tokens.ts";
import { requireNamespaceName } from "../../sources/namespace.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { REQUIRE_KEYCHAIN_FLAG, withStore } from "../with-store.ts";
import { printJson } from "../print/json.ts";
import { isoTime } from "../print/time.ts";
import { requireVisibleOutput, showSecret } from "../show-secret.ts";
import { warnUnknownNamespaces } from "../warn-unknown-namespaces.ts";

const FAILED = 2;

export const command = defineCommand({
  description:
    "Creates a bearer token for `svc mcp` and for `/mcp` over HTTP. The token is printed once, alone on standard output, and only its SHA-256 is kept. It expires after 30 days unless --ttl says otherwise.",
  flags: {
    name: {
      type: "string",
      required: true,
      placeholder: "S",
      description: "Where it is used, to tell tokens apart.",
    },
    ttl: {
      type: "string",
      default: "30d",
      placeholder: "TIME",
      description: "Lifetime: 90m, 12h, 30d or 4w; 1 minute to 365 days.",
    },
    namespace: {
      type: "list",
      placeholder: "NS",
      description: "Namespaces it may see; all unless given.",
    },
    readOnly: {
      type: "boolean",
      description: "Refuse it the tools that change the index.",
    },
    save: {
      type: "boolean",
      description: "Also keep it, encrypted, as the token this machine uses when none is given.",
    },
    requireKeychain: REQUIRE_KEYCHAIN_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth token create --name laptop --save",
      description: "Lets the IDEs of this machine in.",
    },
    {
      run: "TOKEN=$(svc auth token create --name ci --ttl 1d)",
      description: "Keeps it in a variable.",
    },
    {
      run: "svc auth token create --name review --namespace docs --read-only",
      description: "Opens one namespace, to read it only.",
    },
  ],
  async run({ flags }, { app, io }) {
    const { name, namespace, readOnly, save, ttl, requireKeychain, json } = flags;
    // All that can be wrong is found before a store is made for nothing.
    requireCredentialName(name);
    const ttlMs = parseDuration(ttl);
    for (const one of namespace) requireNamespaceName(one);
    if (!save) requireVisibleOutput(io);
    warnUnknownNamespaces(io, app, namespace);
    return withStore({ app, io, requireKeychain }, async (store) => {
      const namespaces = namespace.length === 0 ? "all" : namespace;
      const { record, secret } = createToken(store, { name, ttlMs, namespaces, readOnly });
      if (save) saveDefaultToken(store, secret);
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
