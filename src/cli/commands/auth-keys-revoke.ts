import { revokeCredential } from "../../credentials/revoke.ts";
import { removeMonitorsOf } from "../../sources/monitors.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { keyJson } from "../credential-json.ts";
import { printJson } from "../print/json.ts";
import { reportRevocation } from "../report-revocation.ts";

export const command = defineCommand({
  description:
    "Revokes an API key: every running process refuses it from its next call on. That cannot be taken back. A key that is revoked already stays as it is.",
  args: [{ name: "key_id", required: true, description: "Its whole id: key_ and 16 digits." }],
  flags: { json: JSON_FLAG },
  examples: [
    { run: "svc auth keys revoke key_0123456789abcdef", description: "Ends that key for good." },
  ],
  async run({ args, flags }, { app, io }) {
    const revocation = revokeCredential(await app.credentials(), { kind: "key", id: args.key_id });
    // Nobody can ask them any more.
    removeMonitorsOf(app.settings.dataDirectory, revocation.record.id);
    if (flags.json) printJson(io, keyJson(revocation.record, true));
    reportRevocation(io, revocation, flags.json);
  },
});
