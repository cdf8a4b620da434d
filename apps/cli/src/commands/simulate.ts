import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'simulate',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
