export { capabilityOrder, memberOf, meOf, userDetail, type Actor, type UserDetail } from './actor.ts'
export { AdministrationError } from './administration_error.ts'
export { asSeen, seenBelow } from './below.ts'
export { RateLimiter, sweepWindows, UNLIMITED, type RateLimitState } from './rate_limiter.ts'
export { requireCapabilities, requireCapability } from './capability.ts'
export type { Database, Transaction } from './database.ts'
export { momentOf, parseDateForm, parseOperandForm } from './dates.ts'
export { invalid, notFound, readOnly, type RecordKind } from './failures.ts'
export type { FileTerms } from './file_terms.ts'
export {
  claimKey,
  freeKey,
  heldKeyError,
  IN_FLIGHT_MS_MAX,
  saveResponse,
  newUse,
  sweepKeys,
  type KeyedRequest,
  type KeyUse,
  type PendingUse,
} from './idempotency.ts'
export { claimJobs, HeldAttempt, type AttemptFailure, type AttemptDeps, type Demand } from './jobs/attempts.ts'
export { countJobs } from './jobs/count.ts'
export { sweepDeadJobs } from './jobs/dead.ts'
export { FinalFailure, Interrupted, type Attempt, type Job, type JobKind, type JobDeps, type NewJob } from './jobs/job.ts'
export { enqueue, enqueueAll, enqueueRecurring, JobQueue } from './jobs/queue.ts'
export { whileExtending } from './jobs/while_extending.ts'
export { defaultLevel, holdsTokens, isFullMember, mayInstall, roleOf, roles } from './membership.ts'
export {
  badCursor,
  badEntry,
  cutPage,
  cutPageAtEntry,
  cutPageById,
  entryOfCursor,
  positionOf,
  presentPaging,
  rowAtCursor,
  type Page,
  type PageRequest,
} from './paging.ts'
export { OutdatedError, withPreparation } from './prepared_change.ts'
export { withQuotaPlace } from './quota_place.ts'
export { RefusalLog, REFUSED_REQUESTS_MAX, type FailedRequest } from './refused_requests.ts'
export type { Scope, WriteScope } from './scope.ts'
export { newSecret, randomBase62 } from './secrets.ts'
export { freeName, withUniqueNames } from './unique_names.ts'
export { isTermIn, splitWords, type WordCounts } from './words/terms.ts'
