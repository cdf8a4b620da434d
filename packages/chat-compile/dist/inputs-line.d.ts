import { type Subject } from './errors.js';
/** A task and what it is given, as one line says it. `name` names the job. */
export type InputsLine = {
    workflow: string;
    task: string;
    inputs: Record<string, unknown>;
    name?: string;
};
/**
 * Reads `Workflow task key=value key2="two words" list=[1,2] flag=true`. Quotes protect everything inside them (`\"`, `\\`, `\n` and
 * the other escapes of JSON); JSON arrays and objects may hold spaces; without quotes a value is typed, and `a,b` is a list of
 * texts. `jobname=` names the job; a key in quotes is always an input. Linear in the length of the text.
 *
 * @throws ColophonError `invalid_inputs` that names what does not fit.
 */
export declare const parseInputsLine: (text: string, subject?: Subject) => InputsLine;
/**
 * Prints a line that `parseInputsLine` reads back as the same: an exact inverse for names that are not empty and inputs that JSON
 * holds. An input that is undefined is left out.
 *
 * @throws ColophonError `unprintable` for any other value.
 */
export declare const printInputsLine: ({ workflow, task, inputs, name }: InputsLine) => string;
