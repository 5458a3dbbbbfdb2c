import type { ComponentChildren } from 'preact';
import type { Address } from '../state/address.ts';
import { RowsLink } from './rows-link.tsx';

export interface BarRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly count: number;
  /** A class that sets the colour of the bar. */
  readonly tone?: string;
  /** The address that lists the events of the bar; `undefined` if they can't be listed. */
  readonly to: Partial<Address> | undefined;
}

export function BarRows({ rows }: { readonly rows: readonly BarRow[] }) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul class="stack gap-4 bar-rows">
      {rows.map(({ key, to, ...row }) => (
        <li key={key}>
          <RowsLink class="bar-row" to={to}>
            <Inside {...row} share={row.count / greatest} />
          </RowsLink>
        </li>
      ))}
    </ul>
  );
}

function Inside({ name, count, tone = '', share }: Omit<BarRow, 'key' | 'to'> & { readonly share: number }) {
  return (
    <>
      <span class="bar-name shrink">{name}</span>
      <span class="bar-track">
        {count > 0 && <span class={`bar-fill ${tone}`} style={{ width: `${Math.max(share * 100, 1)}%` }} />}
      </span>
      <span class="bar-count right">{count.toLocaleString('en')}</span>
    </>
  );
}
