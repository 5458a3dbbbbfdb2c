import { headerNames } from '@shiplog/contract';
import { conditionalAnswer } from '@shiplog/server';
import { matrixOf } from '../matrix.ts';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** `GET /api/matrix` (companion services §4; ETags as in the core, reading 4.4). */
export function addMatrix(api: MockApi, { log, now }: MockState): void {
  api.serve('getMatrix', async ({ query: { service }, headers }) => {
    const rows = service === undefined ? log.visible : log.visible.filter((row) => row.service === service);
    const { environmentsJson, rowsJson } = matrixOf(rows);
    const generatedAt = now().toISOString();
    const json = `{"generated_at":"${generatedAt}","environments":${environmentsJson},"rows":${rowsJson}}`;
    return conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [environmentsJson, rowsJson], json });
  });
}
