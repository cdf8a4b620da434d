import manifest from '../package.json' with { type: 'json' };
import { groups, listedCommands, type TableEntry } from './command-table.js';
import { renderCommandHelp, renderGroupHelp, renderHelp } from './help.js';
import { nearest } from './near.js';
import { openOutputs } from './output.js';

/** Prints the version and returns the exit code. */
export const showVersion = async (): Promise<number> => {
  const { stdout } = openOutputs();
  stdout.line(manifest.version);
  await stdout.flush();
  return 0;
};

/** Prints the help that a name asks for: of a command, of a group, of the whole. An unknown name is wrong usage: exit code 2. */
export const showHelp = async (name: string | undefined, entry: TableEntry | undefined): Promise<number> => {
  const { stdout, stderr } = openOutputs();
  const layout = { color: stdout.color, width: Math.min(stdout.columns, 100) };
  if (entry) {
    stdout.line(renderCommandHelp((await entry.load()).command, layout));
  } else if (name === undefined) {
    stdout.line(renderHelp(layout));
  } else if (name in groups) {
    stdout.line(renderGroupHelp(name, layout));
  } else {
    const near = nearest(name, [...listedCommands.map((known) => known.name), ...Object.keys(groups)]);
    stderr.line(
      `colophon: unknown command \`${name}\`${near ? `; did you mean \`${near}\`?` : '; see `colophon --help`'}`,
    );
  }
  await Promise.all([stdout.flush(), stderr.flush()]);
  return entry || name === undefined || name in groups ? 0 : 2;
};
