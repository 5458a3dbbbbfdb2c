import type { Filter } from '../board/filter.ts';
import { comparisonOf } from '../state/address.ts';
import { foldingOf } from '../state/asked/board.ts';
import type { Navigation } from '../state/navigation.ts';
import { type CommandName, command, commandSoon, hasCommand } from '../ui/commands.ts';

/** Commands that do something from everywhere. */
const leading: readonly CommandName[] = ['failed', 'running', 'behind', 'fold', 'before'];

/** Whether a command would do something now. */
export function canAct(name: CommandName): boolean {
  return leading.includes(name) || hasCommand(name);
}

/** Does what a command says: what the view that is shown makes of it, or what leads there from any view. */
export function actOn(name: CommandName, navigation: Navigation): void {
  if (command(name)) return;
  const toggle = (only: NonNullable<Filter['only']>) => {
    const { filter, view } = navigation.address.value;
    const isOn = filter.only === only && (view === 'board' || view === 'feed');
    navigation.go({
      view: view === 'feed' ? 'feed' : 'board',
      slot: undefined,
      filter: { ...filter, only: isOn ? undefined : only },
    });
  };
  if (name === 'failed' || name === 'running') toggle(name);
  else if (name === 'behind') navigation.go(comparisonOf({ kind: 'ahead' }));
  else if (name === 'fold') fold(navigation);
  else if (name === 'before' || name === 'after') {
    commandSoon(name);
    navigation.go({ view: 'board', slot: undefined, asof: 'now' });
  } else if (name === 'now') navigation.go({ asof: undefined });
}

/** Folds what is well on the board, or shows all of it. */
function fold(navigation: Navigation): void {
  const { board, asof } = navigation.address.value;
  const isFolded = foldingOf(board, asof !== undefined && asof !== 'now') === 'well';
  navigation.go({ view: 'board', slot: undefined, board: { ...board, fold: isFolded ? 'nothing' : 'well' } });
}
