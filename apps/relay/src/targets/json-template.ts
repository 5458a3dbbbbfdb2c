import { type ConfigNode, compileTemplate, type Template, type TemplateNames } from '@shiplog/component';
import { type Variables, variableNames } from '../domain/variables.ts';

/** JSON whose strings are templates. Values are inserted after parsing, so that none can break the JSON (relay §9.2). */
export interface JsonTemplate {
  fill(variable: Variables): unknown;
}

const names: TemplateNames = {
  isName: (name) => variableNames.includes(name),
  known: `${variableNames.join(', ')}, and raw at the end`,
  optOut: 'raw',
};

export function readJsonTemplate(node: ConfigNode): JsonTemplate {
  if (node.isList) {
    const items = node.items().map(readJsonTemplate);
    return { fill: (variable) => items.map((item) => item.fill(variable)) };
  }
  if (node.isNames) {
    const members = node.entries().map(([name, member]) => [name, readJsonTemplate(member)] as const);
    return { fill: (variable) => Object.fromEntries(members.map(([name, item]) => [name, item.fill(variable)])) };
  }
  const { value } = node;
  if (typeof value !== 'string') return { fill: () => value ?? null };
  const template: Template | undefined = node.judge(() => compileTemplate(value, names));
  return { fill: (variable) => template?.fill(variable) };
}
