import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'endpoints',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
