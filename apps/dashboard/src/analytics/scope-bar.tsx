import { analyticsWindows } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useState } from 'preact/hooks';
import { emptyBoard } from '../board/board.ts';
import { wantsService } from '../board/filter.ts';
import { productionNames } from '../board/scope.ts';
import { EnvironmentMenu } from '../filters/environment-menu.tsx';
import { GlobChips } from '../filters/glob-chips.tsx';
import { TeamMenu } from '../filters/team-menu.tsx';
import { daysIn, type FiguresState } from '../state/address/figures.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Menu } from '../ui/menu.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { periodName } from './period.ts';

/** `services` is the number of matching services. */
export function ScopeBar({ services }: { readonly services: string }) {
  const { navigation } = useApp();
  const { figures } = useAddress();
  const change = (changed: Partial<FiguresState>) => navigation.go({ figures: { ...figures, ...changed } });
  return (
    <div class="bar scope-bar" role="toolbar" aria-label="Scope">
      <Environments />
      <TeamMenu />
      <ServiceMenu count={services} />
      <GlobChips kind="services" />
      <PeriodMenu figures={figures} />
      <button
        type="button"
        class="chip"
        aria-pressed={figures.before}
        onClick={() => change({ before: !figures.before })}
      >
        {figures.before && <Mark shape="tick" />} Period before
      </button>
      <span class="space" />
      <ShareButton />
    </div>
  );
}

function Environments() {
  const board = useBoard() ?? emptyBoard;
  const name = productionNames(board, useBoardContext().promotionOrder).join(', ');
  return <EnvironmentMenu byDefault={{ name, what: 'the last stage' }} />;
}

function ServiceMenu({ count }: { readonly count: string }) {
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
        <button type="button" class="chip" onClick={() => navigation.narrow({ services: [] })}>
          All services
        </button>
      )}
    </Menu>
  );
}

function PeriodMenu({ figures }: { readonly figures: FiguresState }) {
  const { window, soFar, days } = figures;
  return (
    <Menu
      title={
        <>
          Period <b>{periodName(figures)}</b>
        </>
      }
    >
      <nav class="wrap periods" aria-label="Period">
        {analyticsWindows.map((name) => (
          <Link
            key={name}
            class="chip"
            to={{ figures: { ...figures, window: name, days: undefined } }}
            aria-current={!days && name === window ? 'true' : undefined}
          >
            {Number.parseInt(name, 10)} days
          </Link>
        ))}
      </nav>
      <Link
        class="chip"
        to={{ figures: { ...figures, soFar: !soFar, days: undefined } }}
        aria-current={soFar && !days ? 'true' : undefined}
      >
        {soFar && !days ? 'Today is included' : 'Include today so far'}
      </Link>
      <AnyDays figures={figures} />
    </Menu>
  );
}

function AnyDays({ figures }: { readonly figures: FiguresState }) {
  const { navigation, connection } = useApp();
  const today = new Date(useStore(connection.now)).toISOString().slice(0, 10);
  const [typed, setTyped] = useState(figures.days ?? { from: '', to: today });
  const days = daysIn(`${typed.from}..${typed.to}`);
  const choose = (event: Event) => {
    event.preventDefault();
    if (days) navigation.go({ figures: { ...figures, days } });
  };
  return (
    <form class="wrap any-days" onSubmit={choose}>
      {(['from', 'to'] as const).map((end) => (
        <label key={end} class="row">
          {end}{' '}
          <input
            class="field"
            type="date"
            max={today}
            value={typed[end]}
            onInput={({ currentTarget }) => setTyped({ ...typed, [end]: currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="chip" disabled={!days}>
        These days
      </button>
      <p class="small">UTC days, inclusive, at most 400.</p>
    </form>
  );
}
