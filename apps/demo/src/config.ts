import { driverLimits, emulatorLimits, fetcherLimits } from '@shiplog/companions';
import { choiceSetting, portSetting, readSettings, type SettingsRule, type ValuesOf } from '@shiplog/server';

export const settings = {
  port: portSetting(3000),
  emulatorPort: portSetting(emulatorLimits.port, 'EMULATOR_PORT'),
  fetcherPort: portSetting(fetcherLimits.port, 'FETCHER_PORT'),
  driverPort: portSetting(driverLimits.port, 'DRIVER_PORT'),
  fetcher: choiceSetting('DEMO_FETCHER', ['on', 'off'], 'on'),
  dataset: choiceSetting('DEMO_DATASET', ['demo', 'large'], 'demo'),
};

/**
 * The ports of the programs (0 for any free one), whether the demo includes the CI emulator and the fetcher, and the
 * events that fill the log.
 */
export type DemoConfig = ValuesOf<typeof settings>;

const differentPorts: SettingsRule<typeof settings> = {
  of: ['port', 'emulatorPort', 'fetcherPort', 'driverPort', 'fetcher'],
  mistake: (config) => {
    const used = portsOf(config).filter(([, port]) => port !== 0);
    for (const [variable, port] of used) {
      const [other] = used.find(([name, another]) => another === port && name !== variable) ?? [];
      if (other) return `${variable} and ${other} are both ${port}; each program needs its own port.`;
    }
    return undefined;
  },
};

function portsOf({ port, emulatorPort, fetcherPort, driverPort, fetcher }: DemoConfig): [string, number][] {
  const fetching: [string, number][] = [
    [settings.emulatorPort.variable, emulatorPort],
    [settings.fetcherPort.variable, fetcherPort],
  ];
  return [
    [settings.port.variable, port],
    ...(fetcher === 'on' ? fetching : []),
    [settings.driverPort.variable, driverPort],
  ];
}

/** @throws SettingsError with one sentence per error. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): DemoConfig {
  return readSettings(settings, environment, [differentPorts]);
}
