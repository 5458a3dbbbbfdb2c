import { versionOf } from '@shiplog/text';
import { type Ownership, teamOf } from '../board/ownership.ts';
import { compareUrl } from '../board/repository.ts';
import { csvOf } from '../ui/csv.ts';
import { type Change, changeWords } from './changes.ts';
import { escaped, minute, version } from './markdown.ts';
import { teamGroups } from './team-groups.ts';

export interface ChangesReport {
  readonly changes: readonly Change[];
  readonly ownership: Ownership;
  /** The earlier time (RFC 3339). */
  readonly earlier: string;
  readonly at: string;
}

/** The changes as Markdown, by team, newest first. */
export function changesText({ changes, ownership, earlier, at }: ChangesReport): string {
  const changed = changes.filter(({ kind }) => kind !== 'same');
  const teams = teamGroups(changed, () => true, ownership);
  const sections = teams.map(({ team, shown }) => {
    const lines = shown.map((change) => line(change, ownership));
    const heading = team ?? (teams.length > 1 ? 'No team' : undefined);
    return (heading === undefined ? lines : [`## ${escaped(heading)}`, ...lines]).join('\n');
  });
  const title = `# Changes from ${minute(earlier)} to ${minute(at)}`;
  const nothing = changed.length === 0 ? ['Nothing changed.'] : [];
  return [
    title,
    ...sections,
    ...nothing,
    `**Unchanged:** ${changes.length - changed.length} of ${changes.length}`,
  ].join('\n\n');
}

function line(change: Change, ownership: Ownership): string {
  const { service, environment, newest } = change;
  const by = newest?.actor ? ` by ${escaped(newest.actor)}` : '';
  const when = newest ? `, ${minute(newest.happened_at)}${by}` : '';
  return `- ${escaped(service)} in ${escaped(environment)}: ${stepOf(change, ownership)}${when}`;
}

function stepOf({ service, before, after, attempt, kind }: Change, ownership: Ownership): string {
  const tried = attempt ? `${version(attempt)} ${attempt.status === 'failure' ? 'failed' : 'arriving'}` : '';
  if (!after) return tried;
  if (kind === 'failed' || kind === 'arriving') return `${tried}, last success ${version(after)}`;
  const arrow = before ? `${version(before)} → ${version(after)}` : `new: ${version(after)}`;
  const url = before && kind === 'replaced' && compareUrl(ownership.items.get(service)?.repository, before, after);
  const step = kind === 'again' ? `${version(after)} again` : arrow;
  return [url ? `[${step}](${url})` : step, tried && `then ${tried}`].filter(Boolean).join(', ');
}

/** The changes as CSV, including unchanged slots. */
export function changesCsv({ changes, ownership }: ChangesReport): string {
  const head = ['team', 'service', 'environment', 'then', 'now', 'change', 'attempt', 'at', 'actor'];
  return csvOf(
    head,
    changes.map(({ service, environment, kind, before, after, attempt, newest }) => [
      teamOf(ownership, service) ?? null,
      service,
      environment,
      before ? versionOf(before) : null,
      after ? versionOf(after) : null,
      changeWords[kind],
      attempt ? `${versionOf(attempt)} ${attempt.status}` : null,
      newest?.happened_at ?? null,
      newest?.actor || null,
    ]),
  );
}
