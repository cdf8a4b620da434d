const units = ['', 'K', 'M', 'B', 'T'];

/** A count for reading: `950`, `1.5K`, `12K`, `2M`. Below 10 one decimal, without `.0`; else rounded. */
export const printCount = (count: number): string => {
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = value < 10 ? String(Number(value.toFixed(1))) : String(Math.round(value));
  return `${digits}${units[unit]}`;
};

const shortUnits = ['', 'k', 'M', 'B', 'T'];

/** A count in a column or a picture: `950`, `1.5k`, `12.3k`, `2.0M`. */
export const printShortCount = (count: number): string => {
  let value = count;
  let unit = 0;
  while (value >= 999.95 && unit < shortUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return unit === 0 ? String(count) : `${value.toFixed(1)}${shortUnits[unit]}`;
};

/** A share in percent with one decimal: `13.2%`. */
export const printShare = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;
