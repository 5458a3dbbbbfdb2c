import type { Adapter } from '../adapter.ts';
import { githubActions } from './github-actions.ts';
import { gitlab } from './gitlab.ts';

/** The kinds of tools that sources can be of. */
export const adapters: readonly Adapter[] = [githubActions, gitlab];
