import type { endpoints } from '@shiplog/contract';
import type { Api } from '@shiplog/server';

/** The core API, endpoint by endpoint. */
export type CoreApi = Api<typeof endpoints>;
