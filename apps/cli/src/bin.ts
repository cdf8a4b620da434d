#!/usr/bin/env node
import { commandTable, groups } from './command-table.js';
import { takeCommand } from './take-command.js';

const words = process.argv.slice(2);
const { name, rest, wantsHelp, wantsVersion } = takeCommand(
  words[0] === 'help' ? [...words.slice(1), '--help'] : words,
  Object.keys(groups),
);
const entry = commandTable.find((known) => known.name === name);

const run = async (): Promise<number> => {
  if (wantsVersion) return (await import('./show-help.js')).showVersion();
  if (entry === undefined || wantsHelp) return (await import('./show-help.js')).showHelp(name, entry);
  const [{ runCommand }, { command }] = await Promise.all([import('./run-command.js'), entry.load()]);
  return runCommand(command, rest);
};

void run().then((code) => process.exit(code));
