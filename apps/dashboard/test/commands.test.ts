import { expect, test } from 'vitest';
import { command, commandNames, commandSoon, hasCommand, isAwaited } from '../src/ui/commands.ts';

test('a command that no view has registered does nothing, and says so', () => {
  expect(commandNames.map(command)).not.toContain(true);
  expect(commandNames.map(hasCommand)).not.toContain(true);
});

test('a command that is wanted soon is awaited, and no other', () => {
  commandSoon('before');
  expect(commandNames.filter(isAwaited)).toEqual(['before']);
});
