import type { ApiDescription, Tags } from '@shiplog/contract';
import * as driverShapes from './driver-shapes.ts';
import * as faultShapes from './emulator-faults.ts';
import * as issuerShapes from './emulator-issuers.ts';
import * as seedShapes from './emulator-seed.ts';
import * as emulatorShapes from './emulator-shapes.ts';
import * as webhookShapes from './emulator-webhooks.ts';
import * as fetcherShapes from './fetcher.ts';
import * as mockShapes from './mock.ts';
import * as relayShapes from './relay.ts';

const tags = {
  demo: { title: 'Scenarios and emission', description: 'Run scenarios, post events and control live emission.' },
  proxies: { title: 'CI emulator', description: 'Calls that the driver forwards to the CI emulator.' },
  mock: { title: 'Control of the mock', description: 'Control the mock.' },
  webhooks: { title: 'Webhooks', description: 'Receive deliveries from CI/CD tools.' },
  ci: { title: 'Control of the CI emulator', description: 'Control the CI emulator.' },
} as const satisfies Tags;

/** The parts of the companions' OpenAPI documents that are not in the document of the core. */
export const companionParts: Pick<ApiDescription, 'shapes' | 'tags'> = {
  shapes: [
    driverShapes,
    mockShapes,
    seedShapes,
    emulatorShapes,
    faultShapes,
    issuerShapes,
    webhookShapes,
    fetcherShapes,
    relayShapes,
  ],
  tags,
};
