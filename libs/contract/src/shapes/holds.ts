import { type Static, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { dateTime, nullable, orNull, text, uuid } from './text.ts';

export const holdKinds = ['freeze', 'lock', 'bad'] as const;
export type HoldKind = (typeof holdKinds)[number];
export const HoldKindShape = Type.Enum([...holdKinds], {
  examples: ['bad'],
  description: 'A freeze of deployments, a lock of places for one person, or a version that must not be deployed.',
});

const globList = (what: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: limits.globLength, pattern: patterns.storableGlob }), {
    minItems: 1,
    maxItems: limits.globs,
    description: `Globs of ${what}.`,
    examples: [[example]],
  });

const reason = text(1, limits.holdReason, { description: 'Why.', examples: ['Christmas'] });
const by = orNull(
  text(1, limits.holdBy, {
    description: 'Who. Only used with the shared key; other credentials supply their own name.',
    examples: ['Ines'],
  }),
);

/** A hold as posted (holds.md 6.3). */
export const HoldRequest = Type.Object(
  {
    kind: HoldKindShape,
    services: globList('services', 'payments-*'),
    environments: globList('environments', 'prod'),
    version: orNull(
      text(1, limits.holdVersion, {
        description: 'A version or a sha. Required for `bad`, and refused for other kinds.',
        examples: ['1.4.2'],
      }),
    ),
    from: orNull(dateTime({ description: 'When it begins. Defaults to now.', examples: ['2026-12-20T00:00:00Z'] })),
    until: orNull(
      dateTime({
        description: 'When it ends (exclusive). Only `bad` may have no end.',
        examples: ['2027-01-04T00:00:00Z'],
      }),
    ),
    reason,
    url: orNull(
      Type.String({
        format: 'uri',
        maxLength: limits.holdUrl,
        pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
        examples: ['https://wiki.example.com/freeze'],
      }),
    ),
    by,
    source: orNull(Type.String({ pattern: '^[a-z0-9-]{1,64}$' })),
    source_id: orNull(text(1, limits.holdSourceId)),
  },
  { additionalProperties: false },
);
export type HoldRequest = Static<typeof HoldRequest>;

/** The body of a release; it may be missing. */
export const ReleaseRequest = Type.Object({ reason: orNull(reason), by }, { additionalProperties: false });

export const ExceptionRequest = Type.Object(
  {
    services: globList('services', 'payments-*'),
    until: dateTime({ description: 'When the exception ends (exclusive).', examples: ['2026-12-24T00:00:00Z'] }),
    reason,
    by,
  },
  { additionalProperties: false },
);

export type ExceptionRequest = Static<typeof ExceptionRequest>;

const textOrNull = nullable(Type.String());

/** What holds deployments back, or marks a version as bad (holds.md 1.2). */
export const Hold = Type.Object({
  id: uuid(),
  kind: HoldKindShape,
  services: Type.Array(Type.String()),
  environments: Type.Array(Type.String()),
  version: textOrNull,
  from: dateTime(),
  until: nullable(dateTime()),
  reason: Type.String(),
  url: textOrNull,
  by: textOrNull,
  source: textOrNull,
  source_id: textOrNull,
  created_at: dateTime(),
  released: nullable(Type.Object({ at: dateTime(), by: textOrNull, reason: textOrNull })),
  exceptions: Type.Array(
    Type.Object({
      id: uuid(),
      services: Type.Array(Type.String()),
      until: dateTime(),
      reason: Type.String(),
      by: textOrNull,
      created_at: dateTime(),
    }),
  ),
});
export type Hold = Static<typeof Hold>;

export const HoldPage = Type.Object({ items: Type.Array(Hold), next_cursor: nullable(Type.String()) });

/** A deployment that began during a hold of its place (holds.md 2.2). */
export const Breach = Type.Object({
  hold_id: uuid(),
  kind: HoldKindShape,
  service: Type.String(),
  environment: Type.String(),
  deployment_id: Type.String(),
  event_id: uuid({ description: 'The event that began the deployment.' }),
  at: dateTime(),
});
export type Breach = Static<typeof Breach>;

export const BreachPage = Type.Object({ items: Type.Array(Breach), next_cursor: nullable(Type.String()) });

/** The service reports changes of holds with this component event. The payload is `{ hold_id }` (holds.md 2.3). */
export const holdReport = { componentId: 'shiplog', eventType: 'hold-changed', state: 'running' } as const;
