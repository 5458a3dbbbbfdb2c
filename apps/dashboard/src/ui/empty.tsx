import type { ComponentChildren } from 'preact';

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <section class="empty soft">
      <h2 class="title">{title}</h2>
      {children}
    </section>
  );
}

interface FaultProps {
  readonly what: string;
  readonly retry: () => void;
  readonly children?: ComponentChildren;
}

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
