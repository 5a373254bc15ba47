// npm start [-- "question" [path]]: builds svc if needed, indexes this repository (or `path`), and
// answers a question through the executable, the way an editor would ask it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

import { connect } from "./mcp-client.mjs";
import { ensureInstalled, executable, root, runPinnedQuietly, serviceFolders } from "./setup.mjs";

const QUESTION = "How is an expired access token refused?";
const ANSWER_WITHIN_MS = 10 * 60_000;
/** The final output fits a terminal of 24 lines. */
const RESULTS = 3;
const LINES_OF_RESULT = 4;
const DEFAULT_COLUMNS = 100;

const { question, folder } = readArguments(process.argv.slice(2));
ensureInstalled(() => step("Installing packages from the npm registry, about a minute"));
process.exitCode = build();
if (process.exitCode === 0) await answer(question, folder);

/** Shows what the program does, on standard error. The returned function ends the line with the result or the time. */
function step(name) {
  const start = performance.now();
  process.stderr.write(`${name} … `);
  return (result = seconds(performance.now() - start)) => process.stderr.write(`${result}\n`);
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Returns the exit code of the build. */
function build() {
  const done = step("Building dist/svc, the executable");
  const { code, hasPrinted } = runPinnedQuietly(["build.mjs", "--if-changed"]);
  done(hasPrinted || code !== 0 ? undefined : "up to date");
  return code;
}

function readArguments(args) {
  if (args.length > 2) wrongUse(`unexpected argument "${args[2]}"`);
  // A single folder is a path, for users who want to see their own project first.
  const onlyPath = args.length === 1 && isFolder(resolve(args[0]));
  const [asked = QUESTION, where] = onlyPath ? [undefined, args[0]] : args;
  if (where === undefined) return { question: asked, folder: root };
  if (!existsSync(resolve(where))) wrongUse(`${where} does not exist`);
  if (!isFolder(resolve(where))) wrongUse(`${where} is not a folder`);
  return { question: asked, folder: resolve(where) };
}

/** npm changes to the repository; paths are relative to the user's directory. */
function resolve(given) {
  return path.resolve(process.env.INIT_CWD ?? ".", given);
}

function isFolder(file) {
  return existsSync(file) && statSync(file).isDirectory();
}

function wrongUse(problem) {
  console.error(`npm start: ${problem}.\nUsage: npm start -- ["question"] [path]`);
  process.exit(2);
}

async function answer(query, where) {
  const home = mkdtempSync(path.join(os.tmpdir(), "svc-start-"));
  // Leaves no files behind, unless the user has chosen a place for them.
  const folders = process.env.SERVICE_HOME === undefined ? serviceFolders(home) : {};
  const env = { ...process.env, ...folders };
  try {
    const name = `npm-start ${new Date().toISOString()}`;
    const args = ["auth", "token", "create", "--name", name];
    const stdio = ["ignore", "pipe", "ignore"];
    const token = execFileSync(executable(), args, { env, stdio, encoding: "utf8" }).trim();
    const result = await ask(query, where, { ...env, SERVICE_TOKEN: token });

    console.log(screen(query, result));
  } catch (error) {
    console.error(`npm start: ${error.message}`);
    process.exitCode = 2;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function ask(query, where, env) {
  const command = [executable(), "mcp", "--stdio", "--root", where];
  const client = connect(command, { env, timeoutMs: ANSWER_WITHIN_MS });
  try {
    await client.initialize();
    const start = performance.now();
    const name = `Indexing ${where === root ? "this repository" : where}`;
    const done = step(name);
    const namespaces = await client.indexReady((states) => showProgress(name, states));
    const indexed = performance.now();
    done();
    const { content } = await client.callTool("search_context", { query, limit: RESULTS });
    return {
      texts: content.map(({ text }) => text),
      files: filesOf(namespaces),
      indexTime: seconds(indexed - start),
      answerMs: Math.round(performance.now() - indexed),
    };
  } finally {
    await client.close();
  }
}

/** On a terminal, the line of the step has the number of files so far. */
function showProgress(name, namespaces) {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${name} … ${filesOf(namespaces)} files \u001b[K`);
}

function filesOf(namespaces) {
  return namespaces.reduce((sum, namespace) => sum + (namespace.files ?? 0), 0);
}

/** The final output: the query, the best results, and the next step. */
function screen(query, { texts, files, indexTime, answerMs }) {
  // The lines after the results explain how to see more of them.
  const results = texts.filter((text) => /^\S.*:\d+-\d+/.test(text)).slice(0, RESULTS);
  const shown = results.length === 0 ? texts.slice(0, 1) : results.map(resultBlock);
  return [
    "",
    `svc indexed ${files} files in ${indexTime} and answered in ${answerMs} ms.`,
    "",
    query,
    "",
    shown.join("\n\n"),
    "",
    `Connect your editor or coding agent: ${commandName()} install CLIENT (claude-code, cursor, vscode, …)`,
  ].join("\n");
}

/** The location and the first lines of a result. */
function resultBlock(text, index) {
  const [place, ...code] = text.trimEnd().split("\n");
  const isLonger = code.length > LINES_OF_RESULT;
  const lines = isLonger ? [...code.slice(0, LINES_OF_RESULT - 1), "…"] : code;
  return [`${index + 1}. ${place}`, ...lines.map((line) => clipped(`     ${line}`))].join("\n");
}

function clipped(line) {
  const columns = process.stdout.columns ?? DEFAULT_COLUMNS;
  return line.length > columns ? `${line.slice(0, columns - 1)}…` : line;
}

/** The executable as called from the user's directory. */
function commandName() {
  const relative = path.relative(resolve("."), executable());
  if (relative.startsWith("..")) return executable();
  return relative.includes(path.sep) ? relative : `.${path.sep}${relative}`;
}
