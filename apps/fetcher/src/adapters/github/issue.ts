import { parseInstant } from '@shiplog/contract';
import { Type } from 'typebox';
import type { Delivery, Issue } from '../../adapter.ts';
import { absentOr, Count, Instant, reader } from '../../tool/shape.ts';

const Label = Type.Object({ name: Type.String() });

const readBody = reader(
  'issue',
  Type.Object({
    action: Type.String(),
    repository: Type.Object({ full_name: Type.String() }),
    label: absentOr(Label),
    issue: Type.Object({
      number: Count,
      title: Type.String(),
      html_url: Type.String(),
      state: Type.String(),
      labels: Type.Array(Label),
      created_at: Instant,
      updated_at: Instant,
      closed_at: absentOr(Instant),
    }),
  }),
);

/** After these actions the issue is gone. */
const endings = ['deleted', 'transferred'];
/** These actions reopen an existing issue or make it an outage. */
const laterOpenings = ['reopened', 'labeled'];

/** The issue in a delivery; `undefined` for other events. @throws ShapeFault */
export function readIssue({ headers, body }: Delivery): Issue | undefined {
  if (headers['x-github-event'] !== 'issues') return undefined;
  const { action, repository, label, issue } = readBody(body);
  const labels = issue.labels.map(({ name }) => name);
  const isGone = endings.includes(action);
  const changedAt = action === 'closed' ? (issue.closed_at ?? issue.updated_at) : issue.updated_at;
  return {
    repository: repository.full_name,
    number: issue.number,
    title: issue.title,
    url: issue.html_url,
    labels: isGone ? [] : labels,
    unlabeled: isGone ? labels : action === 'unlabeled' && label ? [label.name] : [],
    isOpen: issue.state === 'open',
    openedAt: inUtc(laterOpenings.includes(action) ? changedAt : issue.created_at),
    changedAt: inUtc(changedAt),
  };
}

function inUtc(instant: string): string {
  return parseInstant(instant) ?? instant;
}
