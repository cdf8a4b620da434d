import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'cache', description: 'todo', options: [], examples: [], run: () => 0 });
