import { freePort, testService } from '@shiplog/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Account, account, Browser, signInService } from '../support/sign-in.ts';

test('a person signs in under a path prefix, and comes back to the requested page', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  const first = await browser.open(`${publicUrl}/docs?a=1`, { follow: false });
  expect([first.status, first.headers.get('location')]).toEqual([
    302,
    '/tools/shiplog/login?to=%2Ftools%2Fshiplog%2Fdocs%3Fa%3D1',
  ]);
  const page = await browser.open(`${publicUrl}/docs?a=1`);
  expect([page.status, page.url]).toEqual([200, `${publicUrl}/docs?a=1`]);
  const self = await (await browser.open(`${publicUrl}/api/access/self`)).json();
  expect(self).toMatchObject({ kind: 'reader', id: 'u-1', name: 'Eve@Acme.example', may: { read: true, post: null } });
  const signedIn = await browser.open(`${publicUrl}/login?to=/tools/shiplog/docs`, { follow: false });
  expect(signedIn.headers.get('location')).toBe('/tools/shiplog/docs');
});

test('API paths return 401 and never redirect', async () => {
  const { publicUrl } = await signInService();
  for (const path of ['/api/matrix', '/openapi.json', '/metrics', '/badges/a/b.svg']) {
    const answer = await new Browser().open(`${publicUrl}${path}`, { follow: false });
    expect([path, answer.status]).toEqual([path, 401]);
  }
});

test('twenty tabs sign in at once', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  const begun = [];
  for (let tab = 0; tab < 20; tab += 1) {
    const answer = await browser.open(`${publicUrl}/login?to=/tools/shiplog/docs?tab=${tab}`, { follow: false });
    begun.push(answer.headers.get('location') ?? '');
  }
  const pages = [];
  for (const url of begun) pages.push((await browser.open(url)).url);
  expect(pages).toEqual(begun.map((_, tab) => `${publicUrl}/docs?tab=${tab}`));
});

test('a sign-in is completed only in the browser that began it', async () => {
  const { publicUrl } = await signInService();
  const [victim, attacker] = [new Browser(), new Browser()];
  const begun = await attacker.open(`${publicUrl}/login`, { follow: false });
  const foreign = await victim.open(begun.headers.get('location') ?? '');
  expect(foreign.status).toBe(400);
  expect(await foreign.text()).toContain('not started in this browser');
  expect(victim.cookie(publicUrl, 'shiplog')).toBeUndefined();
  expect((await victim.open(`${publicUrl}/login/callback?code=x&state=y`)).status).toBe(400);
});

test('a person who is not allowed gets a page that says why', async () => {
  const allowedBy = async (oidcAllow: string[], person: Account = account) => {
    const { publicUrl } = await signInService({
      config: { oidcAllow, oidcScopes: 'openid email profile groups' },
      person,
    });
    const page = await new Browser().open(`${publicUrl}/docs`);
    return page.status;
  };
  expect(await allowedBy(['@acme.example'])).toBe(200);
  expect(await allowedBy(['eve@acme.example'])).toBe(200);
  expect(await allowedBy(['group:deployers'])).toBe(200);
  expect(await allowedBy(['@other.example', 'group:others'])).toBe(403);
  expect(await allowedBy(['@acme.example'], { ...account, email_verified: false })).toBe(403);
  expect(await allowedBy(['@acme.example'], { ...account, email: 'x@acme.example@evil.example' })).toBe(403);
});

test('a sign-in never redirects to another origin', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  await browser.open(`${publicUrl}/docs`);
  for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%0d%0aX: y', 'evil', '']) {
    const answer = await browser.open(`${publicUrl}/login?to=${to.includes('%') ? to : encodeURIComponent(to)}`, {
      follow: false,
    });
    expect([to, answer.headers.get('location')]).toEqual([to, '/tools/shiplog/']);
  }
});

test('a path with non-ASCII characters is percent-encoded in the header', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  await browser.open(`${publicUrl}/docs`);
  const answer = await browser.open(`${publicUrl}/login?to=${encodeURIComponent('/docs?a=é')}`, { follow: false });
  expect(answer.headers.get('location')).toBe('/docs?a=%C3%A9');
});

test('while the provider is unreachable, a page says so', async () => {
  const { publicUrl } = await signInService({ config: { oidcIssuer: 'http://127.0.0.1:9' } });
  const page = await new Browser().open(`${publicUrl}/login`);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await page.text()).toContain('identity provider can');
});

test('at the start, the log says why the provider cannot be used', async () => {
  const { service } = await signInService();
  const { oidcIssuer = '' } = service.config;
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const wrong: readonly [string, string][] = [
    [nowhere, `connect ECONNREFUSED ${nowhere.slice('http://'.length)}`],
    [`${oidcIssuer}/else`, 'the request for its discovery document returned 404'],
  ];
  for (const [issuer, why] of wrong) {
    const lines: string[] = [];
    const log = { write: (line: string) => void lines.push(line) };
    await testService({ ...service, config: { ...service.config, oidcIssuer: issuer }, log });
    await expect
      .poll(() => lines.join(''))
      .toContain(`The identity provider (OIDC_ISSUER=${issuer}) can't be used: ${why}`);
  }
});

test('a provider whose discovery document names another issuer is refused', async () => {
  const { publicUrl, oidcIssuer } = await signInService();
  const other = await signInService({ config: { oidcIssuer: `${oidcIssuer}/` } });
  expect((await new Browser().open(`${publicUrl}/docs`)).status).toBe(200);
  expect((await new Browser().open(`${other.publicUrl}/docs`)).status).toBe(503);
});

test('a person who declines at the provider gets a page, and no session', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  const begun = await browser.open(`${publicUrl}/login`, { follow: false });
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state');
  const page = await browser.open(`${publicUrl}/login/callback?error=access_denied&state=${state}`);
  expect([page.status, browser.cookie(publicUrl, 'shiplog')]).toEqual([403, undefined]);
});

test('a session ends when its time is over, and its stream with a last frame', async () => {
  const { publicUrl, url } = await signInService({ config: { sessionHours: 0.005 }, times: { streamJudgeMs: 20 } });
  const browser = new Browser();
  await browser.open(`${publicUrl}/docs`);
  const cookie = { Cookie: `shiplog=${browser.cookie(publicUrl, 'shiplog')}` };
  const stream = await fetch(`${url}/api/events/stream`, { headers: cookie });
  expect(stream.status).toBe(200);
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + 19_000);
  onTestFinished(() => clock.mockRestore());
  expect((await stream.text()).endsWith('event: session-ended\ndata: {"reason":"expired"}\n\n')).toBe(true);
});

test('after signing out the session has ended on every instance, even if its cookie was copied', async () => {
  const { publicUrl, service, url } = await signInService();
  const other = await testService({ ...service, times: { sessionsPollMs: 20 } });
  const browser = new Browser();
  await browser.open(`${publicUrl}/docs`);
  const cookie = { Cookie: `shiplog=${browser.cookie(publicUrl, 'shiplog')}` };
  const status = async (base: string) => (await fetch(`${base}/api/matrix`, { headers: cookie })).status;
  expect([await status(url), await status(other.url)]).toEqual([200, 200]);
  const out = await browser.open(`${publicUrl}/logout`, { method: 'POST', follow: false });
  expect([out.status, out.headers.get('location')]).toEqual([303, '/tools/shiplog/signed-out']);
  expect(await status(url)).toBe(401);
  await expect.poll(() => status(other.url), { timeout: 60_000 }).toBe(401);
});

test('no line of the log has a cookie, a code, a state or a secret', async () => {
  const lines: string[] = [];
  const { publicUrl } = await signInService({
    config: { logLevel: 'trace' },
    log: { write: (line) => void lines.push(line) },
  });
  const [browser, other] = [new Browser(), new Browser()];
  const begun = await browser.open(`${publicUrl}/login`, { follow: false });
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? 'none';
  const callback = `${publicUrl}/login/callback?state=${state}&code=the-code`;
  expect((await other.open(callback)).status).toBe(400);
  expect((await browser.open(callback)).status).toBe(400);
  await browser.open(`${publicUrl}/docs`);
  const cookies = ['shiplog', 'shiplog-login'].map((name) => browser.cookie(publicUrl, name) ?? 'none');
  await browser.open(`${publicUrl}/logout`, { method: 'POST' });
  expect(lines.join('')).toContain('a sign-in failed');
  for (const secret of [state, 'the-code', ...cookies])
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});

test('tabs that start at the same moment start again automatically once one of them is signed in', async () => {
  const { publicUrl } = await signInService();
  const browser = new Browser();
  const begun = await Promise.all(
    [1, 2].map(() => browser.open(`${publicUrl}/login?to=/tools/shiplog/docs`, { follow: false })),
  );
  const pages = [];
  for (const { headers } of begun) pages.push(await browser.open(headers.get('location') ?? ''));
  const [late] = pages.filter(({ status }) => status === 400);
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 400]);
  const again = late?.headers.get('refresh') ?? '';
  expect(again).toBe('2; url=/tools/shiplog/login?to=%2Ftools%2Fshiplog%2Fdocs');
  const page = await browser.open(new URL(again.slice('2; url='.length), publicUrl).href);
  expect([page.status, page.url]).toEqual([200, `${publicUrl}/docs`]);
});

test('the page for an unknown address links to pages under the path prefix', async () => {
  const { publicUrl } = await signInService();
  const answer = await fetch(`${publicUrl}/nowhere`, { headers: { accept: 'text/html' } });
  const links = [...(await answer.text()).matchAll(/href="(\/[^"]*)"/g)].map(([, link]) => link);
  expect([answer.status, links]).toEqual([
    404,
    ['/tools/shiplog/docs/style.css', '/tools/shiplog/', '/tools/shiplog/docs'],
  ]);
});

test('a secret or an issuer that the provider does not know is named in the log, and the page says who must correct it', async () => {
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(line) };
  const wrong = await signInService({ config: { oidcClientSecret: 'another' }, log });
  const page = await new Browser().open(`${wrong.publicUrl}/docs`);
  expect(page.status).toBe(400);
  expect(await page.text()).toContain('correct OIDC_CLIENT_ID or OIDC_CLIENT_SECRET');
  expect(lines.join('')).toContain('"reason":"invalid_client: client authentication failed"');

  const { service } = wrong;
  const oidcIssuer = `${service.config.oidcIssuer}/`;
  const other = await testService({ ...service, config: { ...service.config, oidcIssuer }, log });
  expect((await fetch(`${other.url}/login`, { redirect: 'manual' })).status).toBe(503);
  const named = JSON.stringify(oidcIssuer.slice(0, -1));
  const told = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(told).toContain(
    `The identity provider (OIDC_ISSUER=${oidcIssuer}) can't be used: its discovery document names the issuer ${named}. Set OIDC_ISSUER to exactly this name.`,
  );
});
