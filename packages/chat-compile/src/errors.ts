import { ColophonError, type ErrorFacts, type Message } from '@colophon/chat-format';
import type { CompileContext, Policy } from './context.js';
import { shownAddress, shownFrom, withShownAddresses } from './paths.js';

/** What an error is about: a message of a chat, or only the place and role of one. */
export type Subject = Pick<Message, 'role' | 'at'> | undefined;

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
const quote = (text: string): string => JSON.stringify(shortened(withShownAddresses(shownAddress(text))));

const messageIn = (cause: unknown): string =>
  cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name : String(cause);

/** What was thrown, in words, with what caused it; whatever it was. */
const reason = (cause: unknown): string => {
  const parts: string[] = [];
  try {
    for (let error = cause, depth = 0; depth < 3; depth++) {
      const part = withShownAddresses(messageIn(error));
      if (!parts.some((earlier) => earlier.includes(part))) parts.push(part);
      if (!(error instanceof Error) || error.cause === undefined) break;
      error = error.cause;
    }
    // Each is a sentence of its own, and becomes a part of one.
    return parts.map((part) => part.replace(/(?<!\.)\.$/, '')).join(': ');
  } catch {
    return parts.join(': ') || 'something that can not be read';
  }
};

type Parts = { received: string; expected: string; advice?: string | undefined } & ErrorFacts;

const problem = (code: string, subject: Subject, { received, expected, advice, ...facts }: Parts): ColophonError =>
  new ColophonError(
    code,
    `${subject ? `${subject.role}: ` : ''}expected ${expected}, got ${received}.${advice ? ` ${advice}` : ''}`,
    { at: subject?.at, role: subject?.role, received, expected, ...facts },
  );

/** The chain of files that leads to `target`, as `a.chat:3 → b.chat:1 → target`; files below the working directory are shown from there. */
export const showChain = (context: CompileContext, target: string): string => {
  const shown = (file: string) => shownFrom(context.workingDirectory, shownAddress(file));
  const links = (context.chain ?? []).map(
    ({ file, line }) => `${file ? shown(file) : '(text)'}${line ? `:${line}` : ''}`,
  );
  return [...links, shown(target)].join(' → ');
};

/** `aborted`: the context's signal said stop. */
export const abortedError = (signal: AbortSignal): ColophonError =>
  new ColophonError('aborted', `Compiling was stopped: ${reason(signal.reason)}.`, {
    reason: reason(signal.reason),
    cause: signal.reason,
  });

/** `invalid_message`: an element of an array that is no message. */
export const messageError = (index: number, received: string, cause?: unknown): ColophonError =>
  problem('invalid_message', undefined, {
    received: `${received}${cause === undefined ? '' : ` (${reason(cause)})`} at index ${index}`,
    expected: 'a text or a message {role, content} with a role that is not empty',
    index,
    ...(cause === undefined ? {} : { cause }),
  });

/** `invalid_input`: something that is neither text nor a file nor messages. */
export const inputError = (received: string): ColophonError =>
  problem('invalid_input', undefined, { received, expected: 'chat text, {file: "name"} or an array of messages' });

/** `empty_directive`: a directive that needs a value has none. */
export const emptyError = (subject: Subject, expected: string): ColophonError =>
  problem('empty_directive', subject, { received: 'nothing', expected, advice: 'Write it behind the colon.' });

/** What was looked at in vain: paths in order, and why one of them could not be looked at. */
export type Searched = { places: string[]; cause?: unknown };

/** `not_found`: nothing has that name, or it can't be reached. */
export const notFoundError = (
  subject: Subject,
  name: string,
  kind: string,
  { places, cause }: Searched,
  chain?: string,
) =>
  problem('not_found', subject, {
    received: `${quote(name)}, which ${cause === undefined ? 'is not there' : `can't be reached: ${reason(cause)}`}`,
    expected: `an existing ${kind}`,
    advice: `${chain ? `${chain}. ` : ''}Looked at: ${places.map(shortened).join(', ')}.`,
    name,
    places,
    chain,
    ...(cause === undefined ? {} : { cause }),
  });

const instead: Record<string, string> = {
  file: 'Write `directory:` for the files in a folder.',
  directory: 'Write `file:` for a single file.',
};

/** `wrong_kind`: a folder where a file is needed, the other way round, or something that is neither. */
export const wrongKindError = (subject: Subject, path: string, expected: string, kind: string, chain?: string) =>
  problem('wrong_kind', subject, {
    received: `the ${kind === 'other' ? 'special file' : kind} ${path}`,
    expected: `a ${expected}`,
    advice: chain ? `${chain}. Name a chat file.` : kind === 'other' ? undefined : instead[subject?.role ?? ''],
    path,
    chain,
  });

/** `remote_file`: an address where a file on this machine is needed. */
export const remoteFileError = (subject: Subject, address: string) =>
  problem('remote_file', subject, {
    received: quote(address),
    expected: 'a path on this machine',
    advice: 'Download it first, let a tool fetch it, or name it as `image:` or `pdf:`.',
  });

/** `unreadable`: a file that is there and can't be read. */
export const unreadableError = (subject: Subject, path: string, cause: unknown) =>
  problem('unreadable', subject, {
    received: `${path}: ${reason(cause)}`,
    expected: 'a file that can be read',
    path,
    cause,
  });

/** `not_text`: NUL bytes or invalid UTF-8 where text is needed. */
export const notTextError = (subject: Subject, path: string) =>
  problem('not_text', subject, {
    received: `${path}, which is not text`,
    expected: 'text in UTF-8',
    advice: subject?.role === 'file' ? 'Use `image:` or `pdf:` for such a file, or let a tool read it.' : undefined,
    path,
  });

/** `too_large`: a file over the limit of `file:`, or one that is too long for a string. Sizes in bytes. */
export const tooLargeError = (subject: Subject, path: string, size: number, limit: number) =>
  problem('too_large', subject, {
    received: `${path} with ${size} bytes`,
    expected: `at most ${limit} bytes`,
    advice: 'Put in a part of it, or let a tool read it.',
    path,
    size,
    limit,
  });

/** `total_size`: imports or files add more to the chat than the context allows. Sizes in characters. */
export const totalSizeError = (subject: Subject, what: string, limit: number, chain?: string) =>
  problem('total_size', subject, {
    received: `more than that from ${what}`,
    expected: `at most ${limit} characters put in`,
    advice: `${chain ? `${chain}. ` : ''}Name less, or raise the limit \`totalCharacters\`.`,
    limit,
    chain,
  });

/** `import_cycle`: a chat that imports itself, directly or through others. */
export const importCycleError = (subject: Subject, chain: string) =>
  problem('import_cycle', subject, {
    received: `a cycle of imports: ${chain}`,
    expected: 'a chat that does not import itself',
    advice: 'Take one of these lines out.',
    chain,
  });

/** `import_depth`: a chain of imports that is longer than the limit. */
export const importDepthError = (subject: Subject, limit: number, chain: string) =>
  problem('import_depth', subject, {
    received: `one more: ${chain}`,
    expected: `at most ${limit} files in a chain of imports`,
    limit,
    chain,
  });

/** `import_fetch`: an address that can't be read, or no way to read addresses. */
export const importFetchError = (subject: Subject, address: string, chain: string, cause?: unknown) =>
  problem('import_fetch', subject, {
    received: `${quote(address)}: ${cause === undefined ? 'this context reads no addresses' : reason(cause)}`,
    expected: 'an address that can be read',
    advice: `${chain}.`,
    chain,
    retryable: cause !== undefined,
    cause,
  });

/** `import_role`: a chat from an address holds more than a conversation. */
export const importRoleError = (subject: Subject, allowed: readonly string[], chain: string) =>
  problem('import_role', subject, {
    received: 'this role in a chat from the web',
    expected: `only ${allowed.join(', ')} there`,
    advice: `${chain}. Save the chat as a file, read it, and import that.`,
    chain,
  });

/** `not_allowed`: a directive that would execute something under a policy that executes nothing. */
export const notAllowedError = (subject: Subject, policy: Policy, what: string, chain?: string) =>
  problem('not_allowed', subject, {
    received: what,
    expected: `nothing that has to be run (policy \`${policy}\`)`,
    advice: `${chain ? `${chain}. ` : ''}Compile with the policy \`run\` if you trust this chat.`,
    policy,
    chain,
  });

/** `no_workflows`: a chat names workflows and the context has no engine for them. */
export const noWorkflowsError = (subject: Subject, received: string) =>
  problem('no_workflows', subject, {
    received: `${quote(received)} and no workflow engine`,
    expected: 'a context with `workflows`',
    advice: 'Nothing here can find or run a workflow: pass an engine in the context, or take the line out.',
  });

/** `task_failed`: the engine could not make, run or read what a directive names. */
export const taskFailedError = (subject: Subject, received: string, cause: unknown) =>
  problem('task_failed', subject, {
    received: `${quote(received)}: ${reason(cause)}`,
    expected: 'a task or a job that the engine can run',
    cause,
  });

/** `job_failed`: a job ended without a result. */
export const jobFailedError = (subject: Subject, path: string, status: string, exception: string | undefined) =>
  problem('job_failed', subject, {
    received: `${path} with status \`${status}\`${exception ? `: ${exception}` : ''}`,
    expected: 'a job with a result',
    advice: 'Mend it and compile again, or set `inlineExceptions` in the context to go on with the exception.',
    path,
    status,
    exception,
  });

/** `not_json`: a result, a schema file or an input that is no JSON. */
export const notJsonError = (subject: Subject, what: string, cause?: unknown) =>
  problem('not_json', subject, {
    received: `${what}${cause === undefined ? '' : `: ${reason(cause)}`}`,
    expected: 'JSON',
    cause,
  });

/** `unknown_job`: no job is where one is named. */
export const unknownJobError = (reference: string, folders: readonly string[]) =>
  new ColophonError(
    'unknown_job',
    `there is no job of that path or short path (Workflow/task/name); looked in ${folders.join(', ')}`,
    { reference, folders },
  );

/** `lost_job`: a job without result would have to run, and what is recorded of it makes another one. */
export const lostJobError = (path: string, other: string) =>
  new ColophonError(
    'lost_job',
    `it has no result, and what is recorded of its inputs makes another job now (${other}). Name its task and inputs to run it: task: Workflow task name=value`,
    { path, other },
  );

/** `no_step`: a `step` that no dependency of the chat's last job answers to. */
export const noStepError = (subject: Subject, received: string, expected: string) =>
  problem('no_step', subject, { received, expected });

/** `invalid_role`: a directive that names roles holds something else. */
export const roleNameError = (subject: Subject, received: string) =>
  problem('invalid_role', subject, {
    received: quote(received),
    expected: 'names of roles (small letters, digits, `_`)',
  });

/** `invalid_config`: a line that is not `key value token…`. */
export const configError = (subject: Subject, received: string) =>
  problem('invalid_config', subject, { received: quote(received), expected: '`key value token…`' });

/** `invalid_option`: an option line whose first word is no name. */
export const optionError = (subject: Subject, received: string) =>
  problem('invalid_option', subject, {
    received: quote(received),
    expected: '`name value`',
    advice: received.includes('=') ? 'Put a space between name and value, not `=`.' : undefined,
  });

/** `invalid_inputs`: a line that is not `Workflow task key=value …`; `received` is the part that does not fit. */
export const inputsError = (subject: Subject, received: string, expected: string, advice?: string) =>
  problem('invalid_inputs', subject, { received, expected, advice });

/** `unprintable`: an input that a line can't hold. */
export const unprintableError = (key: string, received: string) =>
  problem('unprintable', undefined, {
    received: `${received} as ${key}`,
    expected: 'text, finite numbers, booleans, null, arrays and objects of them',
    key,
  });
