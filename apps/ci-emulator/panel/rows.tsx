import { type Fields, fieldsOf } from '@shiplog/panels/ui/api.ts';
import { Age, plain } from '@shiplog/panels/ui/text.tsx';
import type { ComponentChildren } from 'preact';

const shownMax = 20;

/** The newest items of a list, newest first. */
export function newestOf(list: Fields | undefined): Fields[] {
  return Array.isArray(list?.items) ? list.items.slice(-shownMax).reverse().map(fieldsOf) : [];
}

export function RequestRow({ at, method, path, query, status, charged, fault }: Fields) {
  const cost = [fault && `fault ${plain(fault)}`, charged ? 'charged' : 'free'].filter(Boolean).join(', ');
  return (
    <Row status={status} text={plain(`${method} ${path}${query ? `?${query}` : ''}`)} at={at}>
      {cost}
    </Row>
  );
}

interface RowProps {
  readonly status: unknown;
  readonly text: string;
  readonly at: unknown;
  readonly children: ComponentChildren;
}

export function Row({ status, text, at, children }: RowProps) {
  const isBad = Number(status) >= 400 || status === 0;
  return (
    <li class={`row filled request ${isBad ? 'bad' : ''}`}>
      <b>{status === 0 ? 'none' : String(status)}</b>
      <code>{text}</code>
      <span>{children}</span>
      <Age at={at} />
    </li>
  );
}
