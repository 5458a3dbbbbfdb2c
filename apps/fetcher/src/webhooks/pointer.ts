import type { Json } from '../change.ts';

/**
 * What a JSON Pointer (RFC 6901) names in a value; `undefined` where nothing is there. Only own members count, so that
 * `/__proto__` and `/constructor` are names like others.
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
