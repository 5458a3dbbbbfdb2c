import { type Change, limits } from '@shiplog/contract';
import { literalGlob, plain, pluralize } from '@shiplog/text';
import { itemsOf, pagesOf } from '../live/request.ts';
import { deploymentKey, momentAfter } from '../log/log-query.ts';
import { useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { changesIn } from './change-list.ts';
import { ChangeRows } from './change-rows.tsx';
import { ChangesBar } from './changes-bar.tsx';

const pagesMax = 20;

/** The changes of one deployment, wherever and whenever they happened. */
export function DeploymentChanges({ deployment }: { readonly deployment: string }) {
  const { connection } = useApp();
  const answer = useAnswer(
    async (signal) => ({ of: deployment, changes: await changesOfDeployment(connection.client, deployment, signal) }),
    [deployment],
    { touchedBy: ({ deployment_id }) => deployment_id === deployment },
  );
  const changes = answer.kind === 'here' && answer.value.of === deployment ? answer.value.changes : undefined;
  return (
    <div class="changes">
      <ChangesBar question={undefined} failed={undefined} />
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {answer.kind !== 'failed' && !changes && <p class="waiting">Loading the deployment …</p>}
      {changes?.length === 0 && (
        <Empty title={`The log has no deployment ${plain(deployment)}`}>
          <p>Its first event appears here when it arrives.</p>
        </Empty>
      )}
      {changes && changes.length > 0 && (
        <>
          <h2 class="title changes-headline">
            Deployment <bdi class="breaks">{plain(deployment)}</bdi>: {pluralize(changes.length, 'change')}
          </h2>
          <ChangeRows
            label="Changes of this deployment"
            changes={changes}
            day={undefined}
            areOpen={changes.length === 1}
          />
        </>
      )}
    </div>
  );
}

/**
 * The service lists changes by time and place, so the events of the deployment tell where and when to look. The walk
 * ends as soon as all changes are found.
 */
async function changesOfDeployment(
  client: ReturnType<typeof useApp>['connection']['client'],
  deployment: string,
  signal: AbortSignal,
): Promise<Change[]> {
  const listing = { deployment_id: deployment, limit: limits.pageSizeMax };
  const events = await itemsOf((from) => client.listDeployments({ query: { ...listing, ...from }, signal }), pagesMax);
  const found = new Map<string, Change>();
  const places = new Set(events.map(deploymentKey));
  const [newest, oldest] = [events[0], events.at(-1)];
  if (!newest || !oldest) return [];
  const scope = {
    services: [...new Set(events.map(({ service }) => literalGlob(service)))].slice(0, limits.globs),
    environments: [...new Set(events.map(({ environment }) => literalGlob(environment)))].slice(0, limits.globs),
    limit: limits.pageSizeMax,
  };
  const range = { from: oldest.happened_at, to: momentAfter(newest.happened_at) };
  const pages = pagesOf(
    (from) => client.listChanges({ query: { ...scope, ...('cursor' in from ? from : range) }, signal }),
    pagesMax,
  );
  for await (const page of pages) {
    for (const change of [...page.ahead, ...changesIn(page)]) {
      if (change.deployment_id === deployment) found.set(deploymentKey(change), change);
    }
    if (found.size === places.size) break;
  }
  return [...found.values()];
}
