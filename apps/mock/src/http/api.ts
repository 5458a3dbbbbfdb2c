import type { mockApplicationEndpoints, mockEndpoints } from '@shiplog/companions';
import type { Api } from '@shiplog/server';

/** The application API of the mock and the endpoints that control it. */
export type MockApi = Api<typeof mockApplicationEndpoints & typeof mockEndpoints>;
