import { expect, test } from 'vitest';
import { parseStages, plainStages, stageFinder, stageNamed, stageNameIn } from '../src/promotion-order.ts';

function stagesIn(text: string) {
  const parsed = parseStages(text);
  if ('mistake' in parsed) throw new Error(parsed.mistake);
  return parsed.stages;
}

const stageOf = (text: string, environment: string) => stageFinder(stagesIn(text))(environment)?.name;

test('the environments of an entry with globs are a stage, and every other entry is one environment', () => {
  expect(stagesIn('dev, staging = staging | uat* ,,production=prod|prod-*|dr')).toEqual([
    { name: 'dev' },
    { name: 'staging', globs: ['staging', 'uat*'] },
    { name: 'production', globs: ['prod', 'prod-*', 'dr'] },
  ]);
});

test('a backslash and the next character are never separators', () => {
  expect(stagesIn('a\\,b,c\\=d,e\\f=g\\|h|i\\,j|k\\=l=m,n\\\\,o')).toEqual([
    { name: 'a,b' },
    { name: 'c=d' },
    { name: 'e\\f', globs: ['g\\|h', 'i\\,j', 'k\\=l=m'] },
    { name: 'n\\\\' },
    { name: 'o' },
  ]);
  const environments = ['G|H', 'i,j', 'k=l=m', '*', 'y'];
  expect(environments.map((name) => stageOf('x=g\\|h|i\\,j|k\\=l=m|\\*', name))).toEqual([
    'x',
    'x',
    'x',
    'x',
    undefined,
  ]);
});

test('an entry without globs is one plain name, whatever characters it contains', () => {
  expect(stagesIn('*,a|b,c?')).toEqual(plainStages(['*', 'a|b', 'c?']));
  expect(stageOf('*,a|b,c?', 'anything')).toBeUndefined();
  expect(stageOf('*,a|b,c?', 'A|B')).toBe('a|b');
});

test('an environment belongs to the first stage that matches it, ignoring case', () => {
  const order = 'dev,early=D*|qa,prod-eu,production=PROD-*';
  const stages = ['DEV', 'demo', 'QA', 'Prod-EU', 'prod-us', 'production', ''].map((name) => stageOf(order, name));
  expect(stages).toEqual(['dev', 'early', 'early', 'prod-eu', 'production', undefined, undefined]);
});

test('a reference to a stage starts with stage: in lower case, and its name ignores case', () => {
  expect(['stage:Prod', 'stage:', 'Stage:prod', 'prod', ' stage:x'].map(stageNameIn)).toEqual([
    'Prod',
    '',
    ...[undefined, undefined, undefined],
  ]);
  const stages = [{ name: 'Live' }, { name: null }];
  expect(stageNamed(stages, 'LIVE')).toBe(stages[0]);
  expect(stageNamed(stages, 'null')).toBeUndefined();
});

const many = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));

test.each([
  ['', /comma-separated environments/],
  [' , ', /comma-separated environments/],
  ['dev,prod,DEV', /"DEV" appears twice/],
  ['dev,DEV=x', /"DEV" appears twice/],
  ['dev,prod=', /the stage "prod" has no glob after "="/],
  ['prod= | ', /the stage "prod" has no glob after "="/],
  ['prod=a||b', /the stage "prod" has an empty glob/],
  [' =a', /a stage has no name before "="/],
  [`a=${'x'.repeat(129)}`, /more than 128 characters/],
  ['a=b\\', /the glob "b\\\\", which ends in a single backslash/],
  ['live=prod-*|x,prod-EU', /no environment can be in the stage "prod-EU", because the earlier stage "live"/],
  [`a=b,${many(20, (at) => `s${at}`).join()}`, /it has 21 stages/],
  [`a=${many(21, (at) => `s${at}`).join('|')}`, /the stage "a" has 21 globs/],
])('the promotion order %j is a mistake', (text, mistake) => {
  expect(parseStages(text)).toEqual({ mistake: expect.stringMatching(mistake) });
});

test.each([
  ['21 plain names', many(21, (at) => `s${at}`).join()],
  ['20 stages and 20 globs', ['a='.concat(many(20, (at) => `x${at}`).join('|')), ...many(19, (at) => `s${at}`)].join()],
  ['a glob of 128 characters', `a=${'\u{1f6a2}'.repeat(128)}`],
  ['a plain name before the glob that matches it', 'prod-eu,live=prod-*'],
  ['a stage of several environments that an earlier one leaves empty', 'live=prod-*,eu=prod-eu'],
  ['a glob that ends in two backslashes', 'a=b\\\\'],
])('a promotion order may have %s', (_, text) => {
  expect(parseStages(text)).toHaveProperty('stages');
});
