import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../image.js');
const programs = ['buildah', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(programs.length < 2)(
  'two builds with equal inputs produce images with equal digests (needs buildah, mmdebstrap)',
  () => {
    const build = () => {
      const said = execFileSync(process.execPath, [script, '--base', 'debian'], { encoding: 'utf8' });
      return { megabytes: Number(/(\d+) MB compressed/.exec(said)?.[1]), digest: said.trimEnd().split('\n').at(-1) };
    };
    const first = build();
    expect(first.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(first.megabytes).toBeLessThan(120);
    expect(build()).toEqual(first);
  },
);
