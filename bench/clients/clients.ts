// The published clients, each with its own configuration for svc and for the simulated provider.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { anthropic } from "./anthropic.ts";
import { geminiApi } from "./gemini-api.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { WireApi } from "./wire-api.ts";

export interface Setting {
  /** The client's home folder. */
  readonly home: string;
  /** The project that it works on. */
  readonly project: string;
  /** Path of the svc executable. */
  readonly svc: string;
  readonly svcEnv: Readonly<Record<string, string>>;
  /** Port of the simulated provider. */
  readonly port: number;
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Client {
  readonly id: string;
  readonly name: string;
  /** Name on the npm registry. */
  readonly package: string;
  /** Name of its executable, in node_modules/.bin. */
  readonly program: string;
  readonly api: WireApi;
  readonly launch: (setting: Setting) => Launch;
}

const PROMPT = "Answer from the tools of svc.";
const KEY = "not-a-key";

export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    program: "claude",
    api: anthropic,
    launch({ home, svc, svcEnv, port }) {
      const config = join(home, "mcp.json");
      write(config, {
        mcpServers: { svc: { type: "stdio", command: svc, args: ["mcp", "--stdio"], env: svcEnv } },
      });
      const flags = ["--mcp-config", config, "--strict-mcp-config", "--allowedTools", "mcp__svc"];
      return {
        args: ["-p", PROMPT, "--model", "claude-sonnet-4-5", ...flags],
        env: {
          ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
          ANTHROPIC_API_KEY: KEY,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          // All tools are in the first prompt, so that each can be called at once.
          ENABLE_TOOL_SEARCH: "false",
        },
      };
    },
  },
  {
    id: "codex",
    name: "Codex",
    package: "@openai/codex",
    program: "codex",
    api: openaiResponses,
    launch({ home, svc, svcEnv, port }) {
      const codexHome = join(home, "codex");
      const env = Object.entries(svcEnv).map(([name, value]) => `${name} = ${quoted(value)}`);
      writeText(
        join(codexHome, "config.toml"),
        [
          'model = "gpt-5.2-codex"',
          'model_provider = "stand-in"',
          "[model_providers.stand-in]",
          'name = "stand-in"',
          `base_url = ${quoted(`http://127.0.0.1:${port}/v1`)}`,
          'wire_api = "responses"',
          'env_key = "STAND_IN_KEY"',
          "[mcp_servers.svc]",
          `command = ${quoted(svc)}`,
          'args = ["mcp", "--stdio"]',
          `env = { ${env.join(", ")} }`,
          "",
        ].join("\n"),
      );
      return {
        args: [
          "exec",
          "--skip-git-repo-check",
          "--dangerously-bypass-approvals-and-sandbox",
          PROMPT,
        ],
        env: { CODEX_HOME: codexHome, STAND_IN_KEY: KEY },
      };
    },
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    program: "gemini",
    api: geminiApi,
    launch({ home, svc, svcEnv, port }) {
      write(join(home, ".gemini/settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
        mcpServers: { svc: { command: svc, args: ["mcp", "--stdio"], env: svcEnv, trust: true } },
      });
      return {
        args: ["-p", PROMPT, "--yolo", "--skip-trust", "-m", "gemini-2.5-flash"],
        env: {
          GEMINI_API_KEY: KEY,
          GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
          GEMINI_CLI_HOME: home,
        },
      };
    },
  },
  {
    id: "opencode",
    name: "opencode",
    package: "opencode-ai",
    program: "opencode",
    api: openaiChat,
    launch({ home, svc, svcEnv, port }) {
      const provider = {
        npm: "@ai-sdk/openai-compatible",
        name: "stand-in",
        options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: KEY },
        models: { model: { name: "model", tool_call: true } },
      };
      const command = [svc, "mcp", "--stdio"];
      const config = join(home, "opencode.json");
      write(config, {
        autoupdate: false,
        share: "disabled",
        provider: { "stand-in": provider },
        model: "stand-in/model",
        permission: { "*": "allow" },
        mcp: { svc: { type: "local", command, environment: svcEnv, enabled: true } },
      });
      return {
        args: ["run", "-m", "stand-in/model", "--auto", PROMPT],
        env: { OPENCODE_CONFIG: config, OPENCODE_DISABLE_MODELS_FETCH: "1" },
      };
    },
  },
];

function quoted(text: string): string {
  return JSON.stringify(text);
}

function write(path: string, value: unknown): void {
  writeText(path, `${JSON.stringify(value, null, 2)}\n`);
}

function writeText(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
