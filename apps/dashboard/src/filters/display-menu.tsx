import { plain } from '@shiplog/text';
import { useRef } from 'preact/hooks';
import { columnOrder } from '../board/columns.ts';
import { groupings } from '../board/groups.ts';
import { toggled } from '../board/toggled.ts';
import { type BoardState, foldingOf, foldsStages } from '../state/address/board.ts';
import type { Address } from '../state/address.ts';
import { displayOf } from '../state/display.ts';
import { densities } from '../state/preferences.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext, usePast } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { useGrouping } from '../ui/grouping.ts';
import { Menu } from '../ui/menu.tsx';
import { layoutNames } from './layout-names.ts';

const groups = { team: 'Team', prefix: 'Prefix', progress: 'Progress', none: 'None' } as const;
const orders = { attention: 'Attention first', name: 'Name' } as const;
const rowSizes = { compact: 'Compact', roomy: 'Roomy' } as const;
const times = { age: 'Age', clock: 'Clock' } as const;

interface DisplayMenuProps {
  readonly environments: readonly string[];
  readonly columns: readonly string[];
}

/** How the board is drawn. The choices are remembered in this browser. */
export function DisplayMenu({ environments, columns }: DisplayMenuProps) {
  const { preferences } = useApp();
  const { board } = useAddress();
  const draw = useDisplay();
  const grouping = useGrouping();
  const isPast = usePast() !== undefined;
  const { density, absoluteTimes } = useStore(preferences);
  const panel = useRef<HTMLDivElement>(null);
  const change = (changed: Partial<BoardState>) => draw({ board: { ...board, ...changed } });
  // When the viewer changes the folding, what was opened or folded individually is discarded.
  const reset = { opened: [], closed: [], whole: [] };
  const isFolding = foldingOf(board, isPast) === 'well';
  const fold = () => change({ fold: isFolding ? 'nothing' : 'well', ...reset });
  const isGrid = board.layout === 'grid';
  const hasGroups = isGrid || board.layout === 'progress';
  const isFoldingStages = foldsStages(board, columns.length);
  useCommand('fold', grouping === 'none' ? undefined : fold);
  useCommand('columns', () => {
    const menu = panel.current?.closest('details');
    const list = panel.current?.querySelector('details');
    if (!menu || !list) return;
    menu.open = true;
    list.open = true;
    list.querySelector('summary')?.focus();
  });
  return (
    <Menu
      title={
        <>
          Display <b class="chip-detail">{layoutNames[board.layout]}</b>
        </>
      }
    >
      <div ref={panel} class="display stack gap-8 fine">
        <Segments label="Layout" labels={layoutNames} chosen={board.layout} onChoose={(layout) => change({ layout })} />
        {hasGroups && (
          <>
            <hr />
            <Options
              label="Group by"
              labels={groups}
              options={isGrid ? groupings.filter((each) => each !== 'progress') : groupings}
              chosen={grouping}
              onChoose={(group) => change({ group, ...reset })}
            />
            <Options
              label="Order"
              labels={orders}
              options={['attention', 'name']}
              chosen={board.order}
              onChoose={(order) => change({ order })}
            />
          </>
        )}
        <Columns environments={environments} columns={columns} />
        {hasGroups && (
          <>
            <hr />
            {grouping !== 'none' && <Switch label="Fold healthy services" isOn={isFolding} onToggle={fold} />}
            {isGrid && (
              <Switch
                label="Fold stages that agree"
                isOn={isFoldingStages}
                onToggle={() => change({ stages: isFoldingStages ? 'none' : 'agreeing', wide: [], narrow: [] })}
              />
            )}
          </>
        )}
        <hr />
        {isGrid && (
          <Segments
            label="Density"
            labels={rowSizes}
            chosen={density}
            onChoose={(name) => preferences.prefer({ density: densities.find((each) => each === name) ?? density })}
          />
        )}
        <Segments
          label="Times"
          labels={times}
          chosen={absoluteTimes ? 'clock' : 'age'}
          onChoose={(name) => preferences.prefer({ absoluteTimes: name === 'clock' })}
        />
      </div>
    </Menu>
  );
}

/** Changes how the board is drawn, and remembers it in this browser for pages that don't say how. */
function useDisplay(): (changed: Partial<Pick<Address, 'board' | 'columns'>>) => void {
  const { preferences, navigation } = useApp();
  const { board, columns } = useAddress();
  return (changed) => {
    navigation.go(changed);
    preferences.prefer({ display: displayOf({ board, columns, ...changed }) });
  };
}

interface ChoiceProps<Option extends string> {
  readonly label: string;
  readonly labels: Readonly<Record<Option, string>>;
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

function Segments<Option extends string>({ label, labels, chosen, onChoose }: ChoiceProps<Option>) {
  return (
    <fieldset class="display-row row">
      <legend class="unseen">{label}</legend>
      <span class="soft" aria-hidden="true">
        {label}
      </span>
      <span class="segments push">
        {(Object.keys(labels) as Option[]).map((option) => (
          <button key={option} type="button" aria-pressed={option === chosen} onClick={() => onChoose(option)}>
            {labels[option]}
          </button>
        ))}
      </span>
    </fieldset>
  );
}

function Options<Option extends string>({
  label,
  labels,
  options,
  chosen,
  onChoose,
}: ChoiceProps<Option> & { readonly options: readonly Option[] }) {
  return (
    <label class="display-row row">
      <span class="soft">{label}</span>
      <select
        class="push"
        value={chosen}
        onChange={({ currentTarget: { value } }) => onChoose(options.find((option) => option === value) ?? chosen)}
      >
        {options.map((option) => (
          <option key={option} value={option} selected={option === chosen}>
            {labels[option]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function Switch({ label, isOn, onToggle }: SwitchProps) {
  return (
    <label class="display-row row">
      <span>{label}</span>
      <input type="checkbox" class="switch push" role="switch" aria-checked={isOn} checked={isOn} onChange={onToggle} />
    </label>
  );
}

/** Which environments are columns. */
function Columns({ environments, columns }: DisplayMenuProps) {
  const draw = useDisplay();
  const { columns: choice } = useAddress();
  const { stages } = useBoardContext();
  const { hidden } = choice;
  const isDefault = choice.order.length === 0 && hidden.length === 0;
  const toggle = (name: string) => draw({ columns: { ...choice, hidden: toggled(hidden, name) } });
  return (
    <details class="display-columns">
      <summary class="display-row row">
        <span class="soft">Columns</span>
        <span class="push">
          {columns.length} of {environments.length} environments
        </span>
      </summary>
      <ul class="columns">
        {columnOrder(environments, stages, { order: choice.order, hidden: [] }).map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={!hidden.includes(name)} onChange={() => toggle(name)} />{' '}
              <bdi>{plain(name)}</bdi>
            </label>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="chip"
        disabled={isDefault}
        onClick={() => draw({ columns: { order: [], hidden: [] } })}
      >
        All, in promotion order
      </button>
    </details>
  );
}
