// The part of the language service of TypeScript 5.9 that the bench uses. The TypeScript of the project has
// no such interface any more: the bench installs the older one for itself, and types it here.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { installTool } from "./checkout.ts";

export const TYPESCRIPT = "typescript@5.9.3";

export interface TextSpan {
  /** In UTF-16 units. */
  readonly start: number;
  readonly length: number;
}

export interface Place {
  readonly fileName: string;
  readonly textSpan: TextSpan;
}

export interface ReferenceEntry extends Place {
  readonly isDefinition?: boolean;
}

export interface NavigationTree {
  readonly text: string;
  /** "class", "method", "const", … */
  readonly kind: string;
  readonly spans: readonly TextSpan[];
  readonly nameSpan?: TextSpan;
  readonly childItems?: readonly NavigationTree[];
}

export interface SyntaxNode {
  readonly kind: number;
  readonly end: number;
  readonly parent?: SyntaxNode;
  readonly name?: SyntaxNode;
  readonly getStart: () => number;
  readonly getText: () => string;
}

export interface SourceFile extends SyntaxNode {
  readonly fileName: string;
  readonly text: string;
  readonly getLineAndCharacterOfPosition: (at: number) => {
    readonly line: number;
    readonly character: number;
  };
}

export interface Declaration extends SyntaxNode {
  readonly getSourceFile: () => SourceFile;
}

export interface CheckedSymbol {
  readonly declarations?: readonly Declaration[];
}

export interface TypeChecker {
  readonly getSymbolAtLocation: (node: SyntaxNode) => CheckedSymbol | undefined;
  /** The origin of a property of a union or a mapped type; otherwise the symbol itself. */
  readonly getRootSymbols: (symbol: CheckedSymbol) => readonly CheckedSymbol[];
}

interface Program {
  readonly getSourceFile: (file: string) => SourceFile | undefined;
  readonly getTypeChecker: () => TypeChecker;
}

export interface LanguageService {
  readonly getNavigationTree: (file: string) => NavigationTree;
  readonly findReferences: (
    file: string,
    at: number,
  ) => readonly { readonly references: readonly ReferenceEntry[] }[] | undefined;
  readonly getDefinitionAtPosition: (file: string, at: number) => readonly Place[] | undefined;
  readonly getProgram: () => Program | undefined;
}

/** The used part of the module. */
export interface TypeScript {
  readonly version: string;
  readonly sys: Readonly<Record<SystemFunction, unknown>>;
  readonly SyntaxKind: Readonly<Record<string, number>>;
  readonly ScriptSnapshot: { readonly fromString: (text: string) => unknown };
  readonly convertCompilerOptionsFromJson: (
    options: Readonly<Record<string, unknown>>,
    base: string,
  ) => {
    readonly options: Readonly<Record<string, unknown>>;
    readonly errors: readonly { readonly messageText: unknown }[];
  };
  readonly getDefaultLibFilePath: (options: Readonly<Record<string, unknown>>) => string;
  readonly createLanguageService: (host: Readonly<Record<string, unknown>>) => LanguageService;
  readonly forEachChild: <T>(
    node: SyntaxNode,
    visit: (child: SyntaxNode) => T | undefined,
  ) => T | undefined;
}

const SYSTEM_FUNCTIONS = [
  "fileExists",
  "readFile",
  "directoryExists",
  "getDirectories",
  "readDirectory",
  "realpath",
] as const;
type SystemFunction = (typeof SYSTEM_FUNCTIONS)[number];

/** Downloads it from npm into `folder` if it is missing. */
export async function loadTypeScript(folder: string): Promise<TypeScript> {
  const file = join(installTool(TYPESCRIPT, folder), "lib/typescript.js");
  const loaded: { readonly default: TypeScript } = await import(pathToFileURL(file).href);
  return loaded.default;
}

/** All files as one program. Throws for an unknown compiler option. */
export function openLanguageService(
  typescript: TypeScript,
  root: string,
  files: readonly string[],
  compilerOptions: Readonly<Record<string, unknown>>,
): LanguageService {
  const { options, errors } = typescript.convertCompilerOptionsFromJson(compilerOptions, root);
  const [problem] = errors;
  if (problem !== undefined) throw new Error(`compiler options: ${String(problem.messageText)}`);
  const system = SYSTEM_FUNCTIONS.map((name) => [name, typescript.sys[name]] as const);
  return typescript.createLanguageService({
    ...Object.fromEntries(system),
    getCompilationSettings: () => ({ ...options, pathsBasePath: root }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (of: typeof options) => typescript.getDefaultLibFilePath(of),
    getScriptFileNames: () => files.map((path) => join(root, path)),
    getScriptVersion: () => "1",
    getScriptSnapshot: (file: string) => snapshot(typescript, file),
    useCaseSensitiveFileNames: () => true,
  });
}

function snapshot(typescript: TypeScript, file: string): unknown {
  try {
    return typescript.ScriptSnapshot.fromString(readFileSync(file, "utf8"));
  } catch {
    // A missing file is still searched for.
    return undefined;
  }
}
