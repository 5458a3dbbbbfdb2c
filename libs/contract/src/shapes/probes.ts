import { Type } from 'typebox';
import { channels } from '../streams.ts';
import { contractVersion, productVersion } from '../version.ts';

export const Liveness = Type.Object({ status: Type.Literal('ok') });

/** The readiness checks: the database, the listener, and each notification channel (§4 Ops, reading 8.2). */
export const readinessChecks = ['db', 'listen', ...channels] as const;
export type ReadinessCheck = (typeof readinessChecks)[number];

const ok = Type.Literal('ok');

/** The tables behind the figures while they are built (reading 8.11). */
const Preparation = Type.Object(
  {
    events: Type.Integer({ description: 'The number of events that they already include.', examples: [1_200_000] }),
    total: Type.Integer({ description: 'The approximate number of events in the log.', examples: [3_400_000] }),
  },
  {
    description:
      'Present only while the tables behind analytics, releases, differences, changes, quality and board facts are being built. Until then, these calls return 503.',
  },
);

export const Readiness = Type.Object({
  status: Type.Literal('ready'),
  checks: Type.Object(
    Object.fromEntries(readinessChecks.map((check) => [check, ok])) as Record<ReadinessCheck, typeof ok>,
  ),
  preparing: Type.Optional(Preparation),
});

/** The running versions (reading 8.6). */
export const Version = Type.Object({
  version: Type.String({ examples: [productVersion] }),
  contract: Type.String({ description: 'The version of the machine-readable contract.', examples: [contractVersion] }),
});
