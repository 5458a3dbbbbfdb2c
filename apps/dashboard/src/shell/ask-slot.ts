import type { MatrixRow } from '@shiplog/contract';
import { newestFirst, newestOf, type Slot, slotStatesOf } from '../board/board.ts';
import { boxOf, eventsOfRow, isFailing } from '../board/box.ts';
import { placesNamed } from './environment-names.ts';
import { type Hit, hit, type SearchInput } from './hit.ts';
import { best } from './ranking.ts';
import { wordsBut } from './typed-words.ts';

type Known = Pick<SearchInput, 'board' | 'stages'>;

const fillers = new Set('in is of on the what which version runs running'.split(' '));
const lastGood =
  /\b(?:last|previous) (?:good|working|stable|known good|successful)\b|\broll(?:ing)? ?backs?\b|\bprevious version\b/i;
const lastGoodFillers = new Set('was to before version current one release'.split(' ').concat([...fillers]));

/** Understands "checkout preprod": finds the history of a slot. */
export function slotHits(typed: string, input: Known): Hit[] {
  return slotsNamed(wordsBut(typed, fillers), input).map(({ slot, score }) => {
    const title = titleOf(slot);
    return hit('Go to', title, title, { to: { slot } }, { detail: 'history', score });
  });
}

/** Understands "last good version of checkout in prod"; for "last good" alone, gives an example, if possible of a failed slot. */
export function lastGoodQuestions(typed: string, input: Known): Hit[] {
  if (!lastGood.test(typed)) return [];
  const words = wordsBut(typed.replace(lastGood, ' '), lastGoodFillers);
  const asked = (slot: Slot, detail: string) =>
    hit(
      'Ask',
      `last good ${titleOf(slot)}`,
      `Last good version of ${titleOf(slot)}`,
      { to: { slot } },
      { detail, score: 97 },
    );
  if (words.length > 0) return slotsNamed(words, input).map(({ slot }) => asked(slot, 'history'));
  const boxes = [...input.board.rows.values()].flatMap(slotStatesOf).map((state) => boxOf(state));
  const failed = boxes.filter(isFailing);
  const [newest] = (failed.length > 0 ? failed : boxes).map(({ latest }) => latest).sort(newestFirst);
  if (!newest) return [];
  const { service, environment } = newest;
  return [asked({ service, environment }, `type “last good ${service} ${environment}”`)];
}

function titleOf({ service, environment }: Slot): string {
  return `${service} in ${environment}`;
}

/** The slots for the name of a service and then an environment or a stage. */
function slotsNamed(words: readonly string[], input: Known): { readonly slot: Slot; readonly score: number }[] {
  const { board } = input;
  const last = words.at(-1) ?? '';
  const service = words.slice(0, -1).join(' ');
  if (service === '') return [];
  const [place] = placesNamed(last, input);
  const stage = place && place.environments.length > 1 ? place : undefined;
  const [environment] = stage ? [] : best(last, board.environments, (name) => [name], 1);
  if (!stage && !environment) return [];
  return best(service, board.rows.values(), (row) => [row.service], 3).map(({ value: row, score }) => {
    // Of a stage, the environment with the last deployment of the service.
    const name = environment?.value ?? lastDeployedIn(row, stage?.environments ?? []);
    return { slot: { service: row.service, environment: name }, score: (score + (environment?.score ?? 80)) / 2 };
  });
}

function lastDeployedIn(row: MatrixRow, environments: readonly string[]): string {
  const events = eventsOfRow(row).filter(({ environment }) => environments.includes(environment));
  return newestOf(events)?.environment ?? environments[0] ?? '';
}
