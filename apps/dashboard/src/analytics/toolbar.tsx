import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useState } from 'preact/hooks';
import { wantsService } from '../board/filter.ts';
import { EnvironmentMenu } from '../filters/environment-menu.tsx';
import { GlobChips } from '../filters/glob-chips.tsx';
import { TeamMenu } from '../filters/team-menu.tsx';
import { type Range, rangeBetween, titleOf } from '../range/range.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { downloadCsv } from '../ui/download-csv.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { comparedUnit, dayMs, defaultRange, periodNames, periodOf, periodText } from './period.ts';

/** A file to download; its text is collected on demand. */
export interface CsvFile {
  readonly name: string;
  readonly text: () => Promise<string>;
}

interface ToolbarProps {
  /** The number of matching services. */
  readonly services: string;
  /** Why there is nothing to compare with; `undefined` if there may be. */
  readonly noPrevious: string | undefined;
  /** `undefined` until the figures have arrived. */
  readonly csv: CsvFile | undefined;
}

export function Toolbar({ services, noPrevious, csv }: ToolbarProps) {
  const { navigation, connection } = useApp();
  const { figures, range = defaultRange } = useAddress();
  const nowMs = useStore(connection.now);
  return (
    <div class="bar scope-bar" role="toolbar" aria-label="Scope and period">
      <EnvironmentMenu isProductionDefault />
      <TeamMenu />
      <ServiceMenu count={services} />
      <Periods />
      <span class="space" />
      <button
        type="button"
        class="chip"
        aria-pressed={figures.compare}
        disabled={noPrevious !== undefined && !figures.compare}
        title={noPrevious}
        onClick={() => navigation.go({ figures: { ...figures, compare: !figures.compare } })}
      >
        Compare with previous {comparedUnit(range, nowMs) ?? 'period'}
      </button>
      <CsvButton csv={csv} />
    </div>
  );
}

function CsvButton({ csv }: Pick<ToolbarProps, 'csv'>) {
  const [state, setState] = useState<'collecting' | 'failed' | undefined>();
  const save = async ({ name, text }: CsvFile) => {
    setState('collecting');
    try {
      downloadCsv(name, await text());
      setState(undefined);
    } catch {
      setState('failed');
    }
  };
  return (
    <button
      type="button"
      class="chip strong"
      disabled={!csv || state === 'collecting'}
      title="Every number of this page, also of the charts that are not shown"
      onClick={() => csv && save(csv)}
    >
      {state === 'failed' ? 'CSV failed, try again' : 'CSV'}
    </button>
  );
}

export function ServiceMenu({ count }: { readonly count: string }) {
  const { navigation, connection, ownership: store } = useApp();
  const { filter } = useAddress();
  const { services } = filter;
  const board = useStore(connection.board);
  const ownership = useStore(store);
  const [name, setName] = useState('');
  const ofTeams = { ...filter, services: [] };
  const known = board ? [...board.rows.keys()].filter((service) => wantsService(ofTeams, service, ownership)) : [];
  const add = (event: Event) => {
    event.preventDefault();
    if (name.trim() !== '') navigation.narrow({ services: [...new Set([...services, name.trim()])] });
    setName('');
  };
  return (
    <Menu
      title={
        <>
          Services <b>{count}</b>
        </>
      }
    >
      <form onSubmit={add}>
        <input
          class="field"
          list="scope-services"
          aria-label="A service or a pattern with *"
          placeholder="payments-api, pay-*"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <datalist id="scope-services">
          {known.slice(0, 200).map((service) => (
            <option key={service} value={service} />
          ))}
        </datalist>
        <button type="submit" class="chip" disabled={name.trim() === ''}>
          Apply
        </button>
      </form>
      {services.length > 0 && (
        <div class="wrap">
          <GlobChips kind="services" />
        </div>
      )}
    </Menu>
  );
}

function Periods() {
  const { range = defaultRange } = useAddress();
  const nowMs = useStore(useApp().connection.now);
  return (
    <nav class="joined periods" aria-label="Period">
      {periodNames.map((name) => (
        <Link key={name} class="chip" to={{ range: { name } }} aria-current={range.name === name ? 'true' : undefined}>
          {titleOf(name).replace(/^Last (\d)/, '$1')}
        </Link>
      ))}
      <Menu
        title={
          <>
            <Mark shape="clock" />
            {periodText(periodOf(range, nowMs), nowMs)}
          </>
        }
      >
        <AnyDays key={JSON.stringify(range)} range={range} />
      </Menu>
    </nav>
  );
}

/** Two UTC days, both inclusive. */
function AnyDays({ range }: { readonly range: Range }) {
  const { navigation, connection } = useApp();
  const nowMs = useStore(connection.now);
  const period = periodOf(range, nowMs);
  const [from, setFrom] = useState(period.from.slice(0, 10));
  const [to, setTo] = useState(new Date(Date.parse(period.to) - 1).toISOString().slice(0, 10));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const isRange = days >= 1 && days <= 400;
  const choose = (event: Event) => {
    event.preventDefault();
    if (isRange) navigation.go({ range: rangeBetween(Date.parse(from), Date.parse(to) + dayMs) });
  };
  const field = (label: string, value: string, set: (value: string) => void) => (
    <label class="row apart">
      {label}{' '}
      <input
        class="field"
        type="date"
        max={new Date(nowMs).toISOString().slice(0, 10)}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
  return (
    <form class="any-days" onSubmit={choose}>
      {field('from', from, setFrom)}
      {field('to', to, setTo)}
      <button type="submit" class="chip" disabled={!isRange}>
        Show these days
      </button>
      <p class="small">UTC days, inclusive, at most 400.</p>
    </form>
  );
}
