import { defineCommand } from '../command.js';
export const command = defineCommand({
  name: 'chat check',
  description: 'todo',
  options: [],
  examples: [],
  run: () => 0,
});
