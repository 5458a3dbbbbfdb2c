import type { MatrixRow } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import type { GroupLine, HealthyLine } from '../board/arrangement.ts';
import { progressOf } from '../board/progress.ts';
import { groupTitle } from '../board/titles.ts';
import { useBoardContext } from '../ui/app.ts';
import { HealthyNames } from '../ui/healthy-names.tsx';
import { Cut } from '../ui/text.tsx';

interface LineProps<Line> {
  readonly line: Line;
  /** The beginning that all names of the group share. */
  readonly prefix: string;
  readonly onToggle: () => void;
}

interface GroupRowProps extends LineProps<GroupLine> {
  readonly environments: readonly string[];
}

/** A group: its name and how far its services are. */
export function GroupRow({ line: { group, rows, isOpen, canFold }, prefix, environments, onToggle }: GroupRowProps) {
  const name = (
    <>
      <Cut text={groupTitle(group)} /> <span class="small">{rows.length}</span>
    </>
  );
  return (
    <div class="progress-group">
      <h2 class="row strong">
        {canFold ? (
          <button type="button" class="row gap-6 bare strong" aria-expanded={isOpen} onClick={onToggle}>
            <Mark shape="chevron" />
            {name}
          </button>
        ) : (
          name
        )}
        {prefix !== '' && (
          <bdi class="group-prefix cut push soft" title="All these names begin so">
            {plain(prefix)}
          </bdi>
        )}
      </h2>
      <Sections rows={rows} environments={environments} />
    </div>
  );
}

/** How many services of a group are halted, moving, short of production and in production. */
function Sections({
  rows,
  environments,
}: Pick<GroupRowProps, 'environments'> & { readonly rows: readonly MatrixRow[] }) {
  const context = useBoardContext();
  const sections = rows.map((row) => progressOf(row, environments, context)?.section);
  const count = (section: (typeof sections)[number]) => sections.filter((each) => each === section).length;
  const [halted, moving, short, rest] = [count('halted'), count('moving'), count('short'), count('rest')];
  const hasProduction = context.stages.production.size > 0;
  return (
    <span class="wrap fine soft progress-sections">
      {halted > 0 && (
        <b class="row gap-4 bad">
          <Mark shape="bad" /> {halted} <span class="unseen">halted</span>
        </b>
      )}
      {moving > 0 && (
        <b class="row gap-4 run">
          <Mark shape="run" /> {moving} <span class="unseen">moving</span>
        </b>
      )}
      {short > 0 && <span>{short} short of production</span>}
      {rest > 0 && (
        <span>
          {rest} {hasProduction ? 'in production' : 'released'}
        </span>
      )}
    </span>
  );
}

/** Names the services of a group that need no attention. */
export function HealthyRow({ line: { rows, isOpen }, prefix, onToggle }: LineProps<HealthyLine>) {
  return (
    <button type="button" class="row bare progress-healthy soft fine" aria-expanded={isOpen} onClick={onToggle}>
      <Mark shape="chevron" />
      <HealthyNames rows={rows} prefix={prefix} />
    </button>
  );
}
