import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyDigest, newKey } from '@shiplog/access';
import { readConfig, startEmulator } from '@shiplog/ci-emulator';
import { keyHeaders } from '@shiplog/contract';
import { createLogger } from '@shiplog/server';
import type { Figure } from './harness/figure.ts';
import { openFolder } from './harness/folder.ts';
import { type Credential, type LoadResult, postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { keys, openStage } from './harness/stage.ts';

const rounds = 5;
const seconds = 3;
const connections = 8;
const publicUrl = 'https://shiplog.example.com';
/** More tokens than posts in a round, so that each token is verified. */
const freshTokens = 6000;

/** Posts with a named key, with a cached token and with fresh tokens, compared with the shared key. */
export async function access(): Promise<Outcome> {
  const folder = await openFolder();
  const key = newKey('benchkey');
  const emulator = await startEmulator({
    config: readConfig({ PORT: '0' }),
    logger: createLogger('warn'),
  });
  const file = join(folder, 'access.yaml');
  await writeFile(file, accessFile(keyDigest(key), `${emulator.url}/_services/token`));
  const stage = await openStage({ ACCESS_FILE: file, PUBLIC_URL: publicUrl });
  try {
    const tokens = (count: number) => tokensOf(emulator.url, count);
    const remembered = await tokens(1);
    const credentials: Readonly<Record<string, () => Promise<readonly Credential[]>>> = {
      'the shared key': async () => [[keyHeaders.api, keys.api]],
      'a named key': async () => [[keyHeaders.api, key]],
      'a cached token': async () => remembered,
      'fresh tokens': () => tokens(freshTokens),
    };
    const loads: Record<string, LoadResult[]> = {};
    await postLoad(stage, connections, seconds);
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, sent] of Object.entries(credentials)) {
        const load = await postLoad(stage, connections, seconds, await sent());
        loads[name] = [...(loads[name] ?? []), load];
      }
    }
    return {
      figures: Object.keys(credentials)
        .slice(1)
        .flatMap((name) => figures(name, loads)),
    };
  } finally {
    await stage.close();
    await emulator.stop();
  }
}

/** The throughput and the median time of posts, each compared with that of the shared key. */
function figures(name: string, loads: Readonly<Record<string, readonly LoadResult[]>>): Figure[] {
  const of = (who: string, part: 'perSecond' | 'p50Ms') => (loads[who] ?? []).map((load) => load[part]);
  const shared = 'the shared key';
  const title = `posts with ${name}, ${connections} connections`;
  return [
    {
      goal: 'access',
      title,
      measured: of(name, 'perSecond'),
      unit: '/s',
      yardstick: { title: `posts with ${shared}`, measured: of(shared, 'perSecond') },
      reach: { atLeast: name === 'a named key' ? 0.85 : 0.65 },
    },
    {
      goal: 'access',
      title: `${title}, p50`,
      measured: of(name, 'p50Ms'),
      unit: 'ms',
      yardstick: { title: `posts with ${shared}, p50`, measured: of(shared, 'p50Ms') },
      reach: { atMost: name === 'a named key' ? 1.2 : 1.6 },
    },
  ];
}

function accessFile(sha256: string, issuer: string): string {
  const may = '{ services: ["*"], environments: ["*"] }';
  return [
    'keys:',
    `  - { id: benchkey, name: bench, sha256: ${sha256}, may: { post: ${may} } }`,
    `issuers: [{ name: github, kind: github, issuer: "${issuer}" }]`,
    'pipelines:',
    `  - { issuer: github, claims: { repository_owner_id: "1" }, may: ${may} }`,
    '',
  ].join('\n');
}

/** Distinct tokens for one job. */
async function tokensOf(url: string, count: number): Promise<Credential[]> {
  const sign = async (): Promise<Credential> => {
    const claims = { repository_owner_id: '1', jti: randomUUID() };
    const body = JSON.stringify({ tool: 'github', audience: publicUrl, expires_in: 3600, claims });
    const response = await fetch(`${url}/_ci/tokens`, { method: 'POST', body });
    if (!response.ok) throw new Error(`the emulator answered ${response.status}: ${await response.text()}`);
    return ['Authorization', `Bearer ${((await response.json()) as { token: string }).token}`];
  };
  const signed: Credential[] = [];
  const batch = 100;
  while (signed.length < count) {
    const size = Math.min(batch, count - signed.length);
    signed.push(...(await Promise.all(Array.from({ length: size }, sign))));
  }
  return signed;
}
