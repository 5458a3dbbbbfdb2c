import type { Dice } from '../random.ts';
import {
  actors,
  customerStages,
  liveStages,
  mainStages,
  previews,
  reporters,
  serviceNames,
  testStages,
} from './names.ts';
import { type ReleaseName, schemeOf, shaOf } from './versions.ts';

/** How a service of the dataset deploys. */
export interface DatasetService {
  readonly name: string;
  /** The environments that a release passes, in order. */
  readonly path: readonly string[];
  /** Environments without a promotion path. */
  readonly previews: readonly string[];
  readonly actors: readonly (string | null)[];
  readonly reporter: string | null;
  /** How often the service deploys, compared with others. */
  readonly weight: number;
  /** The names of a release. */
  readonly nameOf: (release: number) => ReleaseName;
}

/** The services of a dataset. The first one can deploy to every environment. */
export function datasetServices(count: number, dice: Dice): readonly DatasetService[] {
  return serviceNames.slice(0, count).map((name, index) => {
    const isEverywhere = index === 0;
    const some = (percent: number, stages: readonly string[]) =>
      stages.filter(() => isEverywhere || dice.between(1, 100) <= percent);
    const path = [
      ...some(85, mainStages),
      ...some(20, testStages),
      ...some(15, customerStages),
      ...some(60, liveStages),
    ];
    const shas = new Map<number, string>();
    const scheme = schemeOf(index, dice);
    return {
      name,
      path: path.length > 0 ? path : [dice.one(liveStages)],
      previews: some(8, previews),
      actors: [dice.one(actors), dice.one(actors), dice.one(actors)],
      reporter: dice.one(reporters),
      weight: dice.between(1, 6) ** 3,
      nameOf: (release) => {
        const sha = shas.get(release) ?? shaOf(dice);
        shas.set(release, sha);
        return scheme(release, sha);
      },
    };
  });
}
