import { pluralize } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { columnOrder } from '../board/columns.ts';
import { endAll, useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Fault } from '../ui/empty.tsx';
import { Cut } from '../ui/text.tsx';
import { chainsOf } from './chain.ts';
import { ChainCard } from './chain-card.tsx';
import { ChainGraph } from './chain-graph.tsx';
import { type ColumnPlace, placeUnder, roomBeside } from './column-place.ts';
import { deploymentsOf } from './deployment.ts';
import { graphOf } from './graph.ts';
import { type History, parentsMax, reasonFor } from './history.ts';
import { HistoryReader } from './history-reader.ts';
import { Legend } from './legend.tsx';
import { type Outcome, outcomeLabels, outcomeOf } from './outcome.ts';

/** Cards on the page at first, and more at each press. */
const cardsStep = 40;

export interface ServiceLanesProps {
  readonly service: string;
  /** The environments that stand above, and where. */
  readonly columns: readonly string[];
  readonly place: ColumnPlace | undefined;
  /** What else is known of it: left of a graph that stands under the stages, else above. */
  readonly children: ComponentChildren;
}

/** The promotions of one service, its chains one below the other. */
export function ServiceLanes({ service, columns, place, children }: ServiceLanesProps) {
  const reader = useReader(service);
  const { history, isAsking, fault } = useStore(reader.reading);
  const under = useMemo(() => placeUnder(place, columns, history), [place, columns, history]);
  const room = roomBeside(under);
  return (
    <div
      class={room === undefined ? 'pipe-open' : 'pipe-open beside'}
      style={{ '--stages-left': `${under?.left ?? 0}px`, '--beside': `${room ?? 0}px` }}
    >
      <div class="pipe-known">{children}</div>
      <div class="stack lanes">
        {fault && <Fault what={fault} retry={() => void reader.start()} />}
        {!history && isAsking && <p class="waiting">Asking for the deployments …</p>}
        {history && (
          <Lanes
            history={history}
            isAsking={isAsking}
            onOlder={() => void reader.older()}
            columns={columns}
            place={under}
          />
        )}
      </div>
    </div>
  );
}

function useReader(service: string): HistoryReader {
  const { connection } = useApp();
  const reader = useMemo(() => new HistoryReader(connection.client, service), [connection, service]);
  useEffect(() => {
    void reader.start();
    const row = () => connection.board.value?.rows.get(service);
    let before = row();
    const onBoard = () => {
      const after = row();
      // The events that changed it are told right after the board.
      if (after !== before) queueMicrotask(() => reader.compare(after));
      before = after;
    };
    return endAll(
      connection.onEvents((events) => reader.take(events)),
      connection.board.listen(onBoard),
      () => reader.stop(),
    );
  }, [connection, reader, service]);
  return reader;
}

interface LanesProps extends Pick<ServiceLanesProps, 'columns' | 'place'> {
  readonly history: History;
  readonly isAsking: boolean;
  readonly onOlder: () => void;
}

function Lanes({ history, isAsking, onOlder, ...above }: LanesProps) {
  const [cards, setCards] = useState(cardsStep);
  const { graph, chains, columns } = useLanes(history, above);
  const { place } = above;
  const outcomes = (Object.keys(outcomeLabels) as Outcome[]).filter((outcome) =>
    graph.nodes.some(
      (node) => node.kind === 'deployment' && node.parents.length > 0 && outcomeOf(node.latest.status) === outcome,
    ),
  );
  if (chains.length === 0) return <NoDeployments service={history.service} />;
  const left = chains.length - cards;
  const hasEdges = graph.edges.length > 0;
  const older = () => (left > 0 ? setCards(cards + cardsStep) : onOlder());
  return (
    <>
      {hasEdges ? <Legend outcomes={outcomes} /> : <p class="small">{noParents}</p>}
      <ul class="stack lanes-cards">
        {hasEdges ? (
          chains
            .slice(0, cards)
            .map((chain, index) => (
              <ChainCard
                key={chain.key}
                chain={chain}
                service={history.service}
                columns={columns}
                place={place}
                isNewest={index === 0}
              />
            ))
        ) : (
          <li class="lanes-card">
            <ChainGraph graph={graph} service={history.service} columns={columns} place={place} />
          </li>
        )}
      </ul>
      {graph.nodes.some((node) => node.kind === 'absent' && node.reason === 'left-out') && (
        <p class="small">{leftOut}</p>
      )}
      {((hasEdges && left > 0) || history.cursor !== null) && (
        <button type="button" class="chip lanes-older" aria-disabled={isAsking} onClick={older}>
          {hasEdges && left > 0 ? `Show ${pluralize(Math.min(left, cardsStep), 'older chain')}` : 'Older deployments'}
        </button>
      )}
    </>
  );
}

const noParents =
  'No deployment names what it was promoted from. Lines appear when pipelines send parent_deployments: the deployment_id values of the environment before.';
const leftOut = `Of parents on older pages, ${parentsMax} are asked for with each page; others stand as “not asked for”.`;

/**
 * The history as chains. Every chain has the same columns, so that an environment has one position down the page: those
 * that stand above, if it has a place under them.
 */
function useLanes(history: History, above: Pick<ServiceLanesProps, 'columns' | 'place'>) {
  const order = useStore(useApp().connection.ladder);
  const { columns: choice } = useAddress();
  const isUnder = above.place !== undefined;
  return useMemo(() => {
    const deployments = deploymentsOf(history.events.values());
    const environments = [...new Set(deployments.map(({ environment }) => environment))].sort();
    // A hidden column would break the chains that go through it.
    const columns = isUnder ? above.columns : columnOrder(environments, order, { order: choice.order, hidden: [] });
    const graph = graphOf(deployments, columns, (id) => reasonFor(history, id));
    return { graph, columns, chains: chainsOf(graph) };
  }, [history, order, choice.order, above.columns, isUnder]);
}

function NoDeployments({ service }: { readonly service: string }) {
  return (
    <p class="small">
      The log has no event of <Cut text={service} />.
    </p>
  );
}
