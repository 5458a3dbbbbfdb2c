import { invalid, momentary, Problem } from '@shiplog/server';
import type { EmulatorState } from '../emulator-state.ts';
import type { EmulatorApi } from './api.ts';

/** Fault rules, webhook targets and deliveries (CI emulator §7, §8). */
export function addFaultsAndWebhooks(api: EmulatorApi, { faults, webhooks, clock, store }: EmulatorState): void {
  const rules = () => momentary({ items: faults.list() });
  api.serve('listCiFaults', async () => rules());
  api.serve('addCiFault', async ({ body }) => {
    const errors = faults.add(body, clock.now());
    if (errors.length > 0) throw invalid(errors);
    return rules();
  });
  api.serve('deleteCiFaults', async ({ query }) => {
    if (!faults.remove(query.id)) throw new Problem('not-found', { detail: 'There is no such fault rule.' });
    return rules();
  });

  const targets = () => momentary({ items: webhooks.list() });
  api.serve('listCiWebhooks', async () => targets());
  api.serve('addCiWebhook', async ({ body }) => {
    const errors = webhooks.add(body, store.outages);
    if (errors.length > 0) throw invalid(errors);
    return targets();
  });
  api.serve('deleteCiWebhook', async ({ params }) => {
    if (!webhooks.remove(params.id)) throw new Problem('not-found', { detail: 'There is no such webhook.' });
    return targets();
  });

  api.serve('listCiDeliveries', async () => momentary({ items: webhooks.deliveries() }));
  api.serve('redeliverCi', async ({ params }) => {
    const delivery = await webhooks.redeliver(params.id);
    if (!delivery) throw new Problem('not-found', { detail: 'There is no such delivery, or its target was removed.' });
    return momentary(delivery);
  });
}
