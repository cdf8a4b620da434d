import { defineCommand } from '../command.js';

export const command = defineCommand({
  name: 'chat json',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
