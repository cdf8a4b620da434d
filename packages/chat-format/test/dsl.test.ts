import { type Chat, chat, parseChat, printChat } from '@colophon/chat-format';
import { expect, test } from 'vitest';

const id = (content: string) => ({ role: 'previous_response_id', content });
const user = (content: string) => ({ role: 'user', content });
const meta = (content: string) => ({ role: 'meta', content });

/** The one message that a chat of one verb holds. */
const only = (made: Chat) => {
  expect(made).toHaveLength(1);
  return made[0];
};

test('every verb that adds a message adds it in place and can be chained', () => {
  const made = chat();
  const last = made
    .system('s')
    .user('u')
    .assistant('a')
    .message('note', 'n')
    .import('i.chat')
    .importLast('l.chat')
    .continue('c.chat')
    .file('f.txt')
    .directory('d')
    .image('i.png')
    .pdf('p.pdf')
    .introduce('Atlas')
    .job('/j')
    .inlineJob('/k')
    .endpoint('harbour')
    .model('m-1');
  expect(last).toBe(made);
  expect(made.map(({ role, content }) => `${role}: ${content}`)).toEqual([
    ...['system: s', 'user: u', 'assistant: a', 'note: n', 'import: i.chat', 'last: l.chat', 'continue: c.chat'],
    ...['file: f.txt', 'directory: d', 'image: i.png', 'pdf: p.pdf', 'introduce: Atlas', 'job: /j', 'inline_job: /k'],
    ...['endpoint: harbour', 'model: m-1'],
  ]);
  expect(parseChat(made.print())).toEqual(made);
  expect(made.print()).toBe(printChat(made));
});

test('tools, tasks and associations take their inputs as a line or as values', () => {
  expect(only(chat().tool('Atlas'))).toEqual({ role: 'tool', content: 'Atlas' });
  expect(only(chat().tool('Atlas', 'survey', 'coast depth=3'))).toEqual({
    role: 'tool',
    content: 'Atlas survey coast depth=3',
  });
  expect(
    only(
      chat().task('Atlas', 'survey', {
        coast: 'two "words"\n',
        list: [1, 'a'],
        deep: true,
        none: null,
        absent: undefined,
      }),
    ),
  ).toEqual({
    role: 'task',
    content: 'Atlas survey coast="two \\"words\\"\\n" list=[1,"a"] deep=true none=null',
  });
  expect(only(chat().inlineTask('Atlas', 'survey'))).toEqual({ role: 'inline_task', content: 'Atlas survey' });
  expect(only(chat().execTask('Atlas', 'survey', {}))).toEqual({ role: 'exec_task', content: 'Atlas survey' });
  expect(only(chat().association('towns', 't.tsv', { undirected: true }))).toEqual({
    role: 'association',
    content: 'towns t.tsv undirected=true',
  });
});

test('an option value keeps its type', () => {
  const content = (value: unknown) => only(chat().option('x', value))?.content;
  expect(content(0.2)).toBe('x 0.2');
  expect(content('end of report')).toBe('x end of report');
  expect(content('0.2')).toBe('x "0.2"');
  expect(content('true')).toBe('x "true"');
  expect(content('nil')).toBe('x "nil"');
  expect(content('')).toBe('x ""');
  expect(content(' a')).toBe('x " a"');
  expect(content('"q"')).toBe('x "\\"q\\""');
  expect(content(['a'])).toBe('x ["a"]');
  expect(only(chat().format('json'))).toEqual({ role: 'format', content: 'json' });
  expect(only(chat().format({ type: 'object' }))).toEqual({ role: 'format', content: '{"type":"object"}' });
});

test('a tag wraps its content, with its name as an attribute', () => {
  expect(only(chat().tag('text', 'a "b" <c> & d.txt'))).toEqual({
    role: 'user',
    content: '<file name="a &quot;b&quot; &lt;c&gt; &amp; d.txt">\ntext\n</file>',
  });
  expect(only(chat().tag('text', undefined, 'plan', 'assistant'))).toEqual({
    role: 'assistant',
    content: '<plan>\ntext\n</plan>',
  });
});

test('following keeps what comes after the id, and the id leads', () => {
  const made = chat([user('a'), id('old'), user('b')]);
  expect(made.follow([user('held'), id('r1'), user('c')])).toBe(made);
  expect(made).toEqual([id('r1'), user('a'), user('b'), user('c')]);
  expect(chat([user('a')]).append([user('b')])).toEqual([user('a'), user('b')]);
  expect(chat([user('a'), id('r')]).append([user('b')])).toEqual([user('a'), id('r'), user('b')]);
  expect(chat([]).follow([id('r1'), user('x'), id('r2')])).toEqual([id('r2')]);
});

test('prepending is the same seen from the other side', () => {
  const made = chat([user('held'), id('r'), user('c')]);
  expect(made.prepend([user('a')])).toBe(made);
  expect(made).toEqual([id('r'), user('a'), user('c')]);
  expect(chat([user('b')]).prepend([user('a'), id('r')])).toEqual([user('a'), id('r'), user('b')]);
});

test('a chat follows itself', () => {
  const made = chat([user('a')]);
  expect(made.follow(made)).toEqual([user('a'), user('a')]);
});

test('branch, purge and shed are copies with verbs; the chat stays', () => {
  const made = chat([user('a'), user('b'), id('r')]);
  const branch = made.branch().user('c');
  expect(branch).toHaveLength(4);
  expect(made).toHaveLength(3);
  expect(made.purge().user('c')).toEqual([user('a'), user('b'), user('c')]);
  expect(made.final()).toEqual(user('b'));
  expect(made.answer()).toBe('b');
  expect(made.shed().branch()).toEqual([user('b')]);
  expect([chat().final(), chat().answer(), chat().shed()]).toEqual([undefined, undefined, []]);
});

test('messages of a role are listed, or taken out', () => {
  const made = chat([user('a'), meta('tt=1'), user('b')]);
  expect(made.roleMessages('user')).toEqual([user('a'), user('b')]);
  expect(made.removeRole('user')).toEqual([user('a'), user('b')]);
  expect(made).toEqual([meta('tt=1')]);
  expect(made.removeRole('user')).toEqual([]);
});

test('metas and the jobs that they name', () => {
  const made = chat([meta('job=/a'), user('x'), meta('tt=1 job=7'), meta('job=')]);
  expect(made.jobPaths()).toEqual(['/a', '7']);
  expect(made.lastJob()).toBe('7');
  expect(made.meta()).toEqual({ job: '' });
  expect(made.addMeta('note', 'a=b').meta()).toEqual({ job: '', note: 'a=b' });
  expect(made[2]).toEqual(meta('tt=1 job=7'));
  expect([chat().meta(), chat().lastJob(), chat().jobPaths()]).toEqual([undefined, undefined, []]);
  expect(chat([user('a')]).addMeta('tt', 3)).toEqual([user('a'), meta('tt=3')]);
});
