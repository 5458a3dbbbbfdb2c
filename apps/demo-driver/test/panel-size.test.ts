import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sharedPanelFolder } from '@shiplog/panels';
import { expect, test } from 'vitest';
import { appFolder } from '../src/config.ts';

test.each(['../demo-driver/panel', '../mock/panel'])('all that the panel in %s can load is below 50 kB', (panel) => {
  const bytes = [join(appFolder, panel), sharedPanelFolder].flatMap((folder) =>
    readdirSync(folder).map((name) => statSync(join(folder, name)).size),
  );
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000);
});
