import type { CiDeploymentCreated } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { smallRun } from './support/run.ts';

/** Text with a meaning to a browser, a terminal, a template, a pattern, an object or a database. */
const texts: Readonly<Record<string, string>> = {
  markup: '<script>alert(1)</script><img src=x onerror=alert>',
  'an HTML attribute': `" onmouseover="alert(1)" x='`,
  'a terminal escape': '\u001b[2J\u001b]0;owned\u0007\u202e',
  'line breaks': 'x\r\n\r\nid: 1\ndata: {"forged":1}\u2028',
  'a template': '{payload.secret}{artifact:x}{sha7}',
  'a pattern': '**{a}?',
  'a prototype': '__proto__',
  'a method': 'constructor',
  'a path': '../../../user?x=#',
  SQL: `'; drop table deployments; --`,
  'half a character': 'a\ud800b\udfffc',
  NUL: 'a\u0000b',
};

/** The part of the text that the log can store (fetcher §5.6). */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\ud800|\udfff/g, '');
}

test('hostile fields from a tool are stored in the log as plain text', async () => {
  const run = await smallRun({
    repos: 1,
    projects: 0,
    deployments: 0,
    fetcher: { GITHUB_VERSION_SOURCE: 'payload:version', GITHUB_REPOS: 'acme/service-0' },
  });
  const sent = new Map<string, string>();
  for (const text of Object.values(texts)) {
    const fields = { environment: text, ref: text, creator: text, task: text, sha: text };
    const payload = { version: text, secret: 'leaked', ['__proto__']: { version: 'polluted' } };
    const body = { repository: 'acme/service-0', ...fields, payload };
    const { deployment_id } = await run.ci<CiDeploymentCreated>('/deployments', body);
    sent.set(deployment_id, storable(text));
  }
  await run.startFetcher();
  await run.caughtUp();
  const log = await run.log();
  expect(log.map(({ deployment_id }) => deployment_id).sort()).toEqual([...sent.keys()].sort());
  for (const { deployment_id, environment, ref, actor, sha, version, service } of log) {
    const text = sent.get(deployment_id);
    expect([service, environment, ref, actor, sha, version]).toEqual(['service-0', text, text, text, text, text]);
  }
  const metrics = await (await fetch(`${run.fetcherUrl}/metrics`)).text();
  const health = JSON.stringify(await run.health());
  for (const told of [metrics, health]) expect(told).not.toMatch(/alert|owned|forged|drop table|leaked/);
  expect(Object.keys(Object.prototype)).toEqual([]);
});
