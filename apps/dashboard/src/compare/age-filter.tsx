import { comparisonAges, comparisonOrders } from '../state/address/comparison.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Choice } from '../ui/choice.tsx';

/** Lists only the services that have differed for some days. */
export function AgeFilter() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  return (
    <Choice
      className="age-filter fine"
      label="How long a release has been missing"
      value={comparison.older}
      names={comparisonAges}
      all="Missing: any time"
      titleOf={(age) => `Missing: over ${age.replace('d', ' d')}`}
      onChoose={(older) => navigation.go({ comparison: { ...comparison, older } })}
    />
  );
}

const orderTitles = { behind: 'By distance', oldest: 'Oldest first', newest: 'Newest first' } as const;

/** The choice of the sort order on a phone, where the table has no head. */
export function AgeSort() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  return (
    <Choice
      className="age-filter age-sort fine"
      label="Order"
      value={comparison.sort}
      names={comparisonOrders}
      titleOf={(sort) => orderTitles[sort]}
      onChoose={(sort = 'behind') => navigation.go({ comparison: { ...comparison, sort } })}
    />
  );
}

/**
 * The head of the column with the ages. It sorts by age: oldest first, then newest first, then as before. The oldest has
 * the highest age, so that oldest first is descending.
 */
export function AgeHead() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const { sort } = comparison;
  const next = ({ behind: 'oldest', oldest: 'newest', newest: 'behind' } as const)[sort];
  const mark = { behind: '', oldest: ' ↓', newest: ' ↑' }[sort];
  return (
    <th aria-sort={({ behind: undefined, oldest: 'descending', newest: 'ascending' } as const)[sort]}>
      <button
        type="button"
        class="bare age-head"
        title={`How long the oldest missing release has been missing. ${next === 'behind' ? 'Sort by distance' : `Sort by time, ${next} first`}`}
        onClick={() => navigation.go({ comparison: { ...comparison, sort: next } })}
      >
        Missing for<span aria-hidden="true">{mark}</span>
        {sort !== 'behind' && <span class="unseen">, sorted by time, {sort} first</span>}
      </button>
    </th>
  );
}
