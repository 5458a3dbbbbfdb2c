import { compileValidator } from '@shiplog/server';
import { type Static, type TSchema, Type } from 'typebox';

/** An answer of another shape than the tool documents; `ToolHttp` makes it a `ToolAway`. */
export class ShapeFault extends Error {}

export type Reader<Body> = (body: unknown) => Body;

/** Checks a value; members that the shape doesn't name are allowed. The error names what `name` calls the value. */
export function reader<Shape extends TSchema>(name: string, shape: Shape): Reader<Static<Shape>> {
  const errorsOf = compileValidator(shape);
  return (body) => {
    const [error] = errorsOf(body);
    if (error) throw new ShapeFault(`${name}: ${error.pointer} ${error.message}`.replace('  ', ' '));
    return body as Static<Shape>;
  };
}

/** Reads a list item by item, so that millions of bad items cost no more than the first. */
export function listReader<Item>(name: string, read: Reader<Item>): Reader<Item[]> {
  const readList = reader(name, Type.Array(Type.Unknown()));
  return (body) => readList(body).map((item) => read(item));
}

/** An id or a count, no greater than a number holds exactly. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Instant = Type.String({ format: 'date-time' });
/** A member that may be missing or have any value. */
export const Anything = Type.Optional(Type.Unknown());

/** A member that may be missing or null. */
export function absentOr<Shape extends TSchema>(shape: Shape) {
  return Type.Optional(Type.Union([shape, Type.Null()]));
}

/** For details that mustn't fail an answer: anything but text counts as empty. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
