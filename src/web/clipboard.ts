const COPIED_MS = 1500;

/** Copies a text, and shows for a moment on the button that it did. */
export async function copyText(
  text: string,
  copyButton: HTMLButtonElement,
  announce: (text: string) => void,
): Promise<void> {
  const isDone = await writeClipboard(text);
  const label = copyButton.dataset["label"] ?? copyButton.textContent;
  copyButton.dataset["label"] = label;
  copyButton.textContent = isDone ? "Copied" : "Not copied";
  announce(isDone ? "Copied" : "The browser does not allow this page to copy.");
  setTimeout(() => (copyButton.textContent = label), COPIED_MS);
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    // A page that was not loaded securely has no clipboard.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
