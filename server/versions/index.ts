export type { ReleaseDate } from '../../generated/types.ts'
export type { Reader } from './lookups.ts'
export { newestRelease, releaseDates } from './releases.ts'
export { Translation } from './translation.ts'
