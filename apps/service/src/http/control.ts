import { headerNames, limits } from '@shiplog/contract';
import { malformedCursor, Problem, pageOf } from '@shiplog/server';
import type { Appender } from '../appender.ts';
import { listComponentEvents } from '../db/component-events.ts';
import type { Queries } from '../db/database.ts';
import { type ComponentReport, componentReport } from '../domain/component-report.ts';
import { compactText, memberText } from '../domain/json-text.ts';
import { idCursor, parseIdCursor } from '../domain/page-cursor.ts';
import type { ResetRunner } from '../reset.ts';
import type { CoreApi } from './api.ts';

export interface ControlParts {
  readonly queries: Queries;
  readonly reports: Appender<ComponentReport>;
  readonly reset: ResetRunner;
}

/** Reset and component events (§4 Control). */
export function addControl(api: CoreApi, { queries, reports, reset }: ControlParts): void {
  api.serve('startReset', async () => {
    const initiated = await reset.request();
    if (!initiated) {
      throw new Problem('reset-in-progress', {
        status: 409,
        detail: 'A reset is already under way; wait for its reset-completed on the control stream.',
      });
    }
    const { id, occurredAt } = initiated;
    return { status: 202, json: JSON.stringify({ correlation_id: id, state: 'draining', accepted_at: occurredAt }) };
  });

  api.serve('reportComponentEvent', async ({ body, bodyText, headers }) => {
    const payload = body.payload && memberText(bodyText, 'payload');
    if (payload !== undefined && Buffer.byteLength(payload) > limits.payloadBytes) {
      throw new Problem('payload-too-large', { detail: `The payload is larger than ${limits.payloadBytes} bytes.` });
    }
    const sender = {
      componentId: headers[headerNames.componentId],
      correlationId: headers[headerNames.correlationId],
    };
    await reports.append(componentReport(body, sender, payload && compactText(payload)));
    return { status: 204 };
  });

  api.serve('listComponentEvents', async ({ query }) => {
    const page = await listComponentEvents(
      queries,
      { componentId: query.component_id, eventType: query.event_type, correlationId: query.correlation_id },
      { before: recordId(query.cursor), size: query.limit ?? limits.pageSizeDefault },
    );
    return pageOf(page.records, page.next && idCursor(page.next));
  });
}

function recordId(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = parseIdCursor(cursor);
  if (!id) throw malformedCursor();
  return id;
}
