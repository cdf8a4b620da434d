import { ColophonError, type Message } from '@colophon/chat-format';
import type { CompileContext, Policy } from './context.js';
/** What an error is about: a message of a chat, or only the place and role of one. */
export type Subject = Pick<Message, 'role' | 'at'> | undefined;
/** The chain of files that leads to `target`, as `a.chat:3 → b.chat:1 → target`; files below the working directory are shown from there. */
export declare const showChain: (context: CompileContext, target: string) => string;
/** `aborted`: the context's signal said stop. */
export declare const abortedError: (signal: AbortSignal) => ColophonError;
/** `invalid_message`: an element of an array that is no message. */
export declare const messageError: (index: number, received: string, cause?: unknown) => ColophonError;
/** `invalid_input`: something that is neither text nor a file nor messages. */
export declare const inputError: (received: string) => ColophonError;
/** `empty_directive`: a directive that needs a value has none. */
export declare const emptyError: (subject: Subject, expected: string) => ColophonError;
/** What was looked at in vain: paths in order, and why one of them could not be looked at. */
export type Searched = {
    places: string[];
    cause?: unknown;
};
/** `not_found`: nothing has that name, or it can't be reached. */
export declare const notFoundError: (subject: Subject, name: string, kind: string, { places, cause }: Searched, chain?: string) => ColophonError;
/** `wrong_kind`: a folder where a file is needed, the other way round, or something that is neither. */
export declare const wrongKindError: (subject: Subject, path: string, expected: string, kind: string, chain?: string) => ColophonError;
/** `remote_file`: an address where a file on this machine is needed. */
export declare const remoteFileError: (subject: Subject, address: string) => ColophonError;
/** `unreadable`: a file that is there and can't be read. */
export declare const unreadableError: (subject: Subject, path: string, cause: unknown) => ColophonError;
/** `not_text`: NUL bytes or invalid UTF-8 where text is needed. */
export declare const notTextError: (subject: Subject, path: string) => ColophonError;
/** `too_large`: a file over the limit of `file:`, or one that is too long for a string. Sizes in bytes. */
export declare const tooLargeError: (subject: Subject, path: string, size: number, limit: number) => ColophonError;
/** `total_size`: imports or files add more to the chat than the context allows. Sizes in characters. */
export declare const totalSizeError: (subject: Subject, what: string, limit: number, chain?: string) => ColophonError;
/** `import_cycle`: a chat that imports itself, directly or through others. */
export declare const importCycleError: (subject: Subject, chain: string) => ColophonError;
/** `import_depth`: a chain of imports that is longer than the limit. */
export declare const importDepthError: (subject: Subject, limit: number, chain: string) => ColophonError;
/** `import_fetch`: an address that can't be read, or no way to read addresses. */
export declare const importFetchError: (subject: Subject, address: string, chain: string, cause?: unknown) => ColophonError;
/** `import_role`: a chat from an address holds more than a conversation. */
export declare const importRoleError: (subject: Subject, allowed: readonly string[], chain: string) => ColophonError;
/** `not_allowed`: a directive that would execute something under a policy that executes nothing. */
export declare const notAllowedError: (subject: Subject, policy: Policy, what: string, chain?: string) => ColophonError;
/** `no_workflows`: a chat names workflows and the context has no engine for them. */
export declare const noWorkflowsError: (subject: Subject, received: string) => ColophonError;
/** `task_failed`: the engine could not make, run or read what a directive names. */
export declare const taskFailedError: (subject: Subject, received: string, cause: unknown) => ColophonError;
/** `job_failed`: a job ended without a result. */
export declare const jobFailedError: (subject: Subject, path: string, status: string, exception: string | undefined) => ColophonError;
/** `not_json`: a result, a schema file or an input that is no JSON. */
export declare const notJsonError: (subject: Subject, what: string, cause?: unknown) => ColophonError;
/** `unknown_job`: no job is where one is named. */
export declare const unknownJobError: (reference: string, folders: readonly string[]) => ColophonError;
/** `lost_job`: a job without result would have to run, and what is recorded of it makes another one. */
export declare const lostJobError: (path: string, other: string) => ColophonError;
/** `no_step`: a `step` that no dependency of the chat's last job answers to. */
export declare const noStepError: (subject: Subject, received: string, expected: string) => ColophonError;
/** `invalid_role`: a directive that names roles holds something else. */
export declare const roleNameError: (subject: Subject, received: string) => ColophonError;
/** `invalid_config`: a line that is not `key value token…`. */
export declare const configError: (subject: Subject, received: string) => ColophonError;
/** `invalid_option`: an option line whose first word is no name. */
export declare const optionError: (subject: Subject, received: string) => ColophonError;
/** `invalid_inputs`: a line that is not `Workflow task key=value …`; `received` is the part that does not fit. */
export declare const inputsError: (subject: Subject, received: string, expected: string, advice?: string) => ColophonError;
/** `unprintable`: an input that a line can't hold. */
export declare const unprintableError: (key: string, received: string) => ColophonError;
