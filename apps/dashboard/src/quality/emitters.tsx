import type { Reporter } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useNow } from '../ui/app.ts';
import { Mark } from '../ui/mark.tsx';
import { agoText, reporterName, usualText } from './markdown.ts';
import { silenceOf } from './quiet.ts';

/** Who posts, and how often. When a single row arrived is told nowhere. */
export function Emitters({ emitters }: { readonly emitters: readonly Reporter[] }) {
  const nowMs = useNow();
  const greatest = Math.max(1, ...emitters.map(({ rows_24h }) => rows_24h));
  return (
    <section class="card quality-card reporters" aria-labelledby="reporters">
      <h2 id="reporters">
        Emitters <span class="small">who tells Shiplog what happens</span>
      </h2>
      <div class="reporters-scroller" ref={reachable}>
        <table>
          <thead>
            <tr>
              <th scope="col">Reporter</th>
              <th scope="col">Rows in 24 h</th>
              <th scope="col">Last</th>
              <th scope="col">Usually every</th>
            </tr>
          </thead>
          <tbody>
            {emitters.map((emitter) => {
              const silence = silenceOf(emitter, nowMs);
              return (
                <tr key={`${emitter.reporter}`} class={silence ?? ''}>
                  <th scope="row">
                    {silence && <Mark shape={silence === 'silent' ? 'cross' : 'pause'} />}
                    {silence && <span class="unseen">{silence}: </span>}
                    <bdi>{plain(reporterName(emitter))}</bdi>
                  </th>
                  <td class="emitter-rows">
                    <span class="reporter-track" aria-hidden="true">
                      <span style={{ width: `${(emitter.rows_24h / greatest) * 100}%` }} />
                    </span>
                    {emitter.rows_24h.toLocaleString('en')}
                  </td>
                  <td>{agoText(emitter, nowMs)}</td>
                  <td>{usualText(emitter)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p class="small">
        An emitter is the <code>X-Progress-Reporter</code> of a request, whatever is chosen above. When a single row
        arrived is never shown.
      </p>
    </section>
  );
}

/** An element that scrolls has to be reachable by the keyboard. */
function reachable(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0;
}
