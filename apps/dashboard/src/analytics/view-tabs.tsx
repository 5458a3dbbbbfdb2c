import { type QualityReport, withoutHistory } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { findingsIn } from './quality/finding-groups.ts';
import { useQualityScope } from './quality/quality-scope.ts';
import '../style/view-tabs.css';

export function ViewTabs() {
  const { figures } = useAddress();
  const tab = (name: typeof figures.tab) => ({
    to: { slot: undefined, figures: { ...figures, tab: name, evidence: undefined } },
    'aria-current': figures.tab === name ? ('page' as const) : undefined,
  });
  return (
    <nav class="view-tabs" aria-label="Analytics">
      <Link {...tab('overview')}>Overview</Link>
      <Link {...tab('quality')}>
        Data quality <Verdict />
      </Link>
    </nav>
  );
}

/** The number of findings, with a dot; nothing while it is unknown. */
function Verdict() {
  const { client } = useApp().connection;
  const scope = useQualityScope();
  const query = 'fault' in scope ? undefined : scope.query;
  const answer = useAnswer(
    async (signal) => {
      const { body } = await client.getQuality({ query: { ...query, limit: 1 }, signal });
      return withoutHistory(body);
    },
    [JSON.stringify(query)],
  );
  if (answer.kind !== 'here') return null;
  const [tone, text] = verdictOf(answer.value);
  return (
    <span class={`verdict row small ${tone}`}>
      <i /> {text}
    </span>
  );
}

export function verdictOf({
  emitters,
  counts,
}: Pick<QualityReport, 'emitters' | 'counts'>): readonly [tone: string, text: string] {
  if (emitters.length === 0) return ['', 'no data yet'];
  const count = findingsIn(counts);
  return count === 0 ? ['ok', 'no findings'] : ['run', pluralize(count, 'finding')];
}
