import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Choice } from '../ui/choice.tsx';

interface Pair {
  readonly from: string;
  readonly to: string;
}

/** "What would reach … from …", with the two environments to choose. */
export function Question({ from, to }: Pair) {
  const { navigation, connection } = useApp();
  const { comparison } = useAddress();
  const environments = useStore(connection.board)?.environments ?? [];
  const ask = (pair: Pair) => navigation.go({ comparison: { ...comparison, ...pair } });
  return (
    <form
      class="wrap title question compare-question"
      aria-label="Environments to compare"
      onSubmit={(event) => event.preventDefault()}
    >
      <span>What would reach</span>
      <Choice
        label="To"
        value={to}
        names={environments}
        onChoose={(name = to) => ask({ from: name === from ? to : from, to: name })}
      />
      <span>from</span>
      <Choice
        label="From"
        value={from}
        names={environments}
        onChoose={(name = from) => ask({ from: name, to: name === to ? from : to })}
      />
      <button type="button" class="square exchange" onClick={() => ask({ from: to, to: from })}>
        <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
          <path class="line" d="M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13" />
        </svg>
        <span class="unseen">Swap the two environments</span>
      </button>
    </form>
  );
}
