import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { AccessActPage, AccessPinPage, AccessSelf, ActKindShape, Proof } from '../shapes/access.ts';
import { PageLimit } from '../shapes/text.ts';
import { eventId, invalid, opaqueCursor, tooLarge, unauthorized, unavailable } from './parts.ts';

/** Who may do what, and who did it (access.md). */
export const accessEndpoints = {
  getAccessSelf: {
    method: 'GET',
    path: '/api/access/self',
    tag: 'access',
    open: true,
    summary: 'Show who you are and what you may do',
    description: 'Checks the credential of this request: a key, an identity token, a session or the header of a proxy.',
    replies: { 200: { description: 'The credential.', body: AccessSelf } },
    problems: { ...unauthorized, 403: ['forbidden'], ...unavailable },
  },
  openReaderSession: {
    method: 'POST',
    path: '/api/access/session',
    tag: 'access',
    key: 'api',
    summary: 'Exchange a key that may read for a session cookie',
    description: 'For a wall display, whose browser opens `/wall#key=…` once. The session lasts as long as the key.',
    replies: { 204: { description: 'The session is open.' } },
    problems: { ...unauthorized, 403: ['forbidden'], ...tooLarge, ...unavailable },
  },
  getProof: {
    method: 'GET',
    path: '/api/deployments/{id}/proof',
    tag: 'access',
    summary: 'Show who posted an event',
    params: eventId,
    replies: { 200: { description: 'The proof.', body: Proof } },
    problems: { 404: ['not-found'], ...unavailable },
  },
  listAccessActs: {
    method: 'GET',
    path: '/api/access/acts',
    tag: 'access',
    summary: 'List changes to access, and refusals',
    description: 'Lists the latest act first.',
    key: 'control',
    query: Type.Object({
      kind: Type.Optional(Type.Array(ActKindShape, { description: 'Repeat the parameter for several kinds.' })),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    replies: { 200: { description: 'One page.', body: AccessActPage } },
    problems: { ...unauthorized, ...invalid, ...unavailable },
  },
  listAccessPins: {
    method: 'GET',
    path: '/api/access/pins',
    tag: 'access',
    summary: 'List the ids behind the names in rules',
    key: 'control',
    query: Type.Object({ cursor: opaqueCursor, limit: Type.Optional(PageLimit) }),
    replies: { 200: { description: 'One page.', body: AccessPinPage } },
    problems: { ...unauthorized, ...invalid, ...unavailable },
  },
  forgetAccessPin: {
    method: 'DELETE',
    path: '/api/access/pins/{issuer}/{name}',
    tag: 'access',
    summary: 'Forget the id behind a name',
    description:
      'The next accepted token with this name stores its id. Use it after a repository was deleted and created again on purpose.',
    key: 'control',
    params: Type.Object({
      issuer: Type.String({ examples: ['github'] }),
      name: Type.String({ description: 'Percent-encoded.', examples: ['acme%2Fpayments'] }),
    }),
    replies: { 204: { description: 'Forgotten.' } },
    problems: { ...unauthorized, 404: ['not-found'], ...tooLarge, ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
