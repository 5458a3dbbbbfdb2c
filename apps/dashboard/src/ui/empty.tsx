import type { ComponentChildren } from 'preact';

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <section class="empty soft">
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

export function Fault({ what, retry, children }: FaultProps) {
  return (
    <Alert text={what}>
      {' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
      {children}
    </Alert>
  );
}

export function Alert({
  text,
  children,
}: {
  readonly text: string | undefined;
  readonly children?: ComponentChildren;
}) {
  return text === undefined ? null : (
    <p class="fault" role="alert">
      {text}
      {children}
    </p>
  );
}
