import { globText, literalGlob, plain } from '@shiplog/text';
import { useRef, useState } from 'preact/hooks';
import { columnOrder } from '../board/columns.ts';
import { everyEnvironment, productionNames } from '../board/scope.ts';
import { useAddress, useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { Menu } from '../ui/menu.tsx';

/** Longer lists have a search field. */
const searchedFrom = 10;

interface EnvironmentMenuProps {
  /** Whether a filter without environments means production instead of all environments. */
  readonly isProductionDefault?: boolean;
}

export function EnvironmentMenu({ isProductionDefault = false }: EnvironmentMenuProps) {
  const { navigation } = useApp();
  const { environments } = useAddress().filter;
  const known = useBoard()?.environments ?? [];
  const { stages } = useBoardContext();
  const [sought, setSought] = useState('');
  const all = columnOrder(known, stages, { order: [], hidden: [] });
  const names = all.filter((name) => name.toLowerCase().includes(sought.trim().toLowerCase()));
  const chooseFound = (event: KeyboardEvent) => {
    const [first] = names;
    if (event.key !== 'Enter' || first === undefined || sought.trim() === '') return;
    navigation.narrow({ environments: [literalGlob(first)] });
    close(event.currentTarget as Element);
  };
  const isAll = environments.includes(everyEnvironment) || (!isProductionDefault && environments.length === 0);
  // A choice with the pointer closes the menu; the arrow keys choose on their way.
  const isPressed = useRef(false);
  const choose = (chosen: readonly string[], input: HTMLInputElement) => {
    navigation.narrow({ environments: chosen });
    if (isPressed.current) close(input);
  };
  const choice = (key: string, chosen: readonly string[], label: string, isChosen: boolean) => (
    <li key={key}>
      <label>
        <input
          type="radio"
          name="scope-environment"
          checked={isChosen}
          onChange={({ currentTarget }) => choose(chosen, currentTarget)}
        />{' '}
        <bdi>{plain(label)}</bdi>
      </label>
    </li>
  );
  return (
    <Menu
      title={
        <>
          Environment{' '}
          <b class="cut">
            {plain(isAll ? `All ${known.length}` : environments.map(globText).join(', ') || 'Production')}
          </b>
        </>
      }
    >
      {all.length > searchedFrom && (
        <input
          class="field"
          type="search"
          aria-label="Find an environment"
          placeholder="Find"
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
          onKeyDown={chooseFound}
        />
      )}
      <ul
        class="columns"
        onPointerDown={() => (isPressed.current = true)}
        onKeyDown={() => (isPressed.current = false)}
      >
        {sought === '' &&
          isProductionDefault &&
          choice(' default', [], `Production, ${productionNames(stages).join(', ')}`, environments.length === 0)}
        {sought === '' && choice(' all', isProductionDefault ? [everyEnvironment] : [], 'all environments', isAll)}
        {names.map((name) =>
          choice(name, [literalGlob(name)], name, environments.length === 1 && environments[0] === literalGlob(name)),
        )}
      </ul>
    </Menu>
  );
}

function close(inMenu: Element): void {
  inMenu.closest('details')?.removeAttribute('open');
}
