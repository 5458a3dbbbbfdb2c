import { dateTime } from '@shiplog/contract';
import { type TSchema, Type } from 'typebox';

export const closed = { additionalProperties: false } as const;
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const orNull = <Shape extends TSchema>(shape: Shape, description: string) =>
  Type.Union([shape, Type.Null()], { description });
export const timeOrNull = (description: string) => orNull(dateTime(), description);
