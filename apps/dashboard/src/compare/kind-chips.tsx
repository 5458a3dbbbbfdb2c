import { plain } from '@shiplog/text';
import { type ComparisonKind, comparisonKinds } from '../state/address/comparison.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { type Difference, kindCounts, kindMeaning } from './differences.ts';

interface KindChipsProps {
  readonly items: readonly Difference[];
  readonly from: string;
  readonly to: string;
}

/** A button for each kind of difference, with the number of services. */
export function KindChips({ items, from, to }: KindChipsProps) {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const counts = kindCounts(items);
  const names: Readonly<Record<ComparisonKind, string>> = {
    differ: 'Differ',
    ahead: `${plain(to)} behind`,
    arriving: 'Arriving',
    behind: `${plain(to)} ahead`,
    diverged: 'Apart',
    'only-from': `Only in ${plain(from)}`,
    'only-to': `Only in ${plain(to)}`,
    same: 'The same',
  };
  return (
    <>
      {comparisonKinds.map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          title={kindMeaning(kind, plain(from), plain(to))}
          aria-pressed={comparison.kind === kind}
          onClick={() => navigation.go({ comparison: { ...comparison, kind } })}
        >
          {names[kind]} <b>{counts[kind]}</b>
        </button>
      ))}
    </>
  );
}
