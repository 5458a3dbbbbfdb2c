import { expect, test } from 'vitest';
import { releaseName, versionOf } from '../src/release.ts';

test.each([
  [{ version: '1.4.2', sha: 'abc' }, '1.4.2', '1.4.2'],
  [{ version: '', sha: '9f1c2ab8d3e4f5a6b7c8' }, '9f1c2ab8d3e4', '9f1c2ab8d3e4'],
  [{ version: null, sha: null }, '', 'gha-1'],
  [{ ref: 'refs/heads/main', run_number: '12' }, '', 'main'],
  [{ run_number: '12' }, '', '12'],
  [{}, '', 'gha-1'],
])('the release of %j has the name %j and the version %j', (fields, name, version) => {
  expect([releaseName({ version: null, ...fields }), versionOf({ deployment_id: 'gha-1', ...fields })]).toEqual([
    name,
    version,
  ]);
});
