import { comparisonAges, comparisonOrders } from '../state/address/comparison.ts';
import { useAddress, useApp } from '../ui/app.ts';

/** Lists only the services that have differed for some days. */
export function AgeFilter() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const choose = (value: string) =>
    navigation.go({ comparison: { ...comparison, older: comparisonAges.find((age) => age === value) } });
  return (
    <select
      class="age-filter fine"
      aria-label="How long a release has been missing"
      value={comparison.older ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">Missing: any time</option>
      {comparisonAges.map((age) => (
        <option key={age} value={age} selected={age === comparison.older}>
          Missing: over {age.replace('d', ' d')}
        </option>
      ))}
    </select>
  );
}

/** The choice of the sort order on a phone, where the table has no head. */
export function AgeSort() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const choose = (value: string) =>
    navigation.go({ comparison: { ...comparison, sort: comparisonOrders.find((sort) => sort === value) ?? 'behind' } });
  return (
    <select
      class="age-filter age-sort fine"
      aria-label="Order"
      value={comparison.sort}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {comparisonOrders.map((sort) => (
        <option key={sort} value={sort} selected={sort === comparison.sort}>
          {sort === 'behind' ? 'By distance' : sort === 'oldest' ? 'Oldest first' : 'Newest first'}
        </option>
      ))}
    </select>
  );
}

/** The head of the column with the ages. It sorts by age: oldest first, then newest first, then as before. */
export function AgeHead() {
  const { navigation } = useApp();
  const { comparison } = useAddress();
  const { sort } = comparison;
  const next = ({ behind: 'oldest', oldest: 'newest', newest: 'behind' } as const)[sort];
  const mark = { behind: '', oldest: ' ↑', newest: ' ↓' }[sort];
  return (
    <button
      type="button"
      class="bare age-head"
      title={`How long the oldest missing release has been missing. ${next === 'behind' ? 'Sort by distance' : `Sort by time, ${next} first`}`}
      onClick={() => navigation.go({ comparison: { ...comparison, sort: next } })}
    >
      Missing for<span aria-hidden="true">{mark}</span>
      {sort !== 'behind' && <span class="unseen">, sorted by time, {sort} first</span>}
    </button>
  );
}
