import type { Board } from '../board/board.ts';
import { type Filter, globMatches } from '../board/filter.ts';
import { Toolbar } from '../filters/toolbar.tsx';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useShown } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Pipelines } from './pipelines.tsx';
import { usePipelines } from './use-pipelines.ts';
import './graph.css';
import './pipelines.css';

/** The progress of all releases, and the promotions of one service. */
export function PipelinesView() {
  const board = useStore(useApp().connection.board);
  const { filter, quiet, opened } = useAddress();
  const { columns, counts } = useShown();
  const pipelines = usePipelines();
  if (!board) return <p class="waiting">Loading the services …</p>;
  if (board.rows.size === 0) return <NothingYet />;
  const chosen = chosenService(filter, board);
  const isAsked = filter.only === 'behind' && counts.behind === undefined;
  return (
    <>
      {!quiet && <Toolbar environments={board.environments} columns={columns} counts={counts} isBoard={false} />}
      {isAsked ? (
        <p class="waiting">Loading what is behind …</p>
      ) : pipelines.parts.length > 0 || pipelines.moves > 0 ? (
        <Pipelines {...pipelines} opened={opened ?? chosen} />
      ) : (
        <NothingMatches unknown={chosen !== undefined && !board.rows.has(chosen) ? chosen : undefined} />
      )}
    </>
  );
}

function NothingYet() {
  return (
    <Empty title="No deployments yet">
      <p>Promotions appear here when pipelines post deployment events. The board shows a command to try.</p>
    </Empty>
  );
}

function NothingMatches({ unknown }: { readonly unknown: string | undefined }) {
  return (
    <Empty title="Nothing matches">
      <p>
        {unknown === undefined ? (
          'No services match the filters. '
        ) : (
          <>
            The log has no events of <Cut text={unknown} />.{' '}
          </>
        )}
        <Link to={{ filter: home.filter, columns: home.columns }}>Show everything</Link>
      </p>
    </Empty>
  );
}

/** The service that a filter names. A text with wildcards counts only if a service has exactly that name. */
export function chosenService({ services }: Filter, board: Board | undefined): string | undefined {
  const [name, ...others] = services;
  if (name === undefined || others.length > 0) return undefined;
  if (board?.rows.has(name)) return name;
  if (/[*?]/.test(name)) return undefined;
  // Filters ignore case, but the log is case-sensitive.
  const likely = [...(board?.rows.keys() ?? [])].filter((other) => globMatches(name, other));
  return likely.length === 1 ? likely[0] : name;
}
