import { board } from './board.ts';
import { dora, quality } from './figures.ts';
import { history } from './history.ts';
import { diff, releases, where } from './releases.ts';
import type { Tool } from './tool.ts';

/** All tools; all are read-only. */
export const tools: readonly Tool[] = [board, where, history, diff, releases, dora, quality];
