import { nullable } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { ciTools, emulatorLimits } from './emulator.ts';
import { closed, timeOrNull } from './schema.ts';

const milliseconds = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));
const flag = Type.Optional(Type.Literal(true));

/** Exactly one member, except that `status` may be combined with `body` and `headers` (CI emulator §7). */
export const CiFaultEffect = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    body: Type.Optional(Type.String()),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ pattern: '^[\\x20-\\x7e]*$' })),
    ),
    delay_ms: milliseconds(emulatorLimits.delayMsMax),
    drip_ms: milliseconds(emulatorLimits.delayMsMax),
    cut: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    hang: flag,
    garbage: flag,
    exhausted: flag,
    secondary: Type.Optional(
      Type.Unsafe<number | 'bare'>({
        anyOf: [{ type: 'integer', minimum: 1, maximum: 3600 }, { const: 'bare' }],
        description: 'The number of seconds in `Retry-After`. `bare` sends no such header.',
      }),
    ),
    no_rate_headers: flag,
    bare_429: flag,
    no_etag: flag,
    lag_ms: milliseconds(emulatorLimits.pauseMsMax),
    shuffle: flag,
    skew_ms: Type.Optional(Type.Integer({ minimum: -emulatorLimits.pauseMsMax, maximum: emulatorLimits.pauseMsMax })),
  },
  closed,
);
export type CiFaultEffect = Static<typeof CiFaultEffect>;

export const CiFaultMatch = Type.Object(
  {
    tool: Type.Optional(Type.Enum([...ciTools])),
    method: Type.Optional(Type.String()),
    path: Type.Optional(
      Type.String({
        description: 'A glob. `*` matches any characters except a slash, and `**` matches any characters.',
        examples: ['/repos/*/*/deployments'],
      }),
    ),
    nth: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'The rule applies to the nth matching request and later ones.',
      }),
    ),
  },
  closed,
);
export type CiFaultMatch = Static<typeof CiFaultMatch>;

/** Faults by name, for the panel and for manual calls. */
export const ciFaultPresets = {
  outage: { effect: { status: 503 }, for_ms: 60_000 },
  slow: { effect: { delay_ms: 3000 }, for_ms: 60_000 },
  exhausted: { effect: { exhausted: true }, times: 1 },
  secondary: { effect: { secondary: 60 }, times: 1 },
  flaky: { effect: { status: 502 }, probability: 0.1, for_ms: 3_600_000 },
} as const satisfies Record<string, CiFaultRequest>;

export const CiFaultRequest = Type.Object(
  {
    preset: Type.Optional(
      Type.Enum(['outage', 'slow', 'exhausted', 'secondary', 'flaky'], {
        description: 'The name of a fault. Use this instead of `effect`.',
      }),
    ),
    match: Type.Optional(CiFaultMatch),
    effect: Type.Optional(CiFaultEffect),
    times: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'How many times the rule applies. Defaults to 1, or to unlimited with `for_ms`.',
      }),
    ),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    for_ms: milliseconds(86_400_000),
  },
  closed,
);
export type CiFaultRequest = Static<typeof CiFaultRequest>;

export const CiFault = Type.Object({
  id: Type.String(),
  match: CiFaultMatch,
  effect: CiFaultEffect,
  times: nullable(Type.Integer(), { description: 'How many times the rule applies. Null means unlimited.' }),
  probability: Type.Number(),
  until: timeOrNull('Time at which the rule ends.'),
  used: Type.Integer({ minimum: 0, description: 'How many times the rule has applied so far.' }),
});
export type CiFault = Static<typeof CiFault>;
export const CiFaults = Type.Object({ items: Type.Array(CiFault) });
