// Prints the results of a test run: "passed failed", then each failed test with the start of its message.
import { readFileSync } from 'node:fs';

const run = JSON.parse(readFileSync('node_modules/.test-results.json', 'utf8'));
process.stdout.write(
  `${run.numPassedTests} ${run.numTotalTests - run.numPassedTests - run.numPendingTests - run.numTodoTests}\n`,
);
for (const { name, message, assertionResults } of run.testResults) {
  const file = name.slice(process.cwd().length + 1);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed) tell(`${file}: ${fullName}`, failureMessages.join('\n'));
  if (failed.length === 0 && message) tell(file, message);
}

function tell(what, why) {
  process.stdout.write(`${what}\n    ${why.slice(0, 600).replaceAll('\n', '\n    ')}\n`);
}
