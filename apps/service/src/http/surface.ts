import type { endpoints } from '@shiplog/contract';
import type { Surface } from '@shiplog/server';

/** The core API, endpoint by endpoint. */
export type CoreSurface = Surface<typeof endpoints>;
