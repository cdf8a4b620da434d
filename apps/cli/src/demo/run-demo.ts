import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createColors } from 'picocolors';
import type { MachineContext } from '../context.js';
import { type DemoSession, demoQuestion, inFolder, runSession } from './demo-session.js';
import type { LiveModel } from './live-models.js';
import { provenanceLines } from './show-provenance.js';
import { reportLines } from './show-report-lines.js';
import { createStage } from './show-session.js';

const makeFolder = async ({ assets }: MachineContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-demo-'));
  await cp(join(assets, 'demo'), folder, { recursive: true });
  await rm(join(folder, 'recorded.chat'));
  await mkdir(join(folder, 'var', 'jobs'), { recursive: true });
  return folder;
};

/** Commands that work as they stand, on what the demo left. */
const nextCommands = (
  folder: string,
  chat: string,
  { program }: MachineContext,
): readonly (readonly [line: string, does: string])[] => [
  [`${program} chat md ${chat}`, 'read the conversation'],
  [`${program} ask -d --root ${folder} -c ${chat} "The worst month?"`, 'see the next prompt, without sending it'],
  [`${program} workflow jobs --root ${folder}`, 'the jobs that its tools left'],
  [`${program} chat fork ${chat}`, 'its messages by number: start anew at any of them'],
];

/** Shows a session from the chat file to the evidence. Returns what it left. */
export const runDemo = async (
  live: LiveModel | undefined,
  machine: MachineContext,
): Promise<DemoSession & { folder: string }> => {
  const folder = await makeFolder(machine);
  const context = inFolder(folder, machine);
  const { bold, dim } = createColors(context.stdout.color);
  const stage = createStage(context);
  const chat = join(folder, 'library.chat');

  stage.say(`${bold('colophon')}: a session from the chat file to its evidence`);
  stage.say(
    live === undefined
      ? dim("The model's replies are a recording: no key, no network. All else happens now.")
      : dim(`A live model answers: ${live.model ?? 'the default model'} of ${live.backend}, by ${live.by}.`),
  );

  stage.heading('A chat is a file');
  stage.say(`  ${dim(chat)}`);
  stage.quote(await readFile(chat, 'utf8'));

  stage.heading(`It is asked: ${demoQuestion}`);
  const session = await runSession(folder, live, stage.onEvent, context);

  stage.heading('What is stored, and what the model saw of it');
  stage.sides(session);

  stage.heading('What was recorded as evidence');
  stage.evidence(session);

  stage.heading('What came from what, and what it cost');
  for (const line of await provenanceLines(chat, stage.width, context)) stage.say(line);

  stage.heading('The report on it');
  for (const line of await reportLines(chat, stage.width, context)) stage.say(line);

  stage.heading('Try next');
  for (const [line, does] of nextCommands(folder, chat, context)) stage.say(`  ${dim(`# ${does}`)}\n  ${line}`);
  return { ...session, folder };
};

/** The same session without showing it. */
export const runQuietly = async (
  live: LiveModel | undefined,
  context: MachineContext,
): Promise<DemoSession & { folder: string }> => {
  const folder = await makeFolder(context);
  return { ...(await runSession(folder, live, () => {}, inFolder(folder, context))), folder };
};
