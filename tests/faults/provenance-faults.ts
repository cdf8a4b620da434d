import type { Place } from './provenance-place.js';

/**
 * A session with something wrong, its root in `root.chat`. `tt`: the tokens that are counted in spite of it; `codes`: the warnings, and
 * how many of each. `size`: how large the fault is, in units of its own; a session that `grows` is to cost four times as much where that
 * is four times as large.
 */
export type DamagedSession = {
  what: string;
  make: (place: Place, size: number) => void | Promise<void>;
  size: number;
  tt: (size: number) => number;
  codes: Record<string, number | ((size: number) => number)>;
  grows: boolean;
};

/** An inference of three tokens. */
export const paid = (id: string): string => `meta: pt=2 ct=1 tt=3 inference_id=${id}\nassistant: Said.\n`;

export const call = (id: string): string => `function_call: ${JSON.stringify({ name: 'ask', arguments: {}, id })}\n`;

export const output = (id: string, more: object): string =>
  `function_call_output: ${JSON.stringify({ id, content: 'said', ...more })}\n`;

export const receipt = (id: string, meta: unknown): string => call(id) + output(id, { meta });

export const infoOf = (dependencies: string[] = []): string =>
  JSON.stringify({ workflow: 'Tide', task_name: 'ask', status: 'done', type: 'string', dependencies });

export const jobAt = (name: string): string => `var/jobs/Tide/ask/${name}`;

/** A job with an answer, an `.info`, and a log of one inference. */
export const writeJob = (
  { write }: Place,
  name: string,
  info: string | Uint8Array = infoOf(),
  log = paid(name),
): void => {
  write(jobAt(name), 'answer');
  write(`${jobAt(name)}.info`, info);
  write(`${jobAt(name)}.files/agent.chat`, `user: Do.\n${log}`);
};

export const many = <Value>(length: number, make: (index: number) => Value): Value[] =>
  Array.from({ length }, (_, index) => make(index));

const session = (what: string, rest: Partial<DamagedSession> & Pick<DamagedSession, 'make'>): DamagedSession => ({
  what,
  size: 1,
  tt: () => 3,
  codes: {},
  grows: false,
  ...rest,
});

/** A root with an inference of its own, and what `make` puts beside it or in its place. */
export const beside = (
  what: string,
  make: DamagedSession['make'],
  rest: Partial<DamagedSession> = {},
): DamagedSession =>
  session(what, {
    make: async (place, size) => {
      place.write('root.chat', `user: Go.\n${paid('root')}`);
      await make(place, size);
    },
    ...rest,
  });

/** A root whose messages are `text`, and an inference of its own behind them. */
export const root = (
  what: string,
  text: (size: number, place: Place) => string,
  rest: Partial<DamagedSession> = {},
): DamagedSession =>
  session(what, {
    make: (place, size) => place.write('root.chat', `user: Go.\n${text(size, place)}${paid('root')}`),
    ...rest,
  });

/** A root with one job, whose `.info` is damaged; its log is still counted. */
export const info = (
  what: string,
  content: (size: number) => string | Uint8Array,
  rest: Partial<DamagedSession> = {},
): DamagedSession =>
  root(
    `an .info that is ${what}`,
    (size, place) => {
      writeJob(place, 'a', content(size));
      return 'meta: job=Tide/ask/a\n';
    },
    { tt: () => 6, codes: { damaged_info: 1 }, ...rest },
  );

/** Jobs of which each names the next ones. */
export const jobs = (
  what: string,
  next: (index: number, size: number) => number[],
  rest: Partial<DamagedSession>,
): DamagedSession =>
  root(
    what,
    (size, place) => {
      for (let index = 0; index < size; index++)
        writeJob(place, `j${index}`, infoOf(next(index, size).map((each) => `Tide/ask/j${each}`)));
      return 'meta: job=Tide/ask/j0\n';
    },
    { tt: (size) => 3 * size + 3, ...rest },
  );

export const circle = (size: number, rest: Partial<DamagedSession> = {}): DamagedSession =>
  jobs(`a circle of ${size} jobs`, (index, length) => [(index + 1) % length], {
    size,
    codes: { dependency_loop: 1 },
    ...rest,
  });
