import { SettingsError } from '@shiplog/server';
import { expect, test } from 'vitest';
import { readConfig } from '../src/index.ts';

const usual = { port: 3000, emulatorPort: 3100, fetcherPort: 8080, driverPort: 3001, fetcher: 'on', dataset: 'demo' };

test.each([
  [{}, {}],
  [
    { PORT: '4000', EMULATOR_PORT: '4100', FETCHER_PORT: '9090', DRIVER_PORT: '0' },
    { port: 4000, emulatorPort: 4100, fetcherPort: 9090, driverPort: 0 },
  ],
  [
    { PORT: '0', EMULATOR_PORT: '0', FETCHER_PORT: '0', DRIVER_PORT: '0' },
    { port: 0, emulatorPort: 0, fetcherPort: 0, driverPort: 0 },
  ],
  [{ DEMO_FETCHER: 'off' }, { fetcher: 'off' }],
  [{ DEMO_DATASET: 'large' }, { dataset: 'large' }],
  [
    { DEMO_FETCHER: 'off', PORT: '8080', DRIVER_PORT: '3100' },
    { fetcher: 'off', port: 8080, driverPort: 3100 },
  ],
])('the environment %j results in the settings %j', (environment, config) => {
  expect(readConfig(environment)).toEqual({ ...usual, ...config });
});

test.each([
  [{ PORT: 'x' }, 'PORT is "x"; it must be an integer from 0 to 65535.'],
  [{ DRIVER_PORT: '65536' }, 'DRIVER_PORT is "65536"; it must be an integer from 0 to 65535.'],
  [{ DEMO_DATASET: 'huge' }, 'DEMO_DATASET is "huge"; it must be one of demo, large.'],
  [{ DEMO_FETCHER: 'no' }, 'DEMO_FETCHER is "no"; it must be one of on, off.'],
  [{ PORT: '3001' }, 'PORT and DRIVER_PORT are both 3001; each program needs its own port.'],
  [{ PORT: '8080' }, 'PORT and FETCHER_PORT are both 8080; each program needs its own port.'],
  [{ FETCHER_PORT: '3100' }, 'EMULATOR_PORT and FETCHER_PORT are both 3100; each program needs its own port.'],
  [{ DEMO_FETCHER: 'off', PORT: '3001' }, 'PORT and DRIVER_PORT are both 3001; each program needs its own port.'],
])('the environment %j is refused', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new SettingsError(sentence));
});
