import { createToken, parseDuration, saveDefaultToken } from "../../credentials/tokens.ts";
import { defineCommand } from "../command.ts";
import { JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";

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
    save: {
      type: "boolean",
      description: "Also keep it, encrypted, as the token this machine uses when none is given.",
    },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth token create --name laptop --save",
      shows: "Lets the IDEs of this machine in.",
    },
    { run: "TOKEN=$(svc auth token create --name ci --ttl 1d)", shows: "Keeps it in a variable." },
  ],
  async run({ flags }, { app, io }) {
    const { name, namespace, save, ttl, json } = flags;
    const ttlMs = parseDuration(ttl);
    const store = await app.createCredentials();
    if (store.notice !== undefined) io.err(`svc: ${store.notice}\n`);
    const { record, secret } = createToken(store, {
      name,
      ttlMs,
      namespaces: namespace.length === 0 ? "all" : namespace,
    });
    if (save) saveDefaultToken(store, secret);
    const expires = new Date(record.expiresAt ?? 0).toISOString();
    if (json) {
      printJson(io, {
        token_id: record.id,
        token: secret,
        name: record.name,
        namespaces: record.namespaces,
        created_at: new Date(record.createdAt).toISOString(),
        expires_at: expires,
      });
      return;
    }
    io.out(`${secret}\n`);
    const kept = save ? " It is saved as this machine's default." : " It is not shown again.";
    io.err(`Token ${record.id} "${record.name}" expires ${expires}.${kept}\n`);
  },
});
