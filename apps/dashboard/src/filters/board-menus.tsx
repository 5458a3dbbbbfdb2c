import { groupings } from '../board/groups.ts';
import { type BoardState, foldingOf } from '../state/address/board.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { useGrouping } from '../ui/grouping.ts';
import { Menu } from '../ui/menu.tsx';

const words = {
  group: { team: 'by team', prefix: 'by prefix', none: 'none' },
  order: { attention: 'attention first', name: 'by name' },
  fold: { well: 'healthy', nothing: 'nothing' },
} as const;

export function BoardMenus() {
  const grouping = useGrouping();
  const { navigation } = useApp();
  const { board, filter } = useAddress();
  const change = (changed: Partial<BoardState>) => navigation.go({ board: { ...board, ...changed } });
  // When the viewer changes the folding, what was opened or folded individually is discarded.
  const reset = { opened: [], closed: [], whole: [] };
  const folding = foldingOf(board, usePast() !== undefined);
  const fold = () => change({ fold: folding === 'well' ? 'nothing' : 'well', ...reset });
  useCommand('fold', grouping === 'none' ? undefined : fold);
  useCommand('behind', () => navigation.narrow({ only: filter.only === 'behind' ? undefined : 'behind' }));
  return (
    <>
      <Choice
        title="Group"
        options={groupings}
        labels={words.group}
        chosen={grouping}
        onChoose={(group) => change({ group, ...reset })}
      />
      <Choice
        title="Order"
        options={['attention', 'name'] as const}
        labels={words.order}
        chosen={board.order}
        onChoose={(order) => change({ order })}
      />
      {grouping !== 'none' && (
        <Choice
          title="Fold"
          options={['well', 'nothing'] as const}
          labels={words.fold}
          chosen={folding}
          onChoose={(chosen) => change({ fold: chosen, ...reset })}
        />
      )}
    </>
  );
}

interface ChoiceProps<Option extends string> {
  readonly title: string;
  readonly options: readonly Option[];
  readonly labels: Readonly<Record<Option, string>>;
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

function Choice<Option extends string>({ title, options, labels, chosen, onChoose }: ChoiceProps<Option>) {
  return (
    <Menu
      title={
        <>
          {title} <b>{labels[chosen]}</b>
        </>
      }
    >
      <fieldset class="column">
        <legend class="unseen">{title}</legend>
        {options.map((option) => (
          <label key={option}>
            <input type="radio" name={title} checked={option === chosen} onChange={() => onChoose(option)} />{' '}
            {labels[option]}
          </label>
        ))}
      </fieldset>
    </Menu>
  );
}
