import type { ComponentChildren } from 'preact';
import { useApp } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { download } from '../ui/download.ts';

interface TextPanelProps {
  readonly title: string;
  readonly beside: string;
  /** The text as Markdown. */
  readonly text: string;
  readonly copy: string;
  readonly csv: () => string;
  readonly fileName: string;
  readonly children?: ComponentChildren;
}

/** Shows the page as text, with buttons that copy the text and download a CSV file. */
export function TextPanel({ title, beside, text, copy, csv, fileName, children }: TextPanelProps) {
  const { navigation } = useApp();
  return (
    <section class="card panel notes" aria-labelledby="notes">
      <h2 id="notes">
        {title} <span class="small">{beside}</span>
      </h2>
      {children}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <pre class="breaks" tabIndex={0}>
        {text}
      </pre>
      <div class="wrap">
        <CopyButton what={copy} text={text} />
        <button type="button" class="chip" onClick={() => download(fileName, csv(), 'text/csv')}>
          CSV
        </button>
        <CopyButton what="Copy link" text={() => new URL(navigation.linkTo({}), location.href).href} />
      </div>
    </section>
  );
}
