// Component files as TypeScript, made by the compilers of Vue and Svelte, with the places of the code in the component.
import { createRequire } from "node:module";
import { join } from "node:path";

import { installTool } from "./checkout.ts";
import type { TypeScript } from "./language-service.ts";

export const COMPONENT_TOOLS = {
  vue: "@vue/language-core@3.3.14",
  svelte: "svelte2tsx@0.7.62",
} as const;

/** A component as TypeScript. */
export interface Shadow {
  readonly code: string;
  /** ".ts" or ".tsx". */
  readonly extension: string;
  /** Returns the offset in the component of an offset in the code; -1 for code that is not in the component. */
  readonly originOf: (offset: number) => number;
}

export type MakeShadow = (file: string, text: string) => Shadow | undefined;

interface VueCode {
  readonly snapshot: {
    readonly getText: (from: number, to: number) => string;
    readonly getLength: () => number;
  };
  readonly mappings: readonly {
    readonly sourceOffsets: readonly number[];
    readonly generatedOffsets: readonly number[];
    readonly lengths: readonly number[];
    readonly generatedLengths?: readonly number[];
  }[];
}

interface VueTool {
  readonly getDefaultCompilerOptions: () => unknown;
  readonly createVueLanguagePlugin: (...of: readonly unknown[]) => {
    readonly createVirtualCode: (file: string, language: string, snapshot: unknown) => unknown;
    readonly typescript: {
      readonly getServiceScript: (
        code: unknown,
      ) => { readonly extension: string; readonly code: VueCode } | undefined;
    };
  };
}

/** Downloads the compiler into `folder` if it is missing. */
export function loadShadows(
  language: "vue" | "svelte",
  typescript: TypeScript,
  folder: string,
): MakeShadow {
  const place = installTool(COMPONENT_TOOLS[language], folder);
  const load = createRequire(join(place, "package.json"));
  return language === "vue" ? vueShadows(load(place), typescript) : svelteShadows(load, place);
}

function vueShadows(vue: VueTool, typescript: TypeScript): MakeShadow {
  const plugin = vue.createVueLanguagePlugin(
    typescript,
    {},
    vue.getDefaultCompilerOptions(),
    (id: string) => id,
  );
  return (file, text) => {
    const snapshot = typescript.ScriptSnapshot.fromString(text);
    const script = plugin.typescript.getServiceScript(
      plugin.createVirtualCode(file, "vue", snapshot),
    );
    if (script === undefined) return undefined;
    const { code, extension } = script;
    const spans = code.mappings.flatMap(
      ({ sourceOffsets, generatedOffsets, lengths, generatedLengths }) =>
        generatedOffsets.map((start, at) => ({
          start,
          end: start + ((generatedLengths ?? lengths)[at] ?? 0),
          origin: sourceOffsets[at] ?? 0,
        })),
    );
    const sorted = spans
      .filter(({ start, end }) => end > start)
      .toSorted((a, b) => a.start - b.start);
    return {
      code: code.snapshot.getText(0, code.snapshot.getLength()),
      extension,
      originOf: (offset) => {
        const span = sorted.findLast(({ start }) => start <= offset);
        return span === undefined || offset >= span.end ? -1 : span.origin + offset - span.start;
      },
    };
  };
}

interface SvelteTool {
  readonly svelte2tsx: (
    text: string,
    options: object,
  ) => { readonly code: string; readonly map: { readonly mappings: string } };
}

interface Codec {
  readonly decode: (mappings: string) => readonly (readonly (readonly number[])[])[];
}

function svelteShadows(load: NodeJS.Require, place: string): MakeShadow {
  const { svelte2tsx }: SvelteTool = load(place);
  const { decode }: Codec = load("@jridgewell/sourcemap-codec");
  return (filename, text) => {
    const isTsFile = /<script[^>]*lang=["']ts/.test(text);
    const made = (() => {
      try {
        return svelte2tsx(text, { filename, isTsFile, mode: "ts", version: "5.57.3" });
      } catch {
        // A fixture that is no Svelte.
        return undefined;
      }
    })();
    if (made === undefined) return undefined;
    const [ofCode, ofText] = [lineStarts(made.code), lineStarts(text)];
    const origins = new Map<number, number>();
    for (const [line, segments] of decode(made.map.mappings).entries()) {
      for (const [column = 0, , sourceLine, sourceColumn = 0] of segments) {
        if (sourceLine === undefined) continue;
        origins.set((ofCode[line] ?? 0) + column, (ofText[sourceLine] ?? 0) + sourceColumn);
      }
    }
    return { code: made.code, extension: ".ts", originOf: (offset) => origins.get(offset) ?? -1 };
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
