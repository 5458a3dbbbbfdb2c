import { nullable } from '@shiplog/contract';
import { type Static, Type } from 'typebox';
import { ciTools, issuerFaults, tokenLimits } from './emulator.ts';
import { closed } from './schema.ts';

const audience = Type.String({ minLength: 1, maxLength: 2048, examples: ['https://shiplog.example.com'] });
const repository = Type.Optional(
  Type.String({ description: '`owner/repo`, or the path of a project. Defaults to the first one of the tool.' }),
);
const environment = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The environment of the job. Defaults to that of the newest deployment of the run.',
  }),
);
const run = Type.Optional(
  Type.Integer({ minimum: 1, description: 'An Actions run or a pipeline. Defaults to the newest one.' }),
);
const claims = (description: string) => Type.Unsafe<Record<string, unknown>>({ type: 'object', description });

export const CiTokenRequest = Type.Object(
  {
    tool: Type.Enum([...ciTools]),
    repository,
    run,
    environment,
    audience,
    claims: Type.Optional(
      claims('Claims that replace those of the run. A claim of null is left out. `sub` follows from the other claims.'),
    ),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: -tokenLimits.expiresInMax,
        maximum: tokenLimits.expiresInMax,
        description: 'Seconds until the token expires. Defaults to 300 for GitHub and 3600 for GitLab.',
      }),
    ),
  },
  closed,
);
export type CiTokenRequest = Static<typeof CiTokenRequest>;

export const CiToken = Type.Object({
  token: Type.String({ description: 'A signed JWT.' }),
  claims: claims('The claims of the token.'),
});
export type CiToken = Static<typeof CiToken>;

const fault = (description: string) =>
  Type.Optional(nullable(Type.Enum([...issuerFaults]), { description, examples: ['down'] }));

export const CiIssuerRequest = Type.Object(
  {
    rotate: Type.Optional(
      Type.Boolean({ description: 'Whether to sign with a new key. The previous key stays published.' }),
    ),
    fault: fault('A fault that lasts until it is replaced. Null ends it.'),
  },
  closed,
);
export type CiIssuerRequest = Static<typeof CiIssuerRequest>;

export const CiIssuer = Type.Object({
  tool: Type.Enum([...ciTools]),
  issuer: Type.String({ description: 'The `iss` of its tokens.' }),
  keys: Type.Array(Type.String(), { description: 'The ids of the published keys. The first one signs.' }),
  fault: nullable(Type.Enum([...issuerFaults]), { description: 'The current fault.' }),
});
export type CiIssuer = Static<typeof CiIssuer>;

/** Jobs append `&audience=` to the request URL, so a job of the emulator is chosen by the other parameters. */
export const CiIdTokenQuery = Type.Object({
  audience: Type.Optional(audience),
  repository,
  run,
  environment,
});

/** GitHub's response to a job. */
export const CiIdToken = Type.Object({ value: Type.String({ description: 'A signed JWT.' }) });
export type CiIdToken = Static<typeof CiIdToken>;
