import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain, versionOf } from '@shiplog/text';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import type { Deployment } from './deployment.ts';
import { type Across, leftOf, topOf } from './drawing.ts';
import type { Absent, GraphNode } from './graph.ts';
import type { PositionedNode } from './graph-layout.ts';
import { deploymentSentence, reasonLabels } from './labels.ts';
import { outcomeOf } from './outcome.ts';

interface NodeProps {
  readonly positioned: PositionedNode;
  readonly across: Across;
  readonly parents: readonly GraphNode[];
  /** The service of the graph. A node shows its service only if that is another one. */
  readonly service: string;
}

export function Node({ positioned, across, parents, service }: NodeProps) {
  const { node, column, row } = positioned;
  const style = { left: `${leftOf(column, across)}px`, top: `${topOf(row, across)}px`, width: `${across.width}px` };
  return (
    <li class="graph-node" style={style}>
      {node.kind === 'absent' ? (
        <AbsentNode node={node} />
      ) : (
        <DeploymentNode node={node} parents={parents} service={service} />
      )}
    </li>
  );
}

function AbsentNode({ node }: { readonly node: Absent }) {
  return (
    <div class="absent-node tile">
      <Cut text={node.id} className="version" />
      <span class="tiny soft">{reasonLabels[node.reason]}</span>
    </div>
  );
}

/** A deployment as a link to the history of its slot. */
function DeploymentNode({
  node,
  parents,
  service,
}: Pick<NodeProps, 'parents' | 'service'> & { readonly node: Deployment }) {
  const nowMs = useStore(useApp().connection.now);
  const { latest } = node;
  const [shape, label] = statusLook(latest.status);
  const slot = { service: node.service, environment: node.environment };
  return (
    <Link class={`deployment-node tile ${outcomeOf(latest.status)}`} to={{ slot }} title={plain(node.id)}>
      <span class="unseen">{deploymentSentence(node, parents, nowMs)}</span>
      <span class="row gap-4 node-line" aria-hidden="true">
        <Mark shape={shape} />
        <Version text={versionOf(latest)} />
        {node.service !== service && <Cut text={node.service} className="push tiny soft" />}
      </span>
      <span class="row gap-4 node-line" aria-hidden="true">
        <span class="node-status firm tiny soft">{label}</span>
        <Time at={latest.happened_at} />
      </span>
    </Link>
  );
}
