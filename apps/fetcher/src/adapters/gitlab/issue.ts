import { parseInstant } from '@shiplog/contract';
import { Type } from 'typebox';
import type { Delivery, Issue } from '../../adapter.ts';
import { Anything, absentOr, Count, reader } from '../../tool/shape.ts';
import { hookInstant } from './hook.ts';

const Labels = Type.Array(Type.Object({ title: Type.String() }));

const readKind = reader('delivery', Type.Object({ object_kind: Anything }));
const readBody = reader(
  'issue',
  Type.Object({
    project: Type.Object({ path_with_namespace: Type.String() }),
    labels: absentOr(Labels),
    changes: absentOr(Type.Object({ labels: absentOr(Type.Object({ previous: absentOr(Labels) })) })),
    object_attributes: Type.Object({
      iid: Count,
      title: Type.String(),
      url: Type.String(),
      state: Type.String(),
      action: absentOr(Type.String()),
      confidential: absentOr(Type.Boolean()),
      created_at: Type.String(),
      updated_at: Type.String(),
      closed_at: absentOr(Type.String()),
    }),
  }),
);

/** The issue in a delivery; `undefined` for other events. @throws ShapeFault */
export function readIssue({ body }: Delivery): Issue | undefined {
  const { object_kind: kind } = readKind(body);
  if (kind !== 'issue' && kind !== 'work_item') return undefined;
  const { project, labels, changes, object_attributes: issue } = readBody(body);
  const current = titles(labels);
  const added = changes?.labels ? current.filter((title) => !titles(changes.labels?.previous).includes(title)) : [];
  const changedAt = utc((issue.action === 'close' && issue.closed_at) || issue.updated_at);
  const isReopened = issue.action === 'reopen' || (issue.action === 'update' && added.length > 0);
  return {
    repository: project.path_with_namespace,
    number: issue.iid,
    // Not everyone who reads the log may see the title of a confidential issue.
    title: issue.confidential ? '' : issue.title,
    url: issue.url,
    labels: current,
    unlabeled: titles(changes?.labels?.previous).filter((title) => !current.includes(title)),
    isOpen: issue.state === 'opened',
    openedAt: isReopened ? changedAt : utc(issue.created_at),
    changedAt,
  };
}

function titles(labels: readonly { readonly title: string }[] | null | undefined): string[] {
  return (labels ?? []).map(({ title }) => title);
}

function utc(text: string): string {
  return parseInstant(hookInstant(text)) ?? text;
}
