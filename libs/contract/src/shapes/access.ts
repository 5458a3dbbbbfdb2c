import { type Static, Type } from 'typebox';
import { dateTime, nullable, uuid } from './text.ts';

const globList = Type.Array(Type.String(), { description: 'Globs.' });

/** Where a credential may post or hold (access.md 1.2). Rules of a pipeline may have `own` and `claimed`. */
const SlotGrant = Type.Object({
  services: Type.Union([Type.Enum(['own']), globList], {
    description: "Globs of services, or `own`: the services whose repository in the catalog is the token's.",
  }),
  environments: Type.Union([Type.Enum(['claimed']), globList], {
    description: "Globs of environments, or `claimed`: the token's environment.",
  }),
});
export type SlotGrant = Static<typeof SlotGrant>;

/** What a credential may do (access.md 9.7). */
export const May = Type.Object({
  post: nullable(SlotGrant, { description: 'The slots for which it may post events.' }),
  hold: nullable(SlotGrant, { description: 'The slots for which it may set holds.' }),
  report: Type.Array(Type.String(), { description: 'Globs of the component ids that it may report as.' }),
  state: Type.Array(Type.String(), { description: 'Globs of the adapters whose cursor it may read and store.' }),
  outage: Type.Boolean({ description: 'Whether it may report outages.' }),
  read: Type.Boolean({ description: 'Whether it may read where `READERS` is not `open`.' }),
  control: Type.Boolean({ description: 'Whether it is accepted in `X-Control-API-Key`.' }),
});
export type May = Static<typeof May>;

export const credentialKinds = ['shared', 'key', 'token', 'reader'] as const;
export type CredentialKind = (typeof credentialKinds)[number];
const CredentialKindShape = Type.Enum([...credentialKinds], {
  description:
    'The shared key, a named key, the identity token of a CI job, or a person who signed in or came through a proxy.',
});

/** Who sends a request (access.md 2.4, 9.8). */
export const AccessSelf = Type.Object({
  kind: CredentialKindShape,
  id: nullable(Type.String(), { description: 'The id of the key, repository or person; `null` for the shared key.' }),
  name: nullable(Type.String(), { description: 'The name of the key, repository or person.' }),
  may: May,
  expires: nullable(dateTime(), { description: 'When the credential expires.' }),
});
export type AccessSelf = Static<typeof AccessSelf>;

/** Additional members of a 401 or 403 (access.md 3.8, 9.6). */
export const Refusal = {
  credential: Type.Optional(
    Type.Object({
      kind: CredentialKindShape,
      id: nullable(Type.String()),
      name: nullable(Type.String()),
    }),
  ),
  may: Type.Optional(May),
  asked: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'What the request asked for: `service` and `environment`, `component`, `adapter`, `outage`, `read` or `control`.',
      },
    ),
  ),
  reason: Type.Optional(Type.String({ description: 'Why a token was refused.', examples: ['audience'] })),
  claims: Type.Optional(Type.Object({}, { additionalProperties: true, description: "The token's claims, as sent." })),
  tried: Type.Optional(
    Type.Array(
      Type.Object({
        rule: Type.Integer({ description: 'The number of the rule in the access file, from 1.' }),
        claim: nullable(Type.String(), {
          description: 'The first claim that differs; `null` for the rule that matched.',
        }),
        expected: nullable(Type.Array(Type.String())),
        found: nullable(Type.String()),
      }),
      { description: "Each rule of the token's issuer with its first claim that differs." },
    ),
  ),
};

const maybeText = (description?: string) => nullable(Type.String(), description === undefined ? {} : { description });

export const proofKinds = ['token', 'key', 'shared', 'unknown'] as const;

/** The part of a token that is kept with an event (access.md 9.17). */
export const ProvenToken = Type.Object({
  issuer: Type.String({ examples: ['https://token.actions.githubusercontent.com'] }),
  kind: Type.Enum(['github', 'gitlab', 'generic']),
  repository: maybeText(),
  repository_id: maybeText(),
  environment: maybeText(),
  ref: maybeText(),
  sha: maybeText(),
  run_url: maybeText(),
  workflow: maybeText(),
  actor: maybeText(),
  runner: maybeText(),
});
export type ProvenToken = Static<typeof ProvenToken>;

export const ComparedClaim = Type.Object({
  field: Type.Enum(['sha', 'environment', 'run_url', 'actor']),
  event: Type.String(),
  proven: Type.String(),
  agrees: Type.Boolean(),
});
export type ComparedClaim = Static<typeof ComparedClaim>;

/** Who posted an event (access.md 4.1). */
export const Proof = Type.Object({
  kind: Type.Enum([...proofKinds], {
    description: 'How the poster was identified; `unknown` for events that an earlier version stored.',
  }),
  key: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  token: nullable(ProvenToken),
  verified_at: nullable(dateTime()),
  claims: Type.Array(ComparedClaim, {
    description: 'The fields that both the event and the token have. `agrees` says whether they agree.',
  }),
});
export type Proof = Static<typeof Proof>;

export const actKinds = [
  'file-changed',
  'key-first-used',
  'rule-first-used',
  'pin-made',
  'pin-refused',
  'pin-forgotten',
  'refused',
  'sign-in-refused',
  'reset',
] as const;
export type ActKind = (typeof actKinds)[number];
export const ActKindShape = Type.Enum([...actKinds]);

/** A change to access, or a refusal (access.md 6, 9.27). */
const AccessAct = Type.Object({
  id: uuid(),
  at: dateTime(),
  kind: ActKindShape,
  subject: maybeText('A key id, `<issuer>/<repository>`, or a person; `null` if it is none of these.'),
  reason: maybeText(),
  count: Type.Integer({ description: 'How often it happened in this minute.' }),
  detail: nullable(Type.Object({}, { additionalProperties: true })),
});
export type AccessAct = Static<typeof AccessAct>;

/** Latest act first. */
export const AccessActPage = Type.Object({
  items: Type.Array(AccessAct),
  next_cursor: nullable(Type.String()),
});
export type AccessActPage = Static<typeof AccessActPage>;

export const pinKinds = ['repository', 'owner'] as const;

/** The id behind a name, from the first token that a rule accepted (access.md 3.7, 9.16). */
const AccessPin = Type.Object({
  issuer: Type.String({ description: "The issuer's name in the access file." }),
  kind: Type.Enum([...pinKinds]),
  name: Type.String({ examples: ['acme/payments'] }),
  id: Type.String({ examples: ['9919'] }),
  at: dateTime(),
});
export type AccessPin = Static<typeof AccessPin>;

export const AccessPinPage = Type.Object({
  items: Type.Array(AccessPin),
  next_cursor: nullable(Type.String()),
});
