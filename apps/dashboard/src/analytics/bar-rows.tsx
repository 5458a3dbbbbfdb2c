import type { ComponentChildren } from 'preact';
import type { Address } from '../state/address.ts';
import { RowsLink } from './rows-link.tsx';

export interface BarRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly count: number;
  /** What the bar is, as a class that colours it. */
  readonly tone?: string;
  /** Where the rows behind it are; `undefined` = they cannot be asked for. */
  readonly to: Partial<Address> | undefined;
}

/** Names with bars and counts under each other; the bars share one scale. */
export function BarRows({ rows }: { readonly rows: readonly BarRow[] }) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul class="bar-rows">
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
      <span class="bar-name">{name}</span>
      <span class="bar-track">
        {count > 0 && <span class={`bar-fill ${tone}`} style={{ width: `${Math.max(share * 100, 1)}%` }} />}
      </span>
      <span class="bar-count">{count.toLocaleString('en')}</span>
    </>
  );
}
