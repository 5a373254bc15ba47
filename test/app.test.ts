import { expect, test } from "vitest";

import { createApp } from "../src/app.ts";
import { createSettings, readConfiguration } from "../src/config/settings.ts";
import { tree } from "./helpers/tree.ts";

test("an engine that is asked for behind the end is refused: its threads would keep the process alive", async () => {
  const place = tree({ "home/": "" });
  const configuration = readConfiguration({
    home: place.path,
    env: { SERVICE_HOME: place.path, SERVICE_CONFIG_HOME: place.path },
  });
  const app = createApp({
    settings: createSettings(configuration),
    writeLog: () => {},
    humanLog: false,
    workingDirectory: place.path,
  });
  await app.close();
  await expect(app.engine()).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  place.dispose();
});
