import type { OutageRequest } from '@shiplog/contract';
import type { Issue } from '../adapter.ts';
import type { IssueSettings } from '../config/issues.ts';
import { outageRow } from './outage-row.ts';

/** The row about the outage that an issue represents; `undefined` if it neither has the label nor lost it. */
export function outageOfIssue(
  source: string,
  issue: Issue,
  { label, services, environments }: IssueSettings,
): OutageRequest | undefined {
  const { repository, number, isOpen, openedAt, changedAt, title, url } = issue;
  const isLabel = (name: string) => name.toLowerCase() === label.toLowerCase();
  const isMarked = issue.labels.some(isLabel);
  if (!isMarked && !issue.unlabeled.some(isLabel)) return undefined;
  const vars: Readonly<Record<string, string>> = { repo: repository, repo_name: repository.split('/').at(-1) ?? '' };
  return outageRow(source, {
    id: `${repository}#${number}`,
    state: !isMarked ? 'dismissed' : isOpen ? 'opened' : 'resolved',
    at: isMarked && isOpen ? openedAt : changedAt,
    services: services.map((template) => template.fill((name) => vars[name])),
    environments,
    title,
    url,
  });
}
