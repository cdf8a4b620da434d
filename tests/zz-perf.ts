import { callMessages, pendingCalls, runCalls } from '@colophon/tools';
import { messageOf } from '../packages/tools/src/message-of.js';
import { redact } from '../packages/tools/src/redact.js';

const now = () => new Date();
const time = async (name: string, f: () => unknown) => {
  const t = performance.now();
  await f();
  console.log(name, (performance.now() - t).toFixed(0), 'ms');
};
const tools = Array.from({ length: 200 }, (_, i) => ({
  name: `t${i}`,
  description: '',
  parameters: { type: 'object', properties: { a: { type: 'integer' } } },
  run: () => i,
}));
for (const n of [1000, 10000, 40000]) {
  const calls = Array.from({ length: n }, (_, i) => ({ id: `c${i}`, name: `t${i % 200}`, arguments: `{"a":${i}}` }));
  await time(`runCalls ${n}`, () => runCalls(calls, tools, { now }));
  await time(`same id ${n}`, () =>
    runCalls(
      calls.map((c) => ({ ...c, id: 'x' })),
      tools,
      { now },
    ),
  );
  const chat = callMessages(calls);
  await time(`pending ${n}`, () => pendingCalls(chat));
}
const unit = 250_000;
for (const s of [
  'sk-',
  'eyJ',
  'eyJ-',
  'eyJaaaaaaaaaaa.',
  'Bearer ',
  'Bearer      ',
  '://',
  '://a:',
  'api_key',
  'api_key = ',
  'password=',
  '?key=',
  'ghp_-',
  'a',
  'AKIA',
  '-',
  '\n  at ',
  ':1:1',
  'password"   :   "',
  'github_pat-',
  'basic ',
  '@',
  '    ',
  'xoxb-a',
])
  for (const k of [1, 2]) {
    const text = s.repeat((unit * k) / s.length);
    const t = performance.now();
    redact(text);
    messageOf(new Error(text));
    const ms = performance.now() - t;
    if (ms > 60) console.log(JSON.stringify(s), k, ms.toFixed(0));
  }
