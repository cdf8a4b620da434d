const units = ['bytes', 'kB', 'MB', 'GB'];

/** A size for people: `812 bytes`, `3.4 kB`, `12 MB`; units of 1000. */
export const printBytes = (bytes: number): string => {
  const step = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
};
