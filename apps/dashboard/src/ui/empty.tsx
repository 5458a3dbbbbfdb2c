import type { ComponentChildren } from 'preact';

/** Shown instead of an empty list, with what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface FaultProps {
  readonly what: string;
  readonly retry: () => void;
  readonly children?: ComponentChildren;
}

/** An error with a button to retry. */
export function Fault({ what, retry, children }: FaultProps) {
  return (
    <p class="fault" role="alert">
      {what}{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
      {children}
    </p>
  );
}
