import type { DeploymentEventIngest } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { LogPoster } from '../src/index.ts';
import { MemoryService, never, proposal, QuickClock } from './support/memory-service.ts';

const asRow = (over: Partial<DeploymentEventIngest>, copy?: number) =>
  proposal(0, over, { identity: 'row', ...(copy !== undefined && { copy }) });

function posterTo(service: MemoryService): LogPoster {
  return new LogPoster({ client: service.client, clock: new QuickClock(), identities: ['row'] });
}

test('copying a log posts each row as many times as it occurs there, even with several processes', async () => {
  const service = new MemoryService(1);
  expect(await posterTo(service).settle([asRow({}), asRow({}, 2)], '', never)).toEqual(['posted', 'posted']);
  const three = [asRow({}), asRow({}, 2), asRow({}, 3)];
  expect(await posterTo(service).settle(three, '', never)).toEqual(['known', 'known', 'posted']);
  expect(service.rows).toHaveLength(3);
});

test.each(['lost after', 'lost before'] as const)('a copy whose post is %s its commit is stored once', async (fate) => {
  const service = new MemoryService();
  service.fates.push('stored', fate);
  const settled = await posterTo(service).settle([asRow({}), asRow({}, 2), asRow({}, 3)], '', never);
  expect(settled).toEqual(['posted', fate === 'lost after' ? 'known' : 'posted', 'posted']);
  expect(service.rows).toHaveLength(3);
});
