import { useAddress, useApp } from '../ui/app.ts';

/** Groups the rows of one deployment. */
export function GroupToggle() {
  const { navigation } = useApp();
  const { grouped } = useAddress();
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={grouped}
      onClick={() => navigation.go({ grouped: !grouped }, 'replace')}
    >
      Grouped by deployment
    </button>
  );
}
