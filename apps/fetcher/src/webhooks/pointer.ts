import type { Json } from '../change.ts';

/**
 * Looks up a JSON Pointer (RFC 6901); `undefined` if nothing is there. Only own members count, so `/__proto__` and
 * `/constructor` are names like any other.
 */
export function pointerValue(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null) return undefined;
    if (Array.isArray(found) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    found = Object.hasOwn(found, name) ? (found as Readonly<Record<string, Json>>)[name] : undefined;
  }
  return found;
}
