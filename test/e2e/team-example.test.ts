// The files in examples/team, with the built program and a real database.
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { placeWith } from "../helpers/shared-backend.ts";
import { exitCode, startProgram } from "../spec/program.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");
const TEAM = join(import.meta.dirname, "../../examples/team");
const textOf = (name: string): string => readFileSync(join(TEAM, name), "utf8");

/** The words after `svc` of each node that a file starts. */
const COMMANDS: Readonly<Record<string, (text: string) => readonly (readonly string[])[]>> = {
  "compose.yaml": listedCommands,
  "kubernetes.yaml": listedCommands,
  "systemd/svc-read.service": unitCommand,
  "systemd/svc-index.service": unitCommand,
};

/** Reads lists in brackets, on one line or several. */
function listedCommands(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/(?:command|args):\s*\[\s*("?serve[^\]]*)\]/g)].map(([, list = ""]) =>
    list.split(",").flatMap((word) => word.trim().replaceAll('"', "") || []),
  );
}

function unitCommand(text: string): readonly (readonly string[])[] {
  const [, words = ""] = /^ExecStart=\/usr\/local\/bin\/svc (.+)$/m.exec(text) ?? [];
  return [words.split(" ")];
}

needs(["postgres"], () => {
  const database = serverForTests();

  test("each node of the files starts, is ready, and ends on SIGTERM", async () => {
    const commands = Object.entries(COMMANDS).flatMap(([name, read]) => read(textOf(name)));
    expect(commands.map((words) => words[2] ?? "").toSorted()).toEqual(
      ["index", "index", "index", "read", "read", "read"].toSorted(),
    );
    const SERVICE_BACKEND = database.freshUrl();
    for (const words of new Set(commands.map((command) => command.join(" ")))) {
      const args = [...words.split(" "), "--port", "0"];
      const child = startProgram(placeWith(), args, { SERVICE_BACKEND });
      onTestFinished(() => void child.kill("SIGKILL"));
      const ended = exitCode(child);
      // oxlint-disable-next-line no-await-in-loop -- one node after the other
      const port = await new Promise<string>((resolve, reject) => {
        child.stderr.on("data", (text: string) => {
          const found = /listens on http:\/\/0\.0\.0\.0:(?<port>\d+)/.exec(text)?.groups?.["port"];
          if (found !== undefined) resolve(found);
        });
        void ended.then((code) => reject(new Error(`${words} ended with ${code}`)));
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      child.kill("SIGTERM");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect(await ended).toBe(0);
    }
  }, 60_000);
});

needs(["openssl"], () => {
  test("certificates.sh makes certificates that name their hosts, and the files use both hosts", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-team-example-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(TEAM, folder, { recursive: true });
    expect(spawnSync(join(folder, "certificates.sh"), { encoding: "utf8" }).status).toBe(0);
    const certificate = (name: string): X509Certificate =>
      new X509Certificate(readFileSync(join(folder, "certificates", `${name}.crt`)));
    const authority = certificate("authority");
    for (const host of ["db1", "db2"]) {
      const own = certificate(host);
      expect([own.checkHost(host), own.verify(authority.publicKey)]).toEqual([host, true]);
    }
    expect(textOf("compose.yaml")).toContain("postgres://svc@db1,db2/svc?sslrootcert=");
    expect(spawnSync("sh", ["-n", join(TEAM, "database.sh")]).status).toBe(0);
  });
});
