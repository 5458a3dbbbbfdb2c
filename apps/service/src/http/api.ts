import type { endpoints } from '@shiplog/contract';
import type { Api } from '@shiplog/server';

/** Adds all endpoints of the core API. */
export type CoreApi = Api<typeof endpoints>;
