import type { Reporter } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { ageOf, plain } from '@shiplog/text';
import { usualSpan } from '../../board/attention-words.ts';
import { useNow } from '../../ui/app.ts';
import { DayTime } from '../../ui/day-time.tsx';
import { reachable } from '../../ui/reachable.ts';
import { intervalsMin, quietIntervals, silenceOf } from './quiet.ts';

/** The reporters and how often they post. Arrival times of individual events are not shown. */
export function Reporters({ reporters }: { readonly reporters: readonly Reporter[] }) {
  const nowMs = useNow();
  const greatest = Math.max(1, ...reporters.map(({ rows_24h }) => rows_24h));
  return (
    <section class="card quality-card reporters" aria-labelledby="reporters">
      <h2 id="reporters">
        Reporters <span class="small">who posts events</span>
      </h2>
      <div class="scroller" ref={reachable}>
        <table class="fine">
          <thead>
            <tr>
              <th scope="col">Reporter</th>
              <th scope="col">Events in 24 h</th>
              <th scope="col">Last</th>
              <th scope="col">Usually every</th>
            </tr>
          </thead>
          <tbody>
            {reporters.map((reporter) => {
              const silence = silenceOf(reporter, nowMs);
              return (
                <tr key={`${reporter.reporter}`} class={silence === 'silent' ? 'silent' : ''}>
                  <th scope="row">
                    {silence && <Mark shape={silence === 'silent' ? 'cross' : 'pause'} />}
                    {silence && <span class="unseen">{silence}: </span>}
                    <bdi class="clamp reporter-name" title={plain(reporterName(reporter))}>
                      {plain(reporterName(reporter))}
                    </bdi>
                  </th>
                  <td>
                    <span class="reporter-track" aria-hidden="true">
                      <span style={{ width: `${(reporter.rows_24h / greatest) * 100}%` }} />
                    </span>
                    {reporter.rows_24h.toLocaleString('en')}
                  </td>
                  <td>
                    {silence && (
                      <>
                        <DayTime at={reporter.last_at} />,{' '}
                      </>
                    )}
                    {agoText(reporter, nowMs)}
                  </td>
                  <td>{usualText(reporter)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="quality-note small">
        A reporter is named by the <code>X-Progress-Reporter</code> header. The filters above don't apply to this list.
        Arrival times of individual events are not shown. A reporter is quiet after {intervalsMin} times its usual
        interval and an hour, and silent after {intervalsMin} times and a day.
      </p>
    </section>
  );
}

function reporterName({ reporter }: Pick<Reporter, 'reporter'>): string {
  return reporter ?? 'no name given';
}

/** Beyond this number of intervals, the exact number is irrelevant. */
const manyIntervals = 1000;

/** The time since the last row. Hidden for a reporter with few rows, because it reveals when a single row arrived. */
export function agoText(reporter: Reporter, nowMs: number): string {
  if (reporter.usual_interval_minutes === null) return 'too few events';
  const age = ageOf(Date.parse(reporter.last_at), nowMs);
  const intervals = quietIntervals(reporter, nowMs);
  const times = intervals === undefined || intervals <= manyIntervals ? intervals : manyIntervals;
  const over = times === intervals ? '' : 'over ';
  const pause = times === undefined ? '' : `, ${over}${times.toLocaleString('en')} × the usual interval`;
  return age === 'now' ? 'just now' : `${age} ago${pause}`;
}

export function usualText({ usual_interval_minutes: minutes }: Pick<Reporter, 'usual_interval_minutes'>): string {
  if (minutes === null) return 'too few events';
  return minutes < 1 / 12 ? 'under 5 s' : usualSpan(minutes);
}
