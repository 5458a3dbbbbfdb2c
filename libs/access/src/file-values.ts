import type { ConfigNode } from '@shiplog/component/yaml-file';
import { limits, momentFault, parseMoment, patterns, type SlotGrant } from '@shiplog/contract';

export function isPresent(node: ConfigNode | undefined): node is ConfigNode {
  return node !== undefined;
}

/** `on` means `true`, and `off` means `false`. */
export function onOff(node: ConfigNode): boolean | undefined {
  const { value } = node;
  if (value === true || value === 'on') return true;
  if (value === false || value === 'off') return false;
  node.refuse('must be on or off');
  return undefined;
}

const isGlob = new RegExp(patterns.glob, 'u');

/** A list of globs that isn't empty. */
export function globsIn(node: ConfigNode): string[] {
  const items = node.items();
  if (node.isList && items.length === 0) node.refuse('is empty; remove it, or add an item');
  return items.flatMap((item) => {
    const glob = item.text();
    if (glob === undefined) return [];
    if ([...glob].length > limits.globLength) item.refuse(`must have at most ${limits.globLength} characters`);
    if (!isGlob.test(glob)) item.refuse('must not end in a bare backslash');
    return glob;
  });
}

/** Globs of services and environments; both are required. */
export function slotGrantIn(node: ConfigNode): SlotGrant | null {
  const members = node.members(['services', 'environments']);
  if (!members) return null;
  return {
    services: listOf(node, 'services', members.services),
    environments: listOf(node, 'environments', members.environments),
  };
}

export function listOf(parent: ConfigNode, name: string, node: ConfigNode | undefined): string[] {
  if (!node) parent.refuse(`needs "${name}"`);
  return node ? globsIn(node) : [];
}

/** A date (its midnight in UTC) or an instant, in milliseconds since 1970. */
export function instantIn(node: ConfigNode): number | undefined {
  const text = node.text();
  if (text === undefined) return undefined;
  const instant = parseMoment(text);
  if (instant === undefined) node.refuse(momentFault(text) ?? 'must be a date or an instant');
  return instant === undefined ? undefined : Date.parse(instant);
}
