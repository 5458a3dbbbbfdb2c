import { stageNameIn } from '@shiplog/text';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { Choice } from '../ui/choice.tsx';
import { comparable, type Pair, sideOf } from './sides.ts';

/** "What would reach … from …", with the two environments or stages to choose. */
export function Question({ from, to }: Pair) {
  const { navigation, connection } = useApp();
  const { comparison } = useAddress();
  const { stages } = useBoardContext();
  const names = comparable(stages, useStore(connection.board)?.environments ?? []);
  const ask = (pair: { from: string; to: string }) => navigation.go({ comparison: { ...comparison, ...pair } });
  const [first, second] = [from.reference, to.reference];
  const titleOf = (reference: string) => {
    const { name, environments } = sideOf(reference, stages);
    return environments.length === 1 ? name : `${stageNameIn(reference) ?? name} (all ${environments.length})`;
  };
  return (
    <form
      class="wrap title question compare-question"
      aria-label="Environments to compare"
      onSubmit={(event) => event.preventDefault()}
    >
      <span>What would reach</span>
      <Choice
        label="To"
        value={second}
        names={names}
        titleOf={titleOf}
        onChoose={(name = second) => ask({ from: name === first ? second : first, to: name })}
      />
      <span>from</span>
      <Choice
        label="From"
        value={first}
        names={names}
        titleOf={titleOf}
        onChoose={(name = first) => ask({ from: name, to: name === second ? first : second })}
      />
      <button type="button" class="square exchange" onClick={() => ask({ from: second, to: first })}>
        <svg viewBox="0 0 16 16" class="mark" aria-hidden="true">
          <path class="line" d="M3 5.5h9M9.5 3L12 5.5 9.5 8M13 10.5H4M6.5 8L4 10.5 6.5 13" />
        </svg>
        <span class="unseen">Swap the two sides</span>
      </button>
    </form>
  );
}
