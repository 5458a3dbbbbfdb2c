import { DeploymentEventIngest, type FieldError, limits, patterns } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server/validation';
import { usageFailure } from '../failure.ts';
import type { RowValue } from './file-rows.ts';

export interface Row {
  readonly event: DeploymentEventIngest;
  /** The value of the reporter header; empty if the row has none. */
  readonly reporter: string;
}

export type Validation = { readonly row: Row } | { readonly faults: readonly FieldError[] };

const reporterField = 'progress_reporter';
const parentsField = 'parent_deployments';
const fields: readonly string[] = [...Object.keys(DeploymentEventIngest.properties), reporterField];

const validate = compileValidator({
  ...DeploymentEventIngest,
  properties: {
    ...DeploymentEventIngest.properties,
    [reporterField]: {
      type: ['string', 'null'],
      maxLength: limits.progressReporter,
      pattern: patterns.progressReporter,
    },
  },
});

export interface RowRulesOptions {
  readonly map?: readonly string[];
  /** Rules in the form `field=value`, which override the row. */
  readonly set?: readonly string[];
}

/**
 * Turns rows into events by the ingest rules, and reports all faults of a row at once. Drops the `id` of an exported
 * row. @throws Failure for an invalid rule.
 */
export function rowRules({ map = [], set = [] }: RowRulesOptions): (value: RowValue) => Validation {
  const columns = pairs('map', map);
  const values = pairs('set', set);
  return (value) => {
    const row: Record<string, unknown> = { ...value };
    for (const column of columns.values()) delete row[column];
    for (const [field, column] of columns) {
      if (value[column] === undefined) delete row[field];
      else row[field] = value[column];
    }
    for (const [field, text] of values) row[field] = text;
    return validated(row);
  };
}

function validated({ id: _, ...given }: Record<string, unknown>): Validation {
  const row = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parents = row[parentsField];
  if (typeof parents === 'string') row[parentsField] = parentsIn(parents);
  if (row[reporterField] === '') delete row[reporterField];
  const faults = validate(row);
  if (faults.length > 0) return { faults };
  const { [reporterField]: reporter, ...members } = row;
  const sent = Object.entries(members).filter(([, member]) => member !== null);
  const event = Object.fromEntries(sent) as unknown as DeploymentEventIngest;
  return { row: { event, reporter: `${reporter ?? ''}` } };
}

/** The ids in a cell: a JSON array, or a list separated by semicolons. */
function parentsIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {}
  return text.split(';').map((id) => id.trim());
}

function pairs(option: string, given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((pair) => {
      const at = pair.indexOf('=');
      const field = pair.slice(0, Math.max(0, at));
      if (!fields.includes(field)) {
        const start = `Start it with one of ${fields.join('=, ')}=.`;
        throw usageFailure(`--${option} ${JSON.stringify(pair)} doesn't name an event field. ${start}`);
      }
      return [field, pair.slice(at + 1)];
    }),
  );
}
