import { revokeCredential } from "../../credentials/revoke.ts";
import { removeMonitorsOf } from "../../sources/monitors.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { tokenJson } from "../credential-json.ts";
import { printJson } from "../print/json.ts";
import { reportRevocation } from "../report-revocation.ts";

export const command = defineCommand({
  description:
    "Revokes an access token: every running process refuses it from its next call on. That cannot be taken back. A token that is revoked already stays as it is. Revoking the token that this machine uses when none is given leaves it without one.",
  args: [{ name: "id", required: true, description: "Its whole id: tok_ and 16 digits." }],
  flags: { json: JSON_FLAG },
  examples: [
    { run: "svc auth token revoke tok_0123456789abcdef", description: "Ends that token for good." },
  ],
  async run({ args: { id }, flags }, { app, io }) {
    const revocation = revokeCredential(await app.credentials(), { kind: "token", id });
    const { record } = revocation;
    // Nobody can ask them any more.
    removeMonitorsOf(app.settings.dataDirectory, revocation.record.id);
    if (flags.json) printJson(io, tokenJson({ record, isDefault: false }, true));
    reportRevocation(io, revocation, flags.json);
  },
});
