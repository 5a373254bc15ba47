import { revokeCredential } from "../../credentials/revoke.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { tokenJson } from "../credential-json.ts";
import { printJson } from "../print/json.ts";
import { reportRevocation } from "../report-revocation.ts";

export const command = defineCommand({
  description:
    "Revokes an access token. Every running process refuses it from the next call on. This cannot be undone. Revoking a revoked token changes nothing. After you revoke this machine's default token, the machine has no default.",
  args: [
    {
      name: "id",
      required: true,
      description: "Full id of the token: tok_ and 16 hexadecimal digits.",
    },
  ],
  flags: { backend: BACKEND_FLAG, json: JSON_FLAG },
  examples: [
    { run: "svc auth token revoke tok_0123456789abcdef", description: "Revoke this token." },
  ],
  async run({ args: { id }, flags }, { app, io }) {
    const { defaultToken } = app.credentials;
    const store = await app.credentials.store();
    const revocation = await revokeCredential(store, { kind: "token", id, defaultToken });
    const { record } = revocation;
    // No credential can read its monitors any more.
    await app.registry.removeMonitorsOf(revocation.record.id);
    if (flags.json) printJson(io, tokenJson({ record, isDefault: false }, true));
    reportRevocation(io, revocation, flags.json);
  },
});
