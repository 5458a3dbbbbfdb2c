import type { Status } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { State } from '@shiplog/panels/ui/mark.tsx';

export function StatusLabel({ status }: { readonly status: Status }) {
  return <State look={statusLook(status)} />;
}

export function statusLabel(status: Status): string {
  return statusLook(status)[1];
}
