import { expect, test } from 'vitest';
import { anEventSeen, aPost, kinds } from './made-up.ts';
import { checkOrder, checkPosts, type PostFacts } from './posts.ts';

/** Two stored posts, and a post that a reset cleared. */
const kept: PostFacts = {
  posts: [aPost('1'), aPost('3'), aPost('5', { completedBefore: 1 })],
  events: ['1', '3', '5'].map((id) => anEventSeen(id)),
  log: new Set(['5']),
  clearings: ['4'],
};

test.each<[string, Partial<PostFacts>, string[]]>([
  ['a cleared post may be missing', {}, []],
  ['a post without a response may be stored', { posts: [...kept.posts.slice(1), unanswered('1')] }, []],
  ['a post without a response may be missing', { posts: [...kept.posts, unanswered('9')] }, []],
  [
    'a post that returns a database error may be stored',
    { posts: [...kept.posts.slice(1), refused('1', 'unavailable')] },
    [],
  ],
  ['a stored post that is missing counts as lost', { log: new Set() }, ['lost']],
  [
    'a post that is stored twice counts as duplicated',
    { events: [...kept.events, anEventSeen('6', { key: 'key-5' })] },
    ['duplicated'],
  ],
  ['an event that was never posted counts as invented', { events: [...kept.events, anEventSeen('7')] }, ['invented']],
  [
    'a stored post that the reset gate rejected counts as invented',
    { posts: [...kept.posts.slice(1), refused('1', 'reset-in-progress')] },
    ['invented'],
  ],
  [
    'a stored post that was rejected as invalid counts as invented',
    { posts: [...kept.posts.slice(1), refused('1', 'validation', 422)] },
    ['invented'],
  ],
  ['a row that survives a reset is a fault of the reset', { log: new Set(['3', '5']) }, ['reset']],
  [
    'a reset must not clear a later post',
    { posts: [aPost('1'), aPost('3', { completedBefore: 1 }), aPost('5')] },
    ['reset'],
  ],
])('%s', (_, facts, due) => {
  expect(kinds(checkPosts({ ...kept, ...facts }))).toEqual(due);
});

test.each([
  ['an event posted after another was acknowledged may have the greater id', [0, 1, 2, 3], []],
  ['events posted at the same time may have any order', [1, 3, 0, 2], []],
  ['an event posted after another was acknowledged must not have the smaller id', [2, 3, 0, 1], ['out of order']],
] as const)('%s', (_, [sent1, answered1, sent2, answered2], due) => {
  const posts = [
    aPost('1', { sentAt: sent1, answeredAt: answered1 }),
    aPost('2', { sentAt: sent2, answeredAt: answered2 }),
  ];
  expect(kinds(checkOrder(posts))).toEqual(due);
});

function unanswered(number: string) {
  return aPost(number, { status: undefined, id: undefined });
}

function refused(number: string, problem: string, status = 503) {
  return aPost(number, { status, problem, id: undefined });
}
