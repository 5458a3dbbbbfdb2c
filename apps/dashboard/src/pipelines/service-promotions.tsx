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
import { ChainGraph, EdgeLine } from './chain-graph.tsx';
import { type ColumnPosition, positionUnder, roomLeftOf } from './column-position.ts';
import { deploymentsOf } from './deployment.ts';
import { graphOf } from './graph.ts';
import { type History, parentsMax, reasonFor } from './history.ts';
import { HistoryReader } from './history-reader.ts';
import { type Outcome, outcomeLabels, outcomeOf } from './outcome.ts';

/** The number of cards that are initially shown, and that each press adds. */
const cardsStep = 40;

export interface ServicePromotionsProps {
  readonly service: string;
  readonly columns: readonly string[];
  readonly place: ColumnPosition | undefined;
  /** Other facts, to the left of a graph that is below the stages, or else above the graph. */
  readonly children: ComponentChildren;
}

export function ServicePromotions({ service, columns, place, children }: ServicePromotionsProps) {
  const reader = useReader(service);
  const { history, isAsking, fault } = useStore(reader.reading);
  const under = useMemo(() => positionUnder(place, columns, history), [place, columns, history]);
  const room = roomLeftOf(under);
  return (
    <div
      class={room === undefined ? 'pipeline-details' : 'pipeline-details left'}
      style={{ '--stages-left': `${under?.left ?? 0}px`, '--left-room': `${room ?? 0}px` }}
    >
      <div class="pipeline-facts-side">{children}</div>
      <div class="stack promotions full">
        {fault && <Fault what={fault} retry={() => void reader.start()} />}
        {!history && isAsking && <p class="waiting">Loading the deployments …</p>}
        {history && (
          <Chains
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
      // The events that changed the row arrive right after the board.
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

interface ChainsProps extends Pick<ServicePromotionsProps, 'columns' | 'place'> {
  readonly history: History;
  readonly isAsking: boolean;
  readonly onOlder: () => void;
}

function Chains({ history, isAsking, onOlder, ...above }: ChainsProps) {
  const [cards, setCards] = useState(cardsStep);
  const { graph, chains, columns } = useChains(history, above);
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
      <ul class="stack chains">
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
          <li class="chain-card">
            <ChainGraph graph={graph} service={history.service} columns={columns} place={place} />
          </li>
        )}
      </ul>
      {graph.nodes.some((node) => node.kind === 'absent' && node.reason === 'left-out') && (
        <p class="small">{leftOut}</p>
      )}
      {((hasEdges && left > 0) || history.cursor !== null) && (
        <button type="button" class="chip start" aria-disabled={isAsking} onClick={older}>
          {hasEdges && left > 0 ? `Show ${pluralize(Math.min(left, cardsStep), 'older chain')}` : 'Older deployments'}
        </button>
      )}
    </>
  );
}

const noParents =
  'No deployment names the one it was promoted from. Lines appear when pipelines send parent_deployments: the deployment_id values of the previous environment.';
const leftOut = `Each page loads at most ${parentsMax} parents from older pages; the others are marked “not loaded”.`;

/**
 * All chains have the same columns, so that an environment has one position on the page. If the graphs fit below the
 * stages, these are the columns of the stages.
 */
function useChains(history: History, above: Pick<ServicePromotionsProps, 'columns' | 'place'>) {
  const order = useStore(useApp().connection.promotionOrder);
  const { columns: choice } = useAddress();
  const isUnder = above.place !== undefined;
  return useMemo(() => {
    const deployments = deploymentsOf(history.events.values());
    const environments = [...new Set(deployments.map(({ environment }) => environment))].sort();
    // Include hidden columns, because chains that pass them would otherwise break.
    const columns = isUnder ? above.columns : columnOrder(environments, order, { order: choice.order, hidden: [] });
    const graph = graphOf(deployments, columns, (id) => reasonFor(history, id));
    return { graph, columns, chains: chainsOf(graph) };
  }, [history, order, choice.order, above.columns, isUnder]);
}

function NoDeployments({ service }: { readonly service: string }) {
  return (
    <p class="small">
      The log has no events of <Cut text={service} />.
    </p>
  );
}

const line = { path: 'M0 8h40', tip: { x: 40, y: 8, turn: 'right' }, middle: { x: 18, y: 8 } } as const;

function Legend({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  return (
    <ul class="wrap graph-legend small" aria-label="What the lines mean">
      {outcomes.map((outcome) => (
        <li key={outcome} class="row">
          <svg width="40" height="16" aria-hidden="true">
            <EdgeLine line={line} outcome={outcome} />
          </svg>
          {outcomeLabels[outcome]}
        </li>
      ))}
    </ul>
  );
}
