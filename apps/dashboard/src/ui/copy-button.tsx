import { useState } from 'preact/hooks';

export function CopyButton({ text, what }: { readonly text: string | (() => string); readonly what: string }) {
  const [result, setResult] = useState<string>();
  const copy = async () => {
    setResult((await copied(typeof text === 'string' ? text : text())) ? 'Copied' : "Copying isn't allowed here");
    setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <button type="button" class="chip" onClick={copy}>
      <span aria-live="polite">{result ?? what}</span>
    </button>
  );
}

/** Copies a text. Pages without HTTPS have no clipboard API, so they select the text and copy the selection. */
export async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
