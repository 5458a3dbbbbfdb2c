import type { ComponentChildren } from 'preact';

interface OuterLinkProps {
  readonly url: string | null | undefined;
  /** The accessible name, if the text alone is ambiguous. */
  readonly label?: string | undefined;
  readonly children: ComponentChildren;
}

/** An external link in a new tab; plain text unless the URL is http(s). */
export function OuterLink({ url, label, children }: OuterLinkProps) {
  const href = runLinkOf(url ?? undefined);
  if (!href) return <>{children}</>;
  return (
    <a href={href} rel="noreferrer noopener" target="_blank" aria-label={label}>
      {children}
      <svg viewBox="0 0 16 16" class="mark out" aria-hidden="true">
        <path class="line" d="M6 4H4v8h8v-2M8 3h5v5M13 3L7.5 8.5" />
      </svg>
    </a>
  );
}

/** The URL if it is absolute and http(s). Anything else, such as `javascript:`, isn't linked. */
export function runLinkOf(runUrl: string | undefined): string | undefined {
  if (runUrl === undefined || !/^https?:\/\//i.test(runUrl) || !URL.canParse(runUrl)) return undefined;
  const { protocol, href } = new URL(runUrl);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}
