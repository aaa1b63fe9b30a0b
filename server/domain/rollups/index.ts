/**
 * Rollups: pure functions over the values of related rows. `rollUp` gives the value, `fitsRollup` whether a function can gather a
 * property, `unsupportedRollup` stands where it no longer can.
 */
export { fitsRollup } from './fits.ts'
export { isRollupFunction, rollupFunctions, type RollupResult, type RollupSource } from './functions.ts'
export { isEmptyEntry, keyOfEntry } from './entries.ts'
export { rollUp, unsupportedRollup, type IsInLastGroup } from './roll_up.ts'
