import type { CiRepository } from '@shiplog/companions';
import { invalid, momentary, Problem } from '@shiplog/server';
import { pathOf } from '../domain/model.ts';
import type { EmulatorState } from '../emulator-state.ts';
import type { Place } from '../store.ts';
import { created, type EmulatorApi } from './api.ts';

/** Changes of deployments, repositories and outages (CI emulator §5). */
export function addDeployments(api: EmulatorApi, { store, deployments, outages, clock }: EmulatorState): void {
  api.serve('listCiOutages', async () => momentary({ items: outages.list() }));
  api.serve('reportCiOutage', async ({ body }) => {
    outages.report(body);
    return momentary({ items: outages.list() });
  });

  api.serve('createCiDeployment', async ({ body }) => created(deployments.create(body)));

  api.serve('createCiDeploymentStatus', async ({ params, body }) => {
    const id = deployments.addStatus(params.id, body);
    if (id === undefined) throw unknownDeployment();
    return created({ id });
  });

  api.serve('deleteCiDeployment', async ({ params }) => {
    const found = store.deployment(params.id);
    if (!found) throw unknownDeployment();
    found.deployment.removedAt = clock.now();
    return { status: 204 };
  });

  api.serve('patchCiRepository', async ({ params, body: { forbidden, archived, renamed_to } }) => {
    const place = foundPlace(params);
    if (renamed_to !== undefined) rename(place, renamed_to);
    if (forbidden !== undefined) place.forbidden = forbidden;
    if (archived !== undefined) place.archived = archived;
    return momentary(shown(place));
  });

  api.serve('deleteCiRepository', async ({ params }) => {
    foundPlace(params).removedAt = clock.now();
    return { status: 204 };
  });

  function foundPlace({ owner, repo }: { readonly owner: string; readonly repo: string }): Place {
    const place = store.place(`${owner}/${repo}`);
    if (!place) throw new Problem('not-found', { detail: 'There is no such repository or project.' });
    return place;
  }

  /** The old path redirects to the new one; the id stays the same (CI emulator §12.2). */
  function rename(place: Place, path: string): void {
    const other = store.place(path);
    if (other && other !== place) throw invalid([{ pointer: '/renamed_to', message: `is already in use: ${path}` }]);
    const [owner = '', name = '', ...more] = path.split('/');
    if (place.tool === 'github' && more.length > 0) {
      throw invalid([{ pointer: '/renamed_to', message: 'must be owner/repo' }]);
    }
    store.formerPaths.set(pathOf(place).toLowerCase(), place);
    if (place.tool === 'github') Object.assign(place, { owner, name });
    else place.path = path;
  }
}

function unknownDeployment(): Problem {
  return new Problem('not-found', { detail: 'There is no such deployment.' });
}

function shown(place: Place): CiRepository {
  return { id: place.id, full_name: pathOf(place), forbidden: place.forbidden, archived: place.archived };
}
