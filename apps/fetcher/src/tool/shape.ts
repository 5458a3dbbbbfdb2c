import { parseInstant } from '@shiplog/contract';

/** Another shape than the tool's documentation tells: `ToolHttp` makes `ToolAway` of it. */
export class ShapeFault extends Error {}

export type Members = Readonly<Record<string, unknown>>;

/** @throws ShapeFault where it is no object */
export function membersOf(value: unknown, what: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new ShapeFault(`the ${what} is no object`);
}

/** `undefined` where it is missing or null. @throws ShapeFault where it is no object otherwise */
export function membersIfAny(value: unknown, what: string): Members | undefined {
  return value === undefined || value === null ? undefined : membersOf(value, what);
}

/** @throws ShapeFault where it is no array */
export function itemsOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new ShapeFault(`the ${what} is no array`);
}

/** @throws ShapeFault where it is no text */
export function textOf(members: Members, name: string): string {
  const value = members[name];
  if (typeof value === 'string') return value;
  throw new ShapeFault(`the member ${name} is no text`);
}

/** Empty for everything but text. */
export function textIfAny(members: Members | undefined, name: string): string {
  const value = members?.[name];
  return typeof value === 'string' ? value : '';
}

/** An id or a count. @throws ShapeFault where it is no integer that a number holds exactly */
export function integerOf(members: Members, name: string): number {
  const value = members[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new ShapeFault(`the member ${name} is no whole number that can be told from its neighbours`);
}

/** RFC 3339 as it was written. @throws ShapeFault where it is none */
export function instantOf(members: Members, name: string): string {
  const text = textOf(members, name);
  if (parseInstant(text) !== undefined) return text;
  throw new ShapeFault(`the member ${name} is no instant`);
}

/** `undefined` where it is missing or null. @throws ShapeFault where it is no instant otherwise */
export function instantIfAny(members: Members, name: string): string | undefined {
  return members[name] === undefined || members[name] === null ? undefined : instantOf(members, name);
}
