import { compileValidator } from '@shiplog/server';
import { type Static, type TSchema, Type } from 'typebox';

/** A response whose shape differs from the tool's documentation; `ToolHttp` converts it to a `ToolAway`. */
export class ShapeFault extends Error {}

export type Reader<Body> = (body: unknown) => Body;

/** Checks a value; members that the shape doesn't name are allowed. `name` describes the value in the error message. */
export function reader<Shape extends TSchema>(name: string, shape: Shape): Reader<Static<Shape>> {
  const errorsOf = compileValidator(shape);
  return (body) => {
    const [error] = errorsOf(body);
    if (error) throw new ShapeFault(`${name}: ${error.pointer} ${error.message}`.replace('  ', ' '));
    return body as Static<Shape>;
  };
}

/** Reads a list item by item and stops at the first bad item, so that millions of bad items take no extra time. */
export function listReader<Item>(name: string, read: Reader<Item>): Reader<Item[]> {
  const readList = reader(name, Type.Array(Type.Unknown()));
  return (body) => readList(body).map((item) => read(item));
}

/** An id or a count that a number can represent exactly. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Instant = Type.String({ format: 'date-time' });
/** A member that may be missing or have any value. */
export const Anything = Type.Optional(Type.Unknown());

/** A member that may be missing or null. */
export function absentOr<Shape extends TSchema>(shape: Shape) {
  return Type.Optional(Type.Union([shape, Type.Null()]));
}

/** For details that mustn't make a response invalid. Anything but text counts as empty. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
