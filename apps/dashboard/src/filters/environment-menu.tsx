import { plain } from '@shiplog/text';
import { columnOrder } from '../board/columns.ts';
import { everyEnvironment } from '../board/scope.ts';
import { useAddress, useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { Menu } from '../ui/menu.tsx';

interface EnvironmentMenuProps {
  /** The default environment and its description; `undefined` = all environments. */
  readonly byDefault?: { readonly name: string; readonly what: string } | undefined;
}

export function EnvironmentMenu({ byDefault }: EnvironmentMenuProps) {
  const { navigation } = useApp();
  const { environments } = useAddress().filter;
  const known = useBoard()?.environments ?? [];
  const { stages } = useBoardContext();
  const names = columnOrder(known, stages, { order: [], hidden: [] });
  const isAll = environments.includes(everyEnvironment) || (!byDefault && environments.length === 0);
  const choice = (key: string, chosen: readonly string[], label: string, isChosen: boolean) => (
    <li key={key}>
      <label>
        <input
          type="radio"
          name="scope-environment"
          checked={isChosen}
          onChange={() => navigation.narrow({ environments: chosen })}
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
          <b class="cut">{plain(isAll ? `All ${known.length}` : environments.join(', ') || (byDefault?.name ?? ''))}</b>
        </>
      }
    >
      <ul class="columns">
        {byDefault && choice(' default', [], `${byDefault.name}, ${byDefault.what}`, environments.length === 0)}
        {choice(' all', byDefault ? [everyEnvironment] : [], 'all environments', isAll)}
        {names.map((name) => choice(name, [name], name, environments.length === 1 && environments[0] === name))}
      </ul>
    </Menu>
  );
}
