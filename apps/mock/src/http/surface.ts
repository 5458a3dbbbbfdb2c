import type { mockApplicationEndpoints, mockEndpoints } from '@shiplog/contract';
import type { Surface } from '@shiplog/server';

/** The application API as the mock has it and what steers the mock, endpoint by endpoint. */
export type MockSurface = Surface<typeof mockApplicationEndpoints & typeof mockEndpoints>;
