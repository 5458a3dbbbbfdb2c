import type { CommandDefinition } from '../definition.ts';

export const doctorCommand: CommandDefinition = {
  name: 'doctor',
  group: 'installation',
  summary: 'Check an installation: a line for each finding, and 1 where there is a fault; it takes up to 25 s.',
  options: [
    { flags: '--expect <component>', description: 'a component that has to report; repeatable', isRepeatable: true },
  ],
  examples: ['shiplog doctor --url https://shiplog.example.com', 'shiplog doctor --expect dashboard-fetcher'],
  run: async (given, context) => (await import('../doctor/doctor.ts')).examine(given, context),
};
