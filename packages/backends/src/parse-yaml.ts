// Imported lazily: a bundler gives the named exports of CommonJS packages to static imports only.
export { parse as parseYaml } from 'yaml';
