import { columnOrder, moved } from '../board/columns.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Menu } from '../ui/menu.tsx';

export function ColumnsMenu({
  environments,
  columns,
}: Readonly<Record<'environments' | 'columns', readonly string[]>>) {
  const { navigation, connection } = useApp();
  const { columns: choice } = useAddress();
  const all = columnOrder(environments, useStore(connection.promotionOrder), { order: choice.order, hidden: [] });
  const isDefault = choice.order.length === 0 && choice.hidden.length === 0;
  const toggle = (name: string) => {
    const { hidden } = choice;
    navigation.go({
      columns: {
        ...choice,
        hidden: hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name],
      },
    });
  };
  return (
    <Menu
      title={
        <>
          Columns <b>{columns.length}</b>
        </>
      }
    >
      <ul class="columns">
        {all.map((name, index) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={!choice.hidden.includes(name)} onChange={() => toggle(name)} />{' '}
              <bdi>{name}</bdi>
            </label>
            {([-1, 1] as const).map((by) => (
              <button
                key={by}
                type="button"
                aria-label={`Move ${name} ${by < 0 ? 'left' : 'right'}`}
                disabled={index + by < 0 || index + by >= all.length}
                onClick={() => navigation.go({ columns: { ...choice, order: moved(all, name, by) } })}
              >
                {by < 0 ? '←' : '→'}
              </button>
            ))}
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="chip"
        disabled={isDefault}
        onClick={() => navigation.go({ columns: { order: [], hidden: [] } })}
      >
        Reset to promotion order
      </button>
    </Menu>
  );
}
