import type { ApiDescription, Tags } from '@shiplog/contract';
import * as driverShapes from './driver-shapes.ts';
import * as mockShapes from './mock.ts';

/** The groups of endpoints that only driver and mock have. */
const tags = {
  demo: { title: 'Scenarios and emission', description: 'Scenarios, ingest and live emission' },
  proxies: { title: 'CI emulator', description: 'Calls that the driver forwards' },
  mock: { title: 'Control of the mock', description: 'Control of the mock' },
} as const satisfies Tags;

/** What the OpenAPI documents of driver and mock have in addition to that of the core: names of shapes, texts of tags. */
export const companionParts: Pick<ApiDescription, 'shapes' | 'tags'> = { shapes: [driverShapes, mockShapes], tags };
