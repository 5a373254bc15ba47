import { revokeCredential } from "../../credentials/revoke.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { keyJson } from "../credential-json.ts";
import { printJson } from "../print/json.ts";
import { reportRevocation } from "../report-revocation.ts";

export const command = defineCommand({
  description:
    "Revokes an API key. Every running process refuses it from the next call on. This cannot be undone. Revoking a revoked key changes nothing.",
  args: [
    {
      name: "key_id",
      required: true,
      description: "Full id of the key: key_ and 16 hexadecimal digits.",
    },
  ],
  flags: { backend: BACKEND_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc auth keys revoke key_0123456789abcdef", description: "Revoke this key." }],
  async run({ args, flags }, { app, io }) {
    const store = await app.credentials.store();
    const revocation = await revokeCredential(store, { kind: "key", id: args.key_id });
    // No credential can read its monitors any more.
    await app.registry.removeMonitorsOf(revocation.record.id);
    if (flags.json) printJson(io, keyJson(revocation.record, true));
    reportRevocation(io, revocation, flags.json);
  },
});
