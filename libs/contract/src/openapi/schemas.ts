import type { TSchema } from 'typebox';
import * as analyticsShapes from '../shapes/analytics.ts';
import * as controlShapes from '../shapes/control.ts';
import * as deploymentShapes from '../shapes/deployment.ts';
import * as evidenceShapes from '../shapes/evidence.ts';
import * as fetcherShapes from '../shapes/fetcher.ts';
import * as matrixShapes from '../shapes/matrix.ts';
import * as probeShapes from '../shapes/probes.ts';
import * as problemShapes from '../shapes/problem.ts';
import { StatusShape } from '../shapes/text.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** A module or other object whose capitalized members are shapes. */
export type ShapeModule = Readonly<Record<string, unknown>>;

const coreShapes: readonly ShapeModule[] = [
  ...[analyticsShapes, controlShapes, deploymentShapes, evidenceShapes],
  ...[fetcherShapes, matrixShapes, probeShapes, problemShapes, { StatusShape }],
];

/** Enumerations by their list of values, because an optional schema is a different object with the same list. */
const namedLists = new Map<unknown, string>([
  [StatusShape.enum, 'Status'],
  [controlShapes.ComponentStateShape.enum, 'ComponentState'],
  [controlShapes.ResetStateShape.enum, 'ResetState'],
]);

export class Schemas {
  readonly #named: ReadonlyMap<TSchema, string>;

  constructor(modules: readonly ShapeModule[]) {
    this.#named = new Map(
      [...coreShapes, ...modules]
        .flatMap((module) => Object.entries(module))
        .filter((entry): entry is [string, TSchema] => /^[A-Z]/.test(entry[0]) && isShape(entry[1]))
        .map(([name, shape]) => [shape, name.replace(/Shape$/, '')]),
    );
  }

  /** A schema as plain JSON in which references replace all named shapes except `root` itself. */
  json(schema: unknown, root?: unknown): Json {
    if (Array.isArray(schema)) return schema.map((item) => this.json(item));
    if (typeof schema !== 'object' || schema === null) return schema as Json;
    const name = schema === root ? undefined : this.#nameOf(schema);
    if (name) return { $ref: `#/components/schemas/${name}` };
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.json(value)]));
  }

  /** The named shapes that a JSON text references directly or through other shapes. */
  referencedBy(text: string): JsonObject {
    const found = new Map<string, Json>();
    const add = (part: string) => {
      for (const [, name] of part.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (name === undefined || found.has(name)) continue;
        const [shape] = [...this.#named].find(([, candidate]) => candidate === name) ?? [];
        if (shape === undefined) continue;
        const json = this.json(shape, shape);
        found.set(name, json);
        add(JSON.stringify(json));
      }
    };
    add(text);
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #nameOf(schema: object): string | undefined {
    return namedLists.get((schema as { enum?: unknown }).enum) ?? this.#named.get(schema as TSchema);
  }
}

function isShape(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && ('type' in value || 'enum' in value || 'anyOf' in value);
}
