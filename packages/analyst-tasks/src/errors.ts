import { ColophonError } from '@colophon/chat-format';
import type { z } from 'zod';

/** `bad_address`: text that names no message. */
export const badAddress = (text: string): ColophonError =>
  new ColophonError(
    'bad_address',
    `Address ${JSON.stringify(text)}: expected \`path#index\`, as \`message_index\` and \`chat_tool_calls\` list them${/\[(?:agent_)?meta,\d+\]$/.test(text) ? '; an entry of a receipt is shown by `meta_evidence`' : ''}`,
    { address: text },
  );

/** `unknown_root`: neither a chat nor a job. */
export const unknownRoot = (name: string, places: readonly string[]): ColophonError =>
  new ColophonError('unknown_root', `${name}: no such chat or job; looked at ${places.join(', ')}`, { name, places });

/** `wrong_root`: a job where a chat is expected. */
export const wrongRoot = (task: string, path: string): ColophonError =>
  new ColophonError('wrong_root', `${path} is a job; ${task} takes the path of a chat`, { task, path });

/** `unknown_task`. */
export const unknownTask = (name: string, known: readonly string[]): ColophonError =>
  new ColophonError('unknown_task', `Unknown task ${JSON.stringify(name)}; there are ${known.join(', ')}`, { name });

/** `invalid_input`: an input that a task does not take, or not so. */
export const invalidInput = (task: string, error: z.ZodError): ColophonError =>
  new ColophonError(
    'invalid_input',
    `${task}: ${error.issues
      .map(({ path, message }) => (path.length > 0 ? `\`${path.join('.')}\`: ${message}` : message))
      .join('; ')}`,
    { task, issues: error.issues },
  );

/** `invalid_input` told in words. */
export const badInput = (task: string, problem: string): ColophonError =>
  new ColophonError('invalid_input', `${task}: ${problem}`, { task });
