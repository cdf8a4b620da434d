import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'completion',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
