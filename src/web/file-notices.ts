// The notices above a file: what is special about it, and which steps failed.
import { writeAddress } from "./address.ts";
import { button, byId, link } from "./dom.ts";
import type { Failure } from "./failure.ts";
import type { ShownFile } from "./file-head.ts";
import { notice, problemBox } from "./notices.ts";

export class FileNotices {
  readonly #list = byId("file-notices", HTMLElement);

  clear(): void {
    this.#list.replaceChildren();
  }

  /** Shows what is special about a file, instead of the notices so far. */
  show(shown: ShownFile): void {
    const notices = sentencesOf(shown).map((sentence) => notice(sentence));
    this.#list.replaceChildren(...pastNotice(shown), ...notices);
  }

  /** Shows why a file could not be opened, instead of the notices so far. */
  showFailure(failure: Failure, openAgain: () => void): void {
    this.#list.replaceChildren(problemBox(failure, button("Try again", {}, openAgain)));
  }

  /** Shows why a step in an open file failed, instead of the last such problem. */
  addProblem(failure: Failure): void {
    this.#list.querySelector(".problem")?.remove();
    const dismiss = button("Dismiss", {}, () => box.remove());
    const box = problemBox(failure, dismiss);
    this.#list.prepend(box);
  }
}

/** Notice for a permalink whose file has changed since: the page shows the earlier content. */
function pastNotice({ file, address, searchQuery }: ShownFile): readonly HTMLElement[] {
  if (!file.past) return [];
  const now = writeAddress({ searchQuery, file: { ...address, commit: "" } });
  const text = `This is the file as it was in commit ${file.commit.slice(0, 8)}. It has changed since.`;
  return [notice(text, link(now, { class: "button" }, "Open the current file"))];
}

function sentencesOf({ file, address }: ShownFile): readonly string[] {
  const sentences: string[] = [];
  if (file.binary) sentences.push("This is a binary file; its content is not shown.");
  else if (file.text === "") sentences.push("This file is empty.");
  if (!file.past && address.commit !== "" && !file.commit.startsWith(address.commit)) {
    const now = file.commit === "" ? "the present file" : `commit ${file.commit.slice(0, 8)}`;
    const made = address.commit.slice(0, 8);
    sentences.push(`This link was made at commit ${made}; you see ${now}. Lines may have moved.`);
  }
  const line = address.lines?.start ?? 0;
  if (line > file.lines && !file.binary) {
    sentences.push(
      `The file has ${file.lines} lines${file.past ? "" : " now"}; line ${line} is after its end.`,
    );
  }
  return sentences;
}
