import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'chat print',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
