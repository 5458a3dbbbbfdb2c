import '../style/lists.css';
import { useAddress } from '../ui/app.ts';
import './analytics.css';
import './charts.css';
import { EvidenceDrawer } from './evidence/evidence-drawer.tsx';
import { ScopeFilter } from './links.tsx';
import { Overview } from './overview.tsx';
import { QualityView } from './quality/quality-view.tsx';
import { useQuestion } from './question.ts';
import { ViewTabs } from './view-tabs.tsx';

/** How deployments perform, and whether the data can be trusted. */
export function AnalyticsView() {
  const { tab } = useAddress().figures;
  return tab === 'quality' ? (
    <div class="stack analytics">
      <ViewTabs />
      <QualityView />
    </div>
  ) : (
    <FiguresView />
  );
}

function FiguresView() {
  const question = useQuestion();
  const { evidence } = useAddress().figures;
  const asked = question === undefined || 'fault' in question ? undefined : question;
  // The figures have their final width from the start.
  const isBeside = evidence !== undefined && (question === undefined || asked !== undefined);
  return (
    <ScopeFilter.Provider value={asked?.scope.filter}>
      <div class={isBeside ? 'beside' : ''}>
        <div class="stack analytics">
          <ViewTabs />
          <Overview question={question} />
        </div>
        {evidence !== undefined && asked && <EvidenceDrawer key={evidence} figure={evidence} question={asked} />}
      </div>
    </ScopeFilter.Provider>
  );
}
