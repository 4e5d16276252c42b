// What is spent for nothing: an option that brings only what the book takes as its prices.

/** @param {{price?: number, name: string}[]} fields @param {{idle: boolean, spends?: string[]|null}} told @returns {string} why an option is worth nothing now, where that is known */
export function vainly(fields, { idle, spends }) {
  if (idle || (spends && !spends.length)) return "Nothing would come of it now.";
  const isPrice = (/** @type {string} */ name) => fields.some((field) => field.price && field.name === name);
  return spends?.every(isPrice) ? "Nothing would come of it now but its price." : "";
}
