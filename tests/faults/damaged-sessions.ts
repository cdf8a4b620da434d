import { execFileSync } from 'node:child_process';
import {
  beside,
  call,
  circle,
  type DamagedSession,
  info,
  infoOf,
  jobAt,
  jobs,
  many,
  output,
  paid,
  receipt,
  root,
  writeJob,
} from './provenance-faults.js';

const marshal = Buffer.from('\x04\b{\b:\vstatusI"\tdone\x06:\x06ET', 'latin1');

const oddReferences = [
  'x'.repeat(10_000),
  'a/'.repeat(5000),
  '..',
  '/',
  '.',
  '../../..',
  '~',
  'root.chat',
  '/dev/zero',
  '%00',
  'a\u0000b',
  '[object Object]',
];

const oddNames = [
  'a\nb',
  'a\rb',
  '"quoted" \'name\'',
  '\u001b[31mred',
  '-rf',
  ' ',
  'x'.repeat(240),
  'a#1',
  '%2e%2e',
  '\ud83d\ude00',
];

const tornLine = Buffer.from(output('k', { meta: [{ pt: 1, tt: 1, inference_id: 'é' }] }).trimEnd());
const tornLengths = [...tornLine.keys()].slice(tornLine.indexOf('{') + 1);

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const ofInfos = [
  info('an array', () => '[{"status":"done"}]'),
  info('empty', () => ''),
  info('a number', () => '7'),
  info('null', () => 'null'),
  info('cut off', () => infoOf(['Tide/ask/b']).slice(0, 40)),
  info('Ruby Marshal', () => marshal),
  info('Ruby Marshal, cut off', () => marshal.subarray(0, 12)),
  info('in Latin-1', () => Buffer.from('{"status":"caf\xe9"}', 'latin1'), { codes: {} }),
  info('nested without end', nested, { size: 1_000_000 }),
  info('50 MB of nothing', (size) => Buffer.alloc(size), { size: 50_000_000 }),
  info('50 MB, and whole', (size) => JSON.stringify({ status: 'done', note: 'n'.repeat(size) }), {
    size: 50_000_000,
    codes: {},
  }),
];

const ofJobs = [
  circle(1),
  circle(2),
  circle(3),
  circle(10_000, { grows: true }),
  jobs('a chain of 10,000 jobs', (index, size) => (index + 1 < size ? [index + 1] : []), { size: 10_000, grows: true }),
  jobs(
    'jobs that share what they need',
    (index, size) => [2 * index + 1, 2 * index + 2].filter((each) => each < size),
    {
      size: 4000,
      grows: true,
    },
  ),
  root(
    '2,000 agents, each asked by the one before',
    (size, place) => {
      const ask = (index: number) => (index < size ? receipt(`k${index}`, [{ job: `Tide/ask/j${index}` }]) : '');
      for (let index = 0; index < size; index++)
        writeJob(place, `j${index}`, infoOf(), paid(`j${index}`) + ask(index + 1));
      return ask(0);
    },
    { size: 2000, tt: (size) => 3 * size + 3, grows: true },
  ),
];

const ofReceipts = [
  root(
    'a receipt of 5,000 entries',
    (size) =>
      receipt(
        'k',
        many(size, (index) => ({ pt: 1, tt: 1, inference_id: `e${index}` })),
      ),
    {
      size: 5000,
      tt: (size) => size + 3,
      grows: true,
    },
  ),
  root(
    '10,000 receipts of one job',
    (size, place) => {
      writeJob(place, 'a');
      return many(size, (index) => receipt(`k${index}`, [{ job: 'Tide/ask/a' }])).join('');
    },
    { size: 10_000, tt: () => 6, grows: true },
  ),
  root(
    '10,000 receipts of jobs that are gone',
    (size) => many(size, (index) => receipt(`k${index}`, [{ job: `Tide/ask/gone${index}` }])).join(''),
    {
      size: 10_000,
      codes: { unresolved_job_reference: (size) => size },
      grows: true,
    },
  ),
  root(
    '10,000 receipts that are none',
    (size) => many(size, (index) => receipt(`k${index}`, index % 2 ? 'oops' : [7])).join(''),
    {
      size: 10_000,
      codes: { not_a_hash: (size) => size / 2, not_an_array: (size) => size / 2 },
      grows: true,
    },
  ),
  root(
    '10,000 copies that disagree',
    (size) =>
      receipt(
        'k',
        many(size, (index) => ({ pt: index + 2, tt: 3, inference_id: 'one' })),
      ),
    {
      size: 10_000,
      tt: () => 6,
      codes: { identity_conflict: 1 },
      grows: true,
    },
  ),
  root('calls that share one id', (size) => many(size, () => receipt('k', [{ pt: 1, tt: 1 }])).join(''), {
    size: 10_000,
    tt: (size) => size + 3,
    grows: true,
  }),
  root(
    'receipts, arguments and outputs that are nested without end',
    (depth) =>
      [
        `function_call_output: {"id":"a","content":"","meta":${nested(depth)}}`,
        `function_call_output: {"id":"b","content":"","meta":[${'{"pt":'.repeat(depth)}1${'}'.repeat(depth)}]}`,
        `function_call: {"name":"read","id":"c","arguments":${nested(depth)}}`,
        `function_call_output: {"id":"c","content":${nested(depth)}}\n`,
      ].join('\n'),
    { size: 100_000, codes: { not_a_hash: 1, empty_meta: 1 } },
  ),
  root(
    'references that no file can have',
    () =>
      oddReferences.map((reference) => `meta: job=${reference}\n`).join('') +
      receipt(
        'k',
        [...oddReferences, 7, null, {}, [], true, ''].map((job) => ({ job })),
      ),
    { codes: { empty_meta: 3, unresolved_job_reference: 10 } },
  ),
];

const ofChats = [
  root('a message of 30 MB', (size) => `user: ${'long '.repeat(size)}\n`, { size: 6_000_000 }),
  root('an output of 30 MB', (size) => call('k') + output('k', { content: 'a "b"\n'.repeat(size) }), {
    size: 5_000_000,
  }),
  root('a chat of a million lines', (size) => `user:\n\n${'line\n'.repeat(size)}\n`, { size: 1_000_000, grows: true }),
  root('a chat of a million messages', (size) => 'user: x\n'.repeat(size), { size: 1_000_000, grows: true }),
  root(
    '100,000 inferences that only their place tells apart',
    (size) => 'user: x\nmeta: pt=1 tt=1\nassistant: y\n'.repeat(size),
    {
      size: 100_000,
      tt: (size) => size + 3,
      grows: true,
    },
  ),
  beside(
    'a chat in Latin-1',
    ({ write }) => write('root.chat', Buffer.from(`user: caf\xe9?\n${paid('root')}`, 'latin1')),
    { codes: { not_utf8: 1 } },
  ),
  beside(
    'files that are no text in the place of chats',
    ({ write }) => {
      write('root.society/picture.chat', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0'.repeat(100), 'latin1'));
      write('root.society/wide.chat', Buffer.from(`\ufeffuser: Go.\n${paid('lost')}`, 'utf16le'));
      write('root.society/zeroes.chat', Buffer.alloc(100_000));
    },
    { codes: { not_text: 3 } },
  ),
  beside(
    'a last line that breaks off behind each of its bytes',
    ({ write }) => {
      for (const length of tornLengths) write(`root.society/${length}.chat`, tornLine.subarray(0, length));
    },
    { codes: { torn_message: tornLengths.length } },
  ),
];

const ofFiles = [
  beside(
    'a pipe, a socket and a folder in the place of chats',
    async ({ write, pipe, socket, makeFolder }) => {
      pipe('root.chat.files/pipe.chat');
      await socket('root.chat.files/socket.chat');
      makeFolder('root.chat.files/folder.chat');
      pipe('root.society/Pilot/one/agent.chat');
      write('root.chat.files/agent.chat', paid('agent'));
    },
    { tt: () => 6, codes: { unreadable: 3 } },
  ),
  root(
    'pipes in the place of an .info and of a result',
    (_, place) => {
      place.pipe(`${jobAt('a')}.info`);
      place.write(`${jobAt('b')}.info`, JSON.stringify({ status: 'done', type: 'chat' }));
      place.pipe(jobAt('b'));
      place.write(`${jobAt('b')}.files/agent.chat`, paid('b'));
      return 'meta: job=Tide/ask/a\nmeta: job=Tide/ask/b\n';
    },
    { tt: () => 6, codes: { damaged_info: 1 } },
  ),
  beside(
    'names with line ends, quotes and half characters',
    (place) => {
      for (const [index, name] of oddNames.entries())
        place.write(`root.society/${name}/${name}.chat`, `user: Do.\n${paid(`n${index}`)}`);
      // No string of this runtime has such a name.
      execFileSync('sh', [
        '-c',
        'echo "meta: tt=3 inference_id=bytes" > "$1$(printf "caf\\351.chat")"',
        'sh',
        place.at('root.society/'),
      ]);
    },
    { tt: () => 33, codes: { vanished: 1 } },
  ),
  beside(
    'links in circles',
    ({ link, write, makeFolder }) => {
      link('root.chat.files/self.chat', 'self.chat');
      link('root.chat.files/one.chat', 'two.chat');
      link('root.chat.files/two.chat', 'one.chat');
      link('root.chat.files/again.society', '..');
      link('root.society', 'root.society');
      link(`${jobAt('loop')}.info`, 'loop.info');
      makeFolder('root.chat.files/agent.society');
      link('root.chat.files/agent.society/up', '..');
      link('root.chat.files/agent.society/root.chat', '../../root.chat');
      write('root.chat.files/agent.society/Pilot/agent.chat', paid('pilot'));
    },
    { tt: () => 6, codes: { link_broken: 3 } },
  ),
  beside(
    'folders 1,000 deep',
    ({ write }, size) => write(`root.society/${'d/'.repeat(size)}agent.chat`, paid('deep')),
    {
      size: 1000,
      tt: () => 6,
      grows: true,
    },
  ),
  beside(
    '20,000 chats in one folder',
    ({ write }, size) => {
      for (let index = 0; index < size; index++)
        write(`root.society/Pilot/a${index}.chat`, `user: x\n${paid(`p${index}`)}`);
    },
    { size: 20_000, tt: (size) => 3 * size + 3, grows: true },
  ),
  ...[false, true].map((closed) =>
    beside(
      `a ${closed ? 'circle' : 'chain'} of 10,000 imports`,
      ({ write }, size) => {
        write('root.chat', `import: c0.chat\nuser: Go.\n${paid('root')}`);
        for (let index = 0; index < size; index++) {
          const next = index + 1 < size ? index + 1 : 0;
          write(
            `c${index}.chat`,
            `${next > 0 || closed ? `import: c${next}.chat\n` : ''}user: x\n${paid(`i${index}`)}`,
          );
        }
      },
      { size: 10_000, grows: true },
    ),
  ),
];

/** Sessions as crashes, other programs, full disks and people leave them. */
export const damagedSessions: DamagedSession[] = [...ofInfos, ...ofJobs, ...ofReceipts, ...ofChats, ...ofFiles];
