import type { DeploymentEvent, EnvironmentsDiff } from '@shiplog/contract';
import { markdownCode, markdownText, pluralize, releaseName } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { refuseEmptySide } from '../log/known-names.ts';
import { isStage, refuseUnknownStages } from '../log/stages.ts';
import { instantOf } from '../time-options.ts';
import { show } from './listing.ts';
import { scopeQuery } from './query-options.ts';

type Item = EnvironmentsDiff['items'][number];

/** `shiplog diff <from> <to>` (command.md 4). */
export async function showDiff({ args: [from = '', to = ''], options }: Given, context: Context): Promise<number> {
  if (from === '' || to === '') throw usageFailure('Give two environments or stages.');
  const { at, markdown, all } = options as { at?: string; markdown?: boolean; all?: boolean };
  const { out, signal, clock } = context;
  if (markdown && out.isJson) throw usageFailure('Give --markdown or --json, not both.');
  const query = { from, to, ...scopeQuery(options), at: instantOf('--at', at, clock.now()) };
  const client = await context.client();
  await refuseUnknownStages(client, [from, to], signal);
  const { body } = await client.diffEnvironments({ query, signal });
  await refuseEmptySide(client, { ...body, from, to }, { services: query.services, signal });
  const items = body.items.filter(({ relation }) => all || relation !== 'same');
  if (out.isJson) out.json(body);
  else if (markdown) for (const line of markdownLines(body, items)) out.line(line);
  else {
    show(out, {
      head: ['service', from, to, 'relation', 'behind', 'since', ...([from, to].some(isStage) ? ['mixed'] : [])],
      rows: items.map((item) => [
        item.service,
        named(item.from),
        named(item.to),
        item.relation,
        item.behind === null ? '' : String(item.behind),
        item.since ?? '',
        ...(item.mixed === undefined ? [] : [mixedText(item)]),
      ]),
      styleOf: (text, column) => (column === 3 && text !== 'same' ? 'yellow' : undefined),
    });
    out.note(summaryOf(body));
  }
  return exitCodes.done;
}

/** What each environment of a stage with several releases runs. */
function mixedText({ mixed }: Item): string {
  return mixed?.map(({ environment, ...release }) => `${environment} ${releaseName(release)}`).join(' · ') ?? '';
}

function named(event: DeploymentEvent | null): string {
  return event === null ? '' : releaseName(event) || event.deployment_id;
}

function summaryOf({ from, to, counts }: EnvironmentsDiff): string {
  const parts = Object.entries(counts).flatMap(([relation, count]) => (count > 0 ? [`${count} ${relation}`] : []));
  return parts.length === 0
    ? `Neither ${from} nor ${to} has a successful deployment.`
    : `${from} to ${to}: ${parts.join(', ')}.`;
}

/** The changes that a promotion would bring to the second environment, as release notes. */
function markdownLines({ from, to }: EnvironmentsDiff, items: readonly Item[]): string[] {
  const code = (event: DeploymentEvent | null) => (event === null ? 'not deployed' : markdownCode(named(event)));
  const line = (item: Item) => {
    const { service, from, to, behind, relation } = item;
    const steps = behind === null ? relation : pluralize(behind, 'release');
    const unlike = item.mixed ? `; different releases: ${markdownText(mixedText(item))}` : '';
    return `- **${markdownText(service)}** ${code(to)} → ${code(from)} (${steps}${unlike})`;
  };
  const heading = `## ${markdownText(from)} → ${markdownText(to)}`;
  return [heading, '', ...(items.length === 0 ? ['No differences.'] : items.map(line))];
}
