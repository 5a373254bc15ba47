import { SvcError } from "../../base/errors.ts";
import { DEFAULT_TTL_MS, parseDuration } from "../../credentials/access-tokens.ts";
import { renewToken, type TokenChoice } from "../../credentials/renew.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { tokenJson } from "../credential-json.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";
import { isoTime } from "../print/time.ts";
import { matchesSecret } from "../../credentials/list-credentials.ts";

const DAY_MS = 24 * 60 * 60_000;

export const command = defineCommand({
  description: `Extends the lifetime of an access token. The token itself stays the same: nothing that uses it needs a change or a restart, and an expired token works again. Without ID and --name, renews this machine's default token. Without --ttl, the token then expires in ${DEFAULT_TTL_MS / DAY_MS} days, or on its current date if that is later. A revoked token cannot be renewed.`,
  args: [
    {
      name: "id",
      description: "Full id of the token: tok_ and 16 hexadecimal digits.",
    },
  ],
  flags: {
    name: { type: "string", placeholder: "S", description: "Renew the token with this name." },
    ttl: {
      type: "string",
      placeholder: "TIME",
      description: "Lifetime from now on, such as 90m, 12h, 30d or 4w, from 1 minute to 365 days.",
    },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc auth token renew",
      description: "Renew the token that editors on this machine use.",
    },
    { run: "svc auth token renew --name ci --ttl 90d", description: "Renew a token by its name." },
  ],
  async run({ args: { id }, flags: { name, ttl, json } }, { app, io }) {
    const { defaultToken } = app.credentials;
    const choice = chosen(id, name) ?? { saved: defaultToken };
    const ttlMs = ttl === undefined ? undefined : parseDuration(ttl);
    const store = await app.credentials.store();
    const { record, isNew } = await renewToken(store, choice, { ttlMs });
    const expires = isoTime(record.expiresAt);
    if (json) {
      const isDefault = matchesSecret(record, await defaultToken.read());
      printJson(io, tokenJson({ record, isDefault }, false));
      return;
    }
    const token = `Token ${record.id} "${safeLine(record.name)}"`;
    io.out(isNew ? `${token} now expires ${expires}.\n` : `${token} already expires ${expires}.\n`);
  },
});

/** Throws USAGE. */
function chosen(id: string | undefined, name: string | undefined): TokenChoice | undefined {
  if (id !== undefined && name !== undefined) {
    throw new SvcError("USAGE", "ID cannot be used with --name.", {
      hint: "Omit one of them.",
    });
  }
  if (id !== undefined) return { id };
  return name === undefined ? undefined : { name };
}
