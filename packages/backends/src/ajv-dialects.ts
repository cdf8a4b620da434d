// Imported lazily, as one module: a bundler gives the named exports of CommonJS packages to static imports only.
export { Ajv } from 'ajv';
export { Ajv2020 } from 'ajv/dist/2020.js';
export { default as formats } from 'ajv-formats';
