import type { Status } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from './mark.tsx';

/** A status as shape and word. */
export function StatusWord({ status }: { readonly status: Status }) {
  const [shape, words] = statusLook(status);
  return (
    <span class={`state ${shape}`}>
      <Mark shape={shape} />
      <span>{words}</span>
    </span>
  );
}

/** The word of a status for a sentence. */
export function statusWord(status: Status): string {
  return statusLook(status)[1];
}
