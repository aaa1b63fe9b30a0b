export type { ReleaseDate } from '../../generated/types.ts'
export type { Reader } from './lookups.ts'
export { newestRelease, releaseDates } from '../../generated/operations.ts'
export { Translation } from './translation.ts'
