// A minimal MCP client for scripts: one child process, one request at a time or many, JSON lines over its standard
// input and output.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const POLL_MS = 150;

/**
 * Starts `command` and speaks MCP with it. Every request rejects with the standard error of the server
 * after the server has ended or `timeoutMs` have passed.
 */
export function connect([file, ...args], { env, timeoutMs }) {
  const child = spawn(file, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  let lastId = 0;
  let log = "";
  let over = false;
  child.stderr.setEncoding("utf8").on("data", (text) => (log += text));
  // The exit of the server reports that it is gone, not the pipe.
  child.stdin.on("error", () => {});
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const ended = new Promise((resolve) => {
    const end = (signal) => {
      over = true;
      clearTimeout(timer);
      for (const { reject } of waiting.values()) reject(new Error(`the server has ended: ${log}`));
      waiting.clear();
      resolve({ signal, log });
    };
    child.on("error", (error) => {
      log += error.message;
      end(null);
    });
    child.on("close", (_, signal) => end(signal));
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    const request = waiting.get(id);
    if (request === undefined) return;
    waiting.delete(id);
    if (error === undefined) request.resolve(result);
    else request.reject(new Error(error.data?.detail ?? error.message));
  });

  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method, params) => {
    if (over) return Promise.reject(new Error(`the server has ended: ${log}`));
    lastId += 1;
    const id = lastId;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  const callTool = async (name, input) => {
    const result = await request("tools/call", { name, arguments: input });
    if (result.isError) throw new Error(result.content.map(({ text }) => text).join("\n"));
    return result;
  };

  return {
    request,
    callTool,
    /** Process id of the server. */
    pid: child.pid,
    async initialize() {
      const clientInfo = { name: "svc-scripts", version: "1" };
      const params = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo };
      const result = await request("initialize", params);
      send({ method: "notifications/initialized" });
      return result;
    },
    /** Resolves with the namespaces when none is being indexed; `onProgress` gets each state. */
    async indexReady(onProgress = () => {}, isReady = isIndexed) {
      for (;;) {
        const { namespaces } = (await callTool("index_status", {})).structuredContent;
        onProgress(namespaces);
        if (namespaces.length > 0 && namespaces.every(isReady)) return namespaces;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    /**
     * Ends the session the way an editor does, by closing the input. Resolves once the server has
     * ended, with the signal that ended it (`null` for none) and its standard error.
     */
    close() {
      child.stdin.end();
      return ended;
    },
  };
}

function isIndexed({ state }) {
  return state === "ready" || state === "degraded";
}
