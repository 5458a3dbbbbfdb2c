import { type ConfigNode, compilePatterns, type Patterns } from '@shiplog/component';
import { type Status, statuses } from '@shiplog/contract';
import { type Rule, type When, whens } from '../domain/rule.ts';

/** A rule with its patterns compiled; mistakes are noted at their position. */
export function readRule(node: ConfigNode): Rule {
  const { match, when } = node.members(['match', 'when']) ?? {};
  const members = match?.members(['services', 'environments', 'teams', 'statuses']) ?? {};
  const services = members.services && readPatterns(members.services);
  const environments = members.environments && readPatterns(members.environments);
  const teams = members.teams && readPatterns(members.teams);
  const named = members.statuses && readWords<Status>(members.statuses, statuses);
  return {
    ...(services && { services }),
    ...(environments && { environments }),
    ...(teams && { teams }),
    ...(named && { statuses: named }),
    when: when ? readWords<When>(when, whens) : ['every'],
  };
}

function readPatterns(node: ConfigNode): Patterns | undefined {
  const texts = node.texts();
  return texts.length > 0 || node.isList ? node.judge(() => compilePatterns(texts)) : undefined;
}

function readWords<Word extends string>(node: ConfigNode, words: readonly Word[]): Word[] {
  const items = node.isList ? node.items() : [node];
  if (items.length === 0) node.refuse(`is empty; name one of ${words.join(', ')}`);
  return items.flatMap((item) => {
    const found = words.find((word) => word === item.value);
    if (found === undefined) item.refuse(`must be one of ${words.join(', ')}`);
    return found ?? [];
  });
}
