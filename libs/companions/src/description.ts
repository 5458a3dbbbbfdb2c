import type { ApiDescription, Tags } from '@shiplog/contract';
import * as driverShapes from './driver-shapes.ts';
import * as mockShapes from './mock.ts';

/** The groups of endpoints that driver and mock have beside those of the core API. */
const tags = {
  demo: { title: 'Scenarios and emission', description: 'Scenarios, ingest and live emission' },
  proxies: { title: 'CI emulator', description: 'What browsers reach through the driver' },
  mock: { title: 'Steering the mock', description: 'What steers the mock' },
} as const satisfies Tags;

/** What the documents of driver and mock say beside the core's: the names of their shapes, the texts of their tags. */
export const companionParts: Pick<ApiDescription, 'shapes' | 'tags'> = { shapes: [driverShapes, mockShapes], tags };
