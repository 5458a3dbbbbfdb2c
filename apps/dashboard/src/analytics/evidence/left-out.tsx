import type { EvidenceReport } from '@shiplog/contract';
import { home } from '../../state/address.ts';
import { Link } from '../../ui/link.tsx';
import { reasonWords } from '../answers.ts';

/** The number of items left out for each reason, most frequent first. */
export function LeftOut({ report, production }: { readonly report: EvidenceReport; readonly production: string }) {
  const { figure, left_out } = report;
  const all = left_out.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  const reasons = [...left_out].sort((one, other) => other.count - one.count);
  return (
    <section class="left-out" aria-label="Left out, and why">
      <h3>Left out: {all.toLocaleString('en')}, and why</h3>
      <dl class="card">
        {reasons.map(({ reason, count }) => {
          const { what, todo, isFault } = reasonWords(reason, figure, production);
          return (
            <div key={reason}>
              <dt>
                <b class="strong">{count.toLocaleString('en')}</b> {what}
              </dt>
              <dd class="small">
                {todo} {isFault && <Link to={{ view: 'quality', quality: home.quality }}>See log quality</Link>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
