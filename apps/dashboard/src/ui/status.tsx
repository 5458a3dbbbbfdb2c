import type { Status } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';

export function StatusLabel({ status }: { readonly status: Status }) {
  const [shape, label] = statusLook(status);
  return (
    <span class={`state ${shape}`}>
      <Mark shape={shape} />
      <span>{label}</span>
    </span>
  );
}

export function statusLabel(status: Status): string {
  return statusLook(status)[1];
}
