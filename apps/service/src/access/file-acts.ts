import type { AccessFile } from '@shiplog/access';
import { appendActs, type FileState, lockFileVersion } from '../db/access/acts.ts';
import type { Sessions } from '../db/database.ts';

function fileState({ keys, rules, sharedKey }: AccessFile): FileState {
  return {
    shared_key: sharedKey ? 'on' : 'off',
    keys: Object.fromEntries(keys.map(({ id, ...key }) => [id, JSON.stringify(key)])),
    rules: rules.map(({ number: _, ...rule }) => JSON.stringify(rule)),
  };
}

/** The members of an act about a new version. Rules are identified by their number in the version that has them. */
function fileChange(before: FileState, after: FileState) {
  const ids = (one: FileState, other: FileState) => Object.keys(one.keys).filter((id) => !(id in other.keys));
  const numbers = (one: FileState, other: FileState) =>
    one.rules.flatMap((rule, index) => (other.rules.includes(rule) ? [] : [index + 1]));
  const { shared_key = 'on' } = before;
  return {
    ...(after.shared_key !== shared_key && { shared_key: after.shared_key }),
    keys: {
      added: ids(after, before),
      removed: ids(before, after),
      changed: Object.keys(after.keys).filter((id) => id in before.keys && before.keys[id] !== after.keys[id]),
    },
    rules: { added: numbers(after, before), removed: numbers(before, after) },
  };
}

/** Stores an act for a version that isn't the last one that any instance has noted. */
export function noteVersion(writes: Sessions, digest: string, file: AccessFile): Promise<void> {
  return writes.session((session) =>
    session.transaction(async (queries) => {
      const last = await lockFileVersion(queries);
      if (last?.digest === digest) return;
      const state = fileState(file);
      const change = fileChange(last?.state ?? { keys: {}, rules: [] }, state);
      await appendActs(queries, [{ kind: 'file-changed', subject: null, detail: { digest, ...change, state } }]);
    }),
  );
}
