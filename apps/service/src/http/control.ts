import { headerNames, limits, parseId, removalReport } from '@shiplog/contract';
import { invalid, momentary, Problem, pageOf, parsedCursor, requireFittingCursor } from '@shiplog/server';
import type { Access } from '../access/access.ts';
import { subjectOf } from '../access/credential.ts';
import type { Appender } from '../appender.ts';
import { listComponentEvents } from '../db/component-events.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { readFetcherState, writeFetcherState } from '../db/fetcher-state.ts';
import { compareFold, firstPlace, isPlace, startOf } from '../db/folds/compare.ts';
import { foldPosition } from '../db/folds/step.ts';
import { listRemovals, removeEvent } from '../db/remove-event.ts';
import { type ComponentReport, componentReport, ownReport } from '../domain/component-report.ts';
import { compactText, memberText } from '../domain/json-text.ts';
import { idCursor, parseIdCursor } from '../domain/page-cursor.ts';
import type { ResetRunner } from '../reset.ts';
import type { CoreApi } from './api.ts';

interface ControlParts {
  readonly queries: Queries;
  readonly writes: Sessions;
  /** For slow reads. */
  readonly questions: Sessions;
  readonly reports: Appender<ComponentReport>;
  readonly reset: ResetRunner;
  readonly access: Pick<Access, 'acts' | 'guard'>;
}

/** Fetcher state and control (§4; readings 8.1, 8.7 and 8.10). */
export function addControl(api: CoreApi, { queries, writes, questions, reports, reset, access }: ControlParts): void {
  api.serve('getFetcherState', async ({ params }) => {
    const state = await readFetcherState(writes, params.adapter);
    if (!state) throw new Problem('not-found', { detail: 'No cursor is stored for this adapter.' });
    return momentary(state);
  });

  api.serve('putFetcherState', async ({ params, body }) => {
    requireFittingCursor(body.cursor);
    await writeFetcherState(writes, { adapter: params.adapter, cursor: body.cursor });
    return { status: 204 };
  });

  api.serve('startReset', async ({ request }) => {
    const initiated = await reset.request();
    if (!initiated) {
      throw new Problem('reset-in-progress', {
        status: 409,
        detail: 'A reset is already in progress. Wait for its reset-completed frame on the control stream.',
      });
    }
    const { id, occurredAt } = initiated;
    const subject = subjectOf(access.guard.senderOf(request));
    access.acts.add({ kind: 'reset', subject, detail: { correlation_id: id } });
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
      { before: parsedCursor(query.cursor, parseIdCursor), size: query.limit ?? limits.pageSizeDefault },
    );
    return pageOf(page.records, page.next && idCursor(page.next));
  });

  api.serve('removeDeployment', async ({ params, body: { reason } }) => {
    const id = parseId(params.id);
    const isRemoved =
      id !== undefined &&
      (await writes.session((session) =>
        removeEvent(session, { id, reason, report: ownReport(removalReport, new Date().toISOString(), { id: id }) }),
      ));
    if (!isRemoved) throw new Problem('not-found', { detail: 'No deployment event has this id.' });
    return { status: 204 };
  });

  api.serve('listRemovals', async ({ query }) => {
    const page = await listRemovals(queries, {
      before: parsedCursor(query.cursor, parseIdCursor),
      size: query.limit ?? limits.pageSizeDefault,
    });
    return pageOf(page.records, page.next && idCursor(page.next));
  });

  api.serve('compareFolds', async ({ query }) => {
    const begin = query.fold === undefined ? firstPlace : startOf(query.fold);
    if (!begin) throw invalid([{ pointer: '/fold', message: 'must be a fold' }]);
    const place = { ...begin, ...(query.after !== undefined && { after: query.after }) };
    if (!isPlace(place)) throw invalid([{ pointer: '/after', message: 'must come from an earlier response' }]);
    // Fails sooner than a slow read while the database does not respond.
    await foldPosition(queries);
    return momentary(await questions.session((session) => compareFold(session, place)));
  });
}
