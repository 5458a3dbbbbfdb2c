import type { MatrixRow } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import { slotStateIn } from './board.ts';
import { lastSuccessIn } from './drift.ts';
import type { Stages } from './stages.ts';

/** The columns that the viewer chose. Other columns follow by promotion order, then by name. */
export interface ColumnChoice {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
}

/** A column of the grid: one environment, or all environments of a folded stage. */
export interface Column {
  readonly key: string;
  /** The name of the stage, or `otherStages`; '' = outside the promotion order. */
  readonly stage: string;
  readonly environments: readonly string[];
  readonly isFolded: boolean;
}

/**
 * The environments from left to right: those that the viewer ordered, then the stages, then the others in the order of
 * the service, and production last.
 */
export function columnOrder(
  environments: readonly string[],
  { all, ofEnvironment }: Stages,
  { order, hidden }: ColumnChoice,
): string[] {
  const rank = (name: string) => {
    const stage = ofEnvironment.get(name);
    if (!stage) return all.length;
    return stage.isProduction ? all.length + 1 : all.indexOf(stage);
  };
  const byStage = [...environments].sort((left, right) => rank(left) - rank(right));
  const chosen = order.filter((name) => environments.includes(name));
  return [...new Set([...chosen, ...byStage])].filter((name) => !hidden.includes(name));
}

/** Keeps the previous order. Environments that have appeared since follow before production. */
export function steadyColumns(before: readonly string[], now: readonly string[], { production }: Stages): string[] {
  const left = before.filter((name) => now.includes(name));
  const arrived = now.filter((name) => !before.includes(name));
  const last = left.findLastIndex((name) => !production.has(name)) + 1;
  return left.toSpliced(last, 0, ...arrived);
}

const rareShare = 0.25;
/** A single column is not folded, because that would save no space. */
const severalMin = 2;

/** The environments outside the promotion order that under a quarter of these services use. */
export function rarelyUsed(
  columns: readonly string[],
  rows: readonly MatrixRow[],
  { ofEnvironment }: Stages,
  { order }: Pick<ColumnChoice, 'order'>,
): ReadonlySet<string> {
  const isRare = (name: string) => {
    const uses = rows.reduce((sum, row) => sum + Number(slotStateIn(row, name) !== undefined), 0);
    return uses < rareShare * rows.length;
  };
  const rare = columns.filter((name) => !ofEnvironment.has(name) && !order.includes(name) && isRare(name));
  return new Set(rare.length >= severalMin ? rare : []);
}

const agreeingShare = 0.75;

/** The stages in which most services run one version in all environments that have the service. */
export function agreeingStages(
  columns: readonly string[],
  rows: readonly MatrixRow[],
  { all }: Stages,
): ReadonlySet<string> {
  return new Set(
    all.flatMap(({ name, environments }) => {
      const shown = environments.filter((each) => columns.includes(each));
      const versions = rows.map((row) => shown.flatMap((each) => lastSuccessIn(row, each) ?? []).map(versionOf));
      const several = versions.filter(({ length }) => length >= severalMin);
      const agreeing = several.filter((each) => new Set(each).size === 1);
      return shown.length >= severalMin && agreeing.length >= agreeingShare * several.length ? [name] : [];
    }),
  );
}

/** The key of the rarely used environments where others have the name of their stage. */
export const otherStages = '-';

/**
 * The columns for some environments; those of a folded stage share the position of the first one. Rarely used
 * environments come before production, like a stage of their own.
 */
export function columnsFor(
  environments: readonly string[],
  { ofEnvironment, production }: Stages,
  rare: ReadonlySet<string>,
  folded: ReadonlySet<string>,
): Column[] {
  const columns = new Map<string, Column>();
  const used = environments.filter((name) => !rare.has(name));
  const last = used.findLastIndex((name) => !production.has(name)) + 1;
  for (const name of used.toSpliced(last, 0, ...environments.filter((each) => rare.has(each)))) {
    const stage = rare.has(name) ? otherStages : (ofEnvironment.get(name)?.name ?? '');
    const isFolded = stage !== '' && folded.has(stage);
    const key = isFolded ? `stage ${stage}` : name;
    columns.set(key, { key, stage, environments: [...(columns.get(key)?.environments ?? []), name], isFolded });
  }
  return [...columns.values()].map((column) =>
    column.environments.length >= severalMin ? column : { ...column, isFolded: false },
  );
}

/** Folds or unfolds the stage of a column, whatever the board does by default. */
export function toggledStage(
  { stage, isFolded }: Pick<Column, 'stage' | 'isFolded'>,
  { wide, narrow }: Readonly<Record<'wide' | 'narrow', readonly string[]>>,
): Record<'wide' | 'narrow', readonly string[]> {
  const without = (stages: readonly string[]) => stages.filter((other) => other !== stage);
  return isFolded
    ? { wide: [...without(wide), stage], narrow: without(narrow) }
    : { wide: without(wide), narrow: [...without(narrow), stage] };
}
