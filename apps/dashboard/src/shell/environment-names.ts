/** Groups of common names for the same environment (questions.md 10, `look-alike`). */
const alike: readonly (readonly string[])[] = [
  ['prod', 'production', 'prd', 'live'],
  ['stg', 'stage', 'staging'],
  ['dev', 'development'],
];

const startMin = 2;
const namedMax = 3;

/**
 * The environments that a user may mean: the environment with this name, or with an alias of it, or those with this
 * prefix. If exactly one of several with the prefix is a stage, only that stage.
 */
export function environmentsNamed(
  typed: string,
  environments: readonly string[],
  stages: readonly string[],
): readonly string[] {
  const wanted = bare(typed);
  if (wanted === '') return [];
  if (environments.includes(typed.trim())) return [typed.trim()];
  const names = alike.find((group) => group.includes(wanted)) ?? [];
  const same = [[wanted], names].map((some) => environments.filter((name) => some.includes(bare(name))));
  const exact = same.find((some) => some.length > 0);
  if (exact) return exact.slice(0, 1);
  if (wanted.length < startMin) return [];
  const starting = environments.filter((name) => bare(name).startsWith(wanted));
  const promotionOrder = starting.filter((name) => stages.includes(name));
  if (promotionOrder.length === 1) return promotionOrder;
  return starting.sort((one, other) => one.length - other.length).slice(0, namedMax);
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, '');
}
