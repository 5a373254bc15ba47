import { parseServerAddress } from "../../remote/server-address.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";

export const command = defineCommand({
  description:
    "Deletes the saved token of another server from this machine. The token stays valid until an administrator of the server revokes it with `svc auth token revoke`.",
  args: [
    {
      name: "url",
      required: true,
      description: "Address of the server, as given to `svc auth login`.",
    },
  ],
  flags: { json: JSON_FLAG },
  examples: [
    { run: "svc auth logout https://svc.example.org", description: "Delete the saved token." },
  ],
  async run({ args, flags }, { app, io }) {
    const { name: server } = parseServerAddress(args.url);
    const saved = app.savedTokenOf(server);
    let wasSaved: boolean;
    try {
      wasSaved = (await saved.read()) !== undefined;
      if (wasSaved) await saved.remove();
    } finally {
      await saved.close();
    }
    if (flags.json) printJson(io, { server, removed: wasSaved });
    else if (wasSaved) io.out(`Deleted the token for ${server} from this machine.\n`);
    else io.out(`No token for ${server} is saved on this machine.\n`);
  },
});
