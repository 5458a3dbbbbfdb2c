import { driverLimits } from '@shiplog/companions';
import { integerSetting, portSetting, readSettings, type SettingsRule, type ValuesOf } from '@shiplog/server';

export const settings = {
  port: portSetting(3000),
  driverPort: integerSetting('DRIVER_PORT', { min: 0, max: 65535, fallback: driverLimits.port }),
};

/** The ports of the programs; 0 takes a free one. */
export type DemoConfig = ValuesOf<typeof settings>;

const differentPorts: SettingsRule<typeof settings> = {
  of: ['port', 'driverPort'],
  mistake: ({ port, driverPort }) =>
    port === driverPort && port !== 0
      ? `PORT and DRIVER_PORT are both ${port}; service and driver need a port each.`
      : undefined,
};

/** @throws SettingsError with one sentence per mistake. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): DemoConfig {
  return readSettings(settings, environment, [differentPorts]);
}
