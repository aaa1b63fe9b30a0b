/**
 * Rollups: pure functions over the values of related rows. `rollUp` computes the value, `fitsRollup` tells whether a function can
 * aggregate a property, and `unsupportedRollup` is the value if it no longer can.
 */
export { fitsRollup } from './fits.ts'
export { isRollupFunction, rollupFunctions, type RollupResult, type RollupSource } from './functions.ts'
export { isEmptyEntry, keyOfEntry } from './entries.ts'
export { rollUp, unsupportedRollup, type IsInLastGroup } from './roll_up.ts'
