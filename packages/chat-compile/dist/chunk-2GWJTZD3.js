// src/context.ts
var defaultLimits = { importDepth: 32, totalCharacters: 2e7, fileBytes: 5e6 };
var createContext = (options) => ({
  roots: [options.workingDirectory],
  policy: "run",
  ...options,
  config: [...options.config ?? []],
  grants: { writable: [...options.grants?.writable ?? []], readable: [...options.grants?.readable ?? []] },
  limits: { ...defaultLimits, ...options.limits }
});

export {
  createContext
};
