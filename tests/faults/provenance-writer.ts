// Lets the chats of a society grow, vanish and be replaced, as fast as it can, until it is stopped: `tsx provenance-writer.ts FOLDER`.
import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { paid } from './provenance-faults.js';

const folder = process.argv[2]!;
const at = (name: string): string => join(folder, `${name}.chat`);

for (let round = 0; ; round = (round + 1) % 200) {
  if (round === 0) writeFileSync(at('grows'), paid('grows'));
  appendFileSync(at('grows'), `user: ${'more '.repeat(2000)}\n`);
  writeFileSync(at('vanishes'), paid('vanishes'));
  writeFileSync(join(folder, 'draft'), `user: ${'x'.repeat(round * 1000)}\n${paid('replaced')}`);
  renameSync(join(folder, 'draft'), at('replaced'));
  rmSync(at('vanishes'));
}
