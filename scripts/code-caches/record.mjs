// npm run profile: writes to profile.txt which functions of svc run when it starts and answers. The V8 code
// caches of the executable hold those compiled; a cache made without such a list lacks every function that
// V8 compiles lazily. Recording is not part of the build, because two recordings differ a little.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { bundle } from "../bundle.mjs";
import { connect } from "../mcp-client.mjs";
import { NODE_OPTIONS } from "../node-options.mjs";
import { writeAssets } from "../program-assets.mjs";
import { root, serviceFolders } from "../setup.mjs";
import { functionsOf } from "./functions.mjs";
import { PROFILE, sourceOf } from "./make.mjs";

const RECORDER = fileURLToPath(new URL("recorder.cjs", import.meta.url));
const SAMPLE = path.join(root, "src/base");
const STEP_MS = 60_000;
/** The functions that a run calls depend a little on time: the order of answers, the number of timer events. */
const RUNS = 3;

const work = mkdtempSync(path.join(os.tmpdir(), "svc-profile-"));
try {
  const assets = path.join(work, "assets");
  const boot = path.join(work, "boot.cjs");
  await bundle({ assets, boot, version: "0.0.0" });
  await writeAssets(assets);
  const output = path.join(work, "called");
  mkdirSync(output);
  for (let run = 0; run < RUNS; run++) {
    await startUps({ assets, boot, output, home: path.join(work, `home-${run}`) });
  }
  const names = namesOfCalled(output, path.join(assets, "code"));
  writeFileSync(PROFILE, `${names.join("\n")}\n`);
  console.log(`${path.relative(root, PROFILE)}: ${names.length} functions`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Runs the program through the start-ups that users wait for. */
async function startUps({ assets, boot, output, home }) {
  const env = {
    PATH: process.env.PATH,
    ...serviceFolders(home),
    SVC_RECORD_ASSETS: assets,
    SVC_RECORD_OUTPUT: output,
    // An address without a server: no keychain is used.
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  const command = [process.execPath, ...NODE_OPTIONS, "--require", RECORDER, boot];
  await answerOf([...command, "--help"], env);
  const create = ["auth", "token", "create", "--name", "profile"];
  const token = await answerOf([...command, ...create], env);
  const request = { action: "read", account: "profile", nativeDirectory: home };
  await answerOf([...command, "keychain-agent"], env, `${JSON.stringify(request)}\n`);
  await answerOf([...command, "search", "how is an error shown", SAMPLE], env);
  await session([...command, "mcp", "--stdio", "--root", SAMPLE], {
    ...env,
    SERVICE_TOKEN: token.trim(),
  });
}

/** One session like an editor's: both requests of the handshake, then one call of each kind. */
async function session(command, env) {
  const client = connect(command, { env, timeoutMs: STEP_MS });
  try {
    await client.initialize();
    await client.request("tools/list", {});
    // Definitions are found when the files are parsed, after their words.
    await client.indexReady(undefined, isParsed);
    await client.callTool("search_context", { query: "how is an error shown to the caller" });
    await client.callTool("search_text", { pattern: "SvcError" });
    await client.callTool("read_context", { targets: ["SvcError"] });
  } finally {
    await client.close();
  }
}

function answerOf([file, ...args], env, input = "") {
  const options = { env, timeout: STEP_MS, encoding: "utf8" };
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    });
    child.stdin.end(input);
  });
}

/** Sorted, with names that are valid for the next bundle instead of V8's offsets in this one. */
function namesOfCalled(output, code) {
  const calls = readdirSync(output).flatMap((file) =>
    readFileSync(path.join(output, file), "utf8").split("\n"),
  );
  const names = new Set();
  for (const [chunk, lines] of Map.groupBy(new Set(calls), (line) => line.split(" ")[0])) {
    const functions = functionsOf(sourceOf(code, chunk));
    for (const line of lines) {
      const found = functionAt(functions, line.split(" "));
      if (found !== undefined) names.add(found.name);
    }
  }
  return [...names].toSorted((a, b) => (a < b ? -1 : 1));
}

/** V8 begins a method at its name and syntax trees begin it at its parameters; both end it alike. */
function functionAt(functions, [, startText, endText, v8Name]) {
  const [start, end] = [Number(startText), Number(endText)];
  const isInitializer = v8Name?.startsWith("<") ?? false;
  const candidates = functions.filter((known) =>
    isInitializer ? known.start === start : known.end === end,
  );
  const distance = (known) => Math.abs(known.start - start);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

function isParsed({ state, stages }) {
  return state === "ready" && stages.every(({ done, total }) => done === total);
}
