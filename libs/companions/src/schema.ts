import { dateTime, nullable } from '@shiplog/contract';
import { Type } from 'typebox';

export const closed = { additionalProperties: false } as const;
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const timeOrNull = (description: string) => nullable(dateTime(), { description });
