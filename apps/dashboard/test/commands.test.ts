import { expect, test } from 'vitest';
import { isOffered } from '../src/shell/command-words.ts';
import { commandNames, isPending, runWhenHandled } from '../src/ui/commands.ts';

test('the palette offers a command that needs a view only while that view is open', () => {
  expect(commandNames.filter(isOffered)).toEqual(['failed', 'running', 'behind', 'grid', 'fold', 'before', 'keys']);
});

test('only a command that was run too early waits for its view', () => {
  runWhenHandled('before');
  expect(commandNames.filter(isPending)).toEqual(['before']);
});
