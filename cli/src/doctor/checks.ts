import { checkContent } from './content_check.ts'
import {
  checkClock,
  checkConnections,
  checkDistribution,
  checkIntegrity,
  checkLog,
  checkSchema,
  checkSessions,
} from './database_checks.ts'
import { checkFiles } from './files_check.ts'
import { checkAddress, checkCertificate, checkContract, checkDisk, checkRuntime } from './machine_checks.ts'
import { checkRedis } from './redis_check.ts'
import { checkUsage } from './usage_check.ts'
import type { HealthCheck } from './finding.ts'

/** The checks of `doctor` that need the settings and the database, in the order of its report. */
export const checks: readonly HealthCheck[] = [
  checkRuntime,
  checkContract,
  checkSchema,
  checkSessions,
  checkDistribution,
  checkIntegrity,
  checkContent,
  checkLog,
  checkUsage,
  checkConnections,
  checkDisk,
  checkFiles,
  checkRedis,
  checkClock,
  checkCertificate,
  checkAddress,
]
