import type { Adapter } from '../adapter.ts';
import { githubActions } from './github/adapter.ts';
import { gitlab } from './gitlab/adapter.ts';

/** Every tool that the fetcher can poll or receive webhooks from. */
export const adapters: readonly Adapter[] = [githubActions, gitlab];
