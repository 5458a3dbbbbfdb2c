import type { mockApplicationEndpoints, mockEndpoints } from '@shiplog/companions';
import type { Api } from '@shiplog/server';

/** The application API as the mock has it and what steers the mock, endpoint by endpoint. */
export type MockApi = Api<typeof mockApplicationEndpoints & typeof mockEndpoints>;
