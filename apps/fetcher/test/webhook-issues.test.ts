import { describe, expect, test } from 'vitest';
import { hexHmac, hooked, secret } from './support/webhooks.ts';

const json = { 'Content-Type': 'application/json' };

describe('issues', () => {
  const [created, updated, closed] = ['2026-05-04T09:30:00Z', '2026-05-04T09:40:00Z', '2026-05-04T10:00:00Z'];
  const issues = '{ label: incident, services: ["{repo_name}", "{repo}"], environments: prod }';

  interface Change {
    readonly action: string;
    readonly labels?: readonly string[];
    readonly label?: string;
    readonly state?: string;
  }

  const github = ({ action, labels = ['bug', 'Incident'], label, state = 'open' }: Change) => ({
    action,
    repository: { full_name: 'acme/shop' },
    ...(label && { label: { name: label } }),
    issue: {
      ...{ number: 7, title: 'Payments fail', html_url: 'https://github.com/acme/shop/issues/7', state },
      ...{ labels: labels.map((name) => ({ name })), created_at: created, updated_at: updated },
      closed_at: state === 'open' ? null : closed,
    },
  });

  test.each<[Change, string | undefined]>([
    [{ action: 'opened' }, `opened ${created}`],
    [{ action: 'edited' }, `opened ${created}`],
    [{ action: 'labeled', label: 'incident' }, `opened ${updated}`],
    [{ action: 'reopened' }, `opened ${updated}`],
    [{ action: 'closed', state: 'closed' }, `resolved ${closed}`],
    [{ action: 'unlabeled', labels: ['bug'], label: 'incident' }, `dismissed ${updated}`],
    [{ action: 'deleted' }, `dismissed ${updated}`],
    [{ action: 'unlabeled', labels: [], label: 'bug' }, undefined],
    [{ action: 'opened', labels: ['bug'] }, undefined],
  ])('GitHub: %j says %s', async (change, told) => {
    const { send, sink } = await hooked({ issues });
    const body = JSON.stringify(github(change));
    const headers = { ...json, 'X-GitHub-Event': 'issues', 'X-Hub-Signature-256': `sha256=${hexHmac(body)}` };
    expect((await send('github', { headers, body })).status).toBe(202);
    expect(sink.outages.map(({ state, happened_at }) => `${state} ${happened_at}`)).toEqual(told ? [told] : []);
    if (told) {
      expect(sink.outages[0]).toMatchObject({
        ...{ source: 'github', outage_id: 'acme/shop#7', services: ['shop', 'acme/shop'], environments: ['prod'] },
        ...{ title: 'Payments fail', url: 'https://github.com/acme/shop/issues/7' },
      });
    }
  });

  const gitlab = (action: string, fields: object = {}, more: object = {}) => ({
    object_kind: 'issue',
    project: { path_with_namespace: 'acme/pay/shop' },
    labels: [{ title: 'incident' }],
    object_attributes: {
      ...{
        iid: 7,
        title: 'Payments fail',
        url: 'https://gitlab.com/acme/pay/shop/-/issues/7',
        action,
        state: 'opened',
      },
      ...{ created_at: '2026-05-04 09:30:00 UTC', updated_at: '2026-05-04 11:40:00 +0200', closed_at: null },
      ...fields,
    },
    ...more,
  });

  test.each<[string, object, string | undefined]>([
    ['open', gitlab('open'), `opened ${created}`],
    ['close', gitlab('close', { state: 'closed', closed_at: closed }), `resolved ${closed}`],
    ['reopen', gitlab('reopen'), `opened ${updated}`],
    ['a label', gitlab('update', {}, { changes: { labels: { previous: [] } } }), `opened ${updated}`],
    ['another title', gitlab('update', {}, { changes: {} }), `opened ${created}`],
    [
      'no label any more',
      gitlab('update', {}, { labels: [], changes: { labels: { previous: [{ title: 'incident' }] } } }),
      `dismissed ${updated}`,
    ],
    ['another issue', gitlab('open', {}, { labels: [] }), undefined],
  ])('GitLab: %s', async (_, body, told) => {
    const { send, sink } = await hooked({
      issues,
      gitlabSecrets: { webhookToken: secret, webhookSigningToken: 'secret-of-signing-16' },
    });
    const headers = { ...json, 'X-Gitlab-Token': secret };
    expect((await send('gitlab', { headers, body: JSON.stringify(body) })).status).toBe(202);
    expect(sink.outages.map(({ state, happened_at }) => `${state} ${happened_at}`)).toEqual(told ? [told] : []);
  });

  test('the title of a confidential issue is not posted', async () => {
    const { send, sink } = await hooked({
      issues,
      gitlabSecrets: { webhookToken: secret, webhookSigningToken: 'secret-of-signing-16' },
    });
    const headers = { ...json, 'X-Gitlab-Token': secret };
    await send('gitlab', { headers, body: JSON.stringify(gitlab('open', { confidential: true })) });
    expect(sink.outages[0]).not.toHaveProperty('title');
  });

  test('without settings, issues are ignored', async () => {
    const { send, sink } = await hooked({});
    const body = JSON.stringify(github({ action: 'opened' }));
    const headers = { ...json, 'X-GitHub-Event': 'issues', 'X-Hub-Signature-256': `sha256=${hexHmac(body)}` };
    expect((await send('github', { headers, body })).status).toBe(202);
    expect(sink.outages).toEqual([]);
  });
});
