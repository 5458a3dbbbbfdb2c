import { SettingsError } from '@shiplog/server';
import { expect, test } from 'vitest';
import { readConfig } from '../src/index.ts';

test.each([
  [{}, { port: 3000, driverPort: 3001 }],
  [
    { PORT: '4000', DRIVER_PORT: '0' },
    { port: 4000, driverPort: 0 },
  ],
  [
    { PORT: '0', DRIVER_PORT: '0' },
    { port: 0, driverPort: 0 },
  ],
])('the environment %j gives the ports %j', (environment, config) => {
  expect(readConfig(environment)).toEqual(config);
});

test.each([
  [{ PORT: 'x' }, 'PORT is "x"; it takes an integer from 0 to 65535.'],
  [{ DRIVER_PORT: '65536' }, 'DRIVER_PORT is "65536"; it takes an integer from 0 to 65535.'],
  [{ PORT: '3001' }, 'PORT and DRIVER_PORT are both 3001; service and driver need a port each.'],
])('the environment %j is refused', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new SettingsError(sentence));
});
