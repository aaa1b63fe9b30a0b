/** The values of formulas and rollups, which may use each other across data sources. */
export { ComputedValues, type SourceRow } from './computed.ts'
