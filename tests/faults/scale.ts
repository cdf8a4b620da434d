/** How often a fault is tried: in full for `npm run faults`, a twentieth of it in `npm test`. */
export const times = (full: number): number =>
  process.env['COLOPHON_FAULTS'] === 'full' ? full : Math.max(1, Math.round(full / 20));
