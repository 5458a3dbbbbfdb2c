import type { Status } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';

/** A status as a shape with text. */
export function StatusLabel({ status }: { readonly status: Status }) {
  const [shape, label] = statusLook(status);
  return (
    <span class={`state ${shape}`}>
      <Mark shape={shape} />
      <span>{label}</span>
    </span>
  );
}

/** The name of a status, for use in a sentence. */
export function statusLabel(status: Status): string {
  return statusLook(status)[1];
}
