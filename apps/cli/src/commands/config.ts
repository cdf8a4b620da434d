import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'config', description: 'todo', options: [], examples: [], run: () => 0 });
