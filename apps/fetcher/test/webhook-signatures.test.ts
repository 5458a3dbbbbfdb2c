import { createHmac } from 'node:crypto';
import { signingKey } from '@shiplog/component';
import { describe, expect, test } from 'vitest';
import { githubActions } from '../src/adapters/github/adapter.ts';
import type { SentHeaders } from '../src/tool/delivery.ts';
import { anyGuard, basicGuard, type Guard, hmacGuard, standardGuard, tokenGuard } from '../src/tool/guards.ts';

const secret = 'a-long-enough-secret';
const body = Buffer.from('{"é":1}');
const now = Date.UTC(2026, 4, 4, 9);

function lets(guard: Guard, headers: SentHeaders, sent = body): boolean {
  return guard.judge(headers)?.(sent) ?? false;
}

function hmac(encoding: 'hex' | 'base64', key: string | Buffer = secret, signed: string | Buffer = body): string {
  return createHmac('sha256', key).update(signed).digest(encoding);
}

const hex = hmac('hex');
const base64 = hmac('base64');

describe('§11: the signature of GitHub', () => {
  const secrets = { webhookSecret: secret, webhookSecretNext: 'the-secret-that-comes-next' };
  const guard = anyGuard(githubActions.webhook?.guards(secrets, () => now) ?? []);
  test.each<[string, boolean, SentHeaders]>([
    ['a valid signature', true, { 'x-hub-signature-256': [`sha256=${hex}`] }],
    [
      'a signature with the next secret',
      true,
      { 'x-hub-signature-256': [`sha256=${hmac('hex', 'the-secret-that-comes-next')}`] },
    ],
    ['a signature in capital letters', true, { 'x-hub-signature-256': [`sha256=${hex.toUpperCase()}`] }],
    [
      'a signature with another secret',
      false,
      { 'x-hub-signature-256': [`sha256=${hmac('hex', 'another-long-secret')}`] },
    ],
    ['a signature of another body', false, { 'x-hub-signature-256': [`sha256=${hmac('hex', secret, '{}')}`] }],
    ['no signature', false, {}],
    ['an empty signature', false, { 'x-hub-signature-256': [''] }],
    ['a signature without its prefix', false, { 'x-hub-signature-256': [hex] }],
    ['a signature in base64', false, { 'x-hub-signature-256': [`sha256=${base64}`] }],
    ['a truncated signature', false, { 'x-hub-signature-256': [`sha256=${hex.slice(0, 63)}`] }],
    ['a signature with more digits after it', false, { 'x-hub-signature-256': [`sha256=${hex}00`] }],
    ['a signature with other text after it', false, { 'x-hub-signature-256': [`sha256=${hex}zz`] }],
    ['two signature headers', false, { 'x-hub-signature-256': [`sha256=${hex}`, `sha256=${hex}`] }],
    ['SHA-1 alone', false, { 'x-hub-signature': [`sha1=${createHmac('sha1', secret).update(body).digest('hex')}`] }],
    [
      'SHA-1 under the name of SHA-256',
      false,
      { 'x-hub-signature-256': [`sha1=${createHmac('sha1', secret).update(body).digest('hex')}`] },
    ],
  ])('%s is valid: %s', (_, expected, headers) => {
    expect(lets(guard, headers)).toBe(expected);
  });

  test('the signature covers bytes, not text', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    expect(lets(guard, { 'x-hub-signature-256': [`sha256=${hmac('hex', secret, bytes)}`] }, bytes)).toBe(true);
  });
});

describe('§15.9: authentication by hmac-sha256', () => {
  test.each<[string, boolean, 'hex' | 'base64', string, string]>([
    ['hex without a prefix', true, 'hex', '', hex],
    ['hex with a prefix', true, 'hex', 'sha256=', `sha256=${hex}`],
    ['base64', true, 'base64', '', base64],
    ['hex where base64 is expected', false, 'base64', '', hex],
    ['base64 where hex is expected', false, 'hex', '', base64],
    ['another prefix', false, 'hex', 'sha256=', `sha512=${hex}`],
    ['base64 with a space in it', false, 'base64', '', `${base64.slice(0, 9)} ${base64.slice(9)}`],
  ])('%s is valid: %s', (_, expected, encoding, prefix, value) => {
    const guard = hmacGuard({ header: 'X-Signature', encoding, prefix, secrets: [secret] });
    expect(lets(guard, { 'x-signature': [value] })).toBe(expected);
  });
});

describe('§15.9: token and basic', () => {
  test.each<[string, boolean, SentHeaders]>([
    ['the configured token', true, { 'x-argo-token': [secret] }],
    ['another token', false, { 'x-argo-token': [`${secret}.`] }],
    ['the beginning of the token', false, { 'x-argo-token': [secret.slice(0, -1)] }],
    ['no token', false, {}],
    ['an empty token', false, { 'x-argo-token': [''] }],
    ['two tokens', false, { 'x-argo-token': [secret, secret] }],
  ])('%s is valid: %s', (_, expected, headers) => {
    expect(lets(tokenGuard('X-Argo-Token', secret), headers)).toBe(expected);
  });

  test('a token with characters beyond ASCII is compared as UTF-8 bytes', () => {
    const sent = Buffer.from('gehört-niemand-sonst').toString('latin1');
    expect(lets(tokenGuard('X-Token', 'gehört-niemand-sonst'), { 'x-token': [sent] })).toBe(true);
  });

  const pair = (text: string) => Buffer.from(text).toString('base64');
  test.each<[string, boolean, readonly string[] | undefined]>([
    ['the configured user and password', true, [`Basic ${pair(`ado:${secret}`)}`]],
    ['the scheme in lower case', true, [`basic ${pair(`ado:${secret}`)}`]],
    ['another user', false, [`Basic ${pair(`adp:${secret}`)}`]],
    ['another password', false, [`Basic ${pair(`ado:${secret}x`)}`]],
    ['no password', false, [`Basic ${pair('ado')}`]],
    ['another scheme', false, [`Bearer ${pair(`ado:${secret}`)}`]],
    ['invalid base64', false, [`Basic ado:${secret}`]],
    ['two headers', false, [`Basic ${pair(`ado:${secret}`)}`, `Basic ${pair(`ado:${secret}`)}`]],
    ['no header', false, undefined],
  ])('%s is valid: %s', (_, expected, authorization) => {
    expect(lets(basicGuard('ado', secret), { authorization })).toBe(expected);
  });
});

describe('§11: the Standard Webhooks signature', () => {
  const key = Buffer.from('0123456789abcdef');
  const guard = standardGuard(key.toString(), () => now);
  const at = (ms: number) => String(Math.floor((now + ms) / 1000));
  const sign = (id: string, timestamp: string, by = key, signed = body) =>
    `v1,${createHmac('sha256', by).update(`${id}.${timestamp}.`).update(signed).digest('base64')}`;
  const sent = (fields: Partial<Record<'id' | 'timestamp' | 'signature', readonly string[]>> = {}): SentHeaders => ({
    'webhook-id': fields.id ?? ['m1'],
    'webhook-timestamp': fields.timestamp ?? [at(0)],
    'webhook-signature': fields.signature ?? [sign('m1', (fields.timestamp ?? [at(0)])[0] ?? '')],
  });

  test.each<[string, boolean, SentHeaders]>([
    ['a valid signature', true, sent()],
    [
      'a valid signature as the last of several',
      true,
      sent({ signature: [`v1a,xyz v1,${base64} ${sign('m1', at(0))}`] }),
    ],
    ['a delivery five minutes late', true, sent({ timestamp: [at(-300_000)] })],
    ['a delivery five minutes early', true, sent({ timestamp: [at(300_000)] })],
    ['a delivery more than five minutes late', false, sent({ timestamp: [at(-301_000)] })],
    ['a delivery more than five minutes early', false, sent({ timestamp: [at(301_000)] })],
    ['a signature with another key', false, sent({ signature: [sign('m1', at(0), Buffer.from('another-key-of-16'))] })],
    ['a signature of another id', false, sent({ id: ['m2'], signature: [sign('m1', at(0))] })],
    ['a signature of another instant', false, sent({ signature: [sign('m1', at(-1000))] })],
    ['a signature of another body', false, sent({ signature: [sign('m1', at(0), key, Buffer.from('{}'))] })],
    ['a signature of another version', false, sent({ signature: [sign('m1', at(0)).replace('v1,', 'v2,')] })],
    ['a signature without its version', false, sent({ signature: [sign('m1', at(0)).slice(3)] })],
    ['two headers', false, sent({ signature: [sign('m1', at(0)), sign('m1', at(0))] })],
    ['no signature', false, { ...sent(), 'webhook-signature': undefined }],
    ['no id', false, { ...sent(), 'webhook-id': undefined }],
    ['no instant', false, { ...sent(), 'webhook-timestamp': undefined }],
    ['an invalid instant', false, sent({ timestamp: ['soon'] })],
    ['an instant in another form', false, sent({ timestamp: [`${at(0)}.0`] })],
  ])('%s is valid: %s', (_, expected, headers) => {
    expect(lets(guard, headers)).toBe(expected);
  });

  test('accepts either a GitLab token or a signature', () => {
    const either = anyGuard([tokenGuard('X-Gitlab-Token', secret), guard]);
    expect(lets(either, { 'x-gitlab-token': [secret] })).toBe(true);
    expect(lets(either, sent())).toBe(true);
    expect(lets(either, { ...sent({ id: ['m2'], signature: [sign('m1', at(0))] }), 'x-gitlab-token': ['x'] })).toBe(
      false,
    );
    const wrong = sent({ signature: [sign('m1', at(0), key, Buffer.from('{}'))] });
    expect(lets(either, { ...wrong, 'x-gitlab-token': [secret] })).toBe(true);
    expect(lets(either, {})).toBe(false);
    expect(either.challenge).toContain('X-Gitlab-Token');
  });

  test.each<[string, string | undefined]>([
    ['whsec_MDEyMzQ1Njc4OWFiY2RlZg==', '0123456789abcdef'],
    ['whsec_MDEyMzQ1Njc4OWFiY2RlZg', '0123456789abcdef'],
    ['0123456789abcdef', '0123456789abcdef'],
    ['whsec_not base64 at all!!', undefined],
    ['whsec_', undefined],
    ['whsec_MDEy', undefined],
    ['short', undefined],
  ])('decodes the key in the signing token %s as %s', (token, expected) => {
    expect(signingKey(token)?.toString()).toBe(expected);
  });
});
