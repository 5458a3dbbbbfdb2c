import { expect, test } from 'vitest';
import { packageManifest } from '../manifest.js';

test('the package names the same repository as the workflow that publishes it', () => {
  const env = { GITHUB_SERVER_URL: 'https://git.example.com', GITHUB_REPOSITORY: 'acme/shiplog' };
  expect(packageManifest(env)).toMatchObject({
    homepage: 'https://git.example.com/acme/shiplog#readme',
    repository: { type: 'git', url: 'git+https://git.example.com/acme/shiplog.git' },
  });
  expect(packageManifest({})).not.toHaveProperty('homepage');
});
