import { defineCommand } from '../command.js';

export const command = defineCommand({ name: 'doctor', description: 'todo', options: [], examples: [], run: () => 0 });
