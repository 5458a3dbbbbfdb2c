import type { demoEndpoints } from '@shiplog/contract';
import type { Surface } from '@shiplog/server';

/** What the driver serves, endpoint by endpoint. */
export type DemoSurface = Surface<typeof demoEndpoints>;
