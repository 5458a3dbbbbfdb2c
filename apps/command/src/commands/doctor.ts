import type { CommandDefinition } from '../definition.ts';

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  group: 'installation',
  summary: 'Check an installation. Prints one line per finding and exits with 1 if there is a fault. Takes up to 25 s.',
  options: [
    { flags: '--expect <component>', description: 'a component that must report; repeatable', isRepeatable: true },
  ],
  examples: ['shiplog doctor --url https://shiplog.example.com', 'shiplog doctor --expect dashboard-fetcher'],
  run: async (given, context) => (await import('../doctor/doctor.ts')).examine(given, context),
};
