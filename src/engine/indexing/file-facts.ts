import { FileFlag, type Role } from "../../index/types.ts";
import {
  isExample,
  isGeneratedName,
  isVendored,
  languageOf,
  fileRole,
} from "../../scan/classify.ts";

interface FileFacts {
  readonly language: string | undefined;
  readonly role: Role;
  /** FileFlag bits. */
  readonly flags: number;
}

/** Language, role and flags of a file, from its path and the beginning of its text. */
export function fileFacts(path: string, content: { text: string; generated: boolean }): FileFacts {
  const language = languageIn(path, content.text);
  const role = fileRole(path, languageOf(path, content.text.slice(0, 200)));
  return {
    language,
    role,
    flags:
      (content.generated || isGeneratedName(path) ? FileFlag.generated : 0) |
      (isExample(path, role) ? FileFlag.example : 0) |
      (isVendored(path) ? FileFlag.vendored : 0),
  };
}

function languageIn(path: string, text: string): string | undefined {
  const language = languageOf(path, text.slice(0, 200));
  // The code of a header may begin below a licence.
  const isObjc =
    language === "c" && /\.h$/i.test(path) && languageOf(path, text.slice(0, 4096)) === "objc";
  return isObjc ? "objc" : language;
}
