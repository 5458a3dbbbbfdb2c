import { type ConfigNode, compileTemplate, type Template, textThat } from '@shiplog/component';

/** Which issues are outages, and of what (outages.md 4). */
export interface IssueSettings {
  readonly label: string;
  readonly services: readonly Template[];
  readonly environments: readonly string[];
}

const issueNames = {
  isName: (name: string) => name === 'repo' || name === 'repo_name',
  known: 'repo and repo_name',
};

export function readIssues(node: ConfigNode): IssueSettings | undefined {
  const members = node.members(['label', 'services', 'environments']);
  if (!members) return undefined;
  if (!members.label) node.refuse('needs label, which marks the issues that are outages');
  const label = textThat(members.label, (text) => text.trim() !== '', 'must be the name of a label');
  const services = members.services ? templatesIn(members.services) : [compileTemplate('{repo_name}', issueNames)];
  const environments = members.environments?.texts() ?? [];
  return label === undefined ? undefined : { label, services, environments };
}

function templatesIn(node: ConfigNode): Template[] {
  return (node.isList ? node.items() : [node]).flatMap((at) => {
    const text = at.text();
    const template = text === undefined ? undefined : at.judge(() => compileTemplate(text, issueNames));
    return template ?? [];
  });
}
