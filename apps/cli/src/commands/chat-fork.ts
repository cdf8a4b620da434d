import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'chat fork',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
