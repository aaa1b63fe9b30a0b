import type { Config } from '@workspace-service/server/config.ts'
import type { Database } from '@workspace-service/server/store/database.ts'

export type Health = 'ok' | 'warning' | 'problem' | 'skipped'

/** The result of one check. */
export interface DoctorFinding {
  readonly check: string
  readonly health: Health
  readonly detail: string
  /** How to fix it. */
  readonly advice?: string
}

/** What the checks examine. Checks of something undefined are skipped. */
export interface CheckInput {
  readonly config: Config | undefined
  readonly database: Database | undefined
}

export type HealthCheck = (input: CheckInput) => Promise<DoctorFinding>

export function ok(check: string, detail: string): DoctorFinding {
  return { check, health: 'ok', detail }
}

export function warning(check: string, detail: string, advice: string): DoctorFinding {
  return { check, health: 'warning', detail, advice }
}

export function problem(check: string, detail: string, advice: string): DoctorFinding {
  return { check, health: 'problem', detail, advice }
}

export function skipped(check: string, detail: string): DoctorFinding {
  return { check, health: 'skipped', detail }
}

const GIGABYTE = 1_000_000_000
const SPACE_WARNING_BYTES = GIGABYTE
const SPACE_PROBLEM_BYTES = 100_000_000

export function freeSpace(check: string, freeBytes: number, place: string): DoctorFinding {
  const detail = `${(freeBytes / GIGABYTE).toFixed(1)} GB free at ${place}`
  if (freeBytes < SPACE_PROBLEM_BYTES) return problem(check, detail, 'Free some space: without it, writes fail.')
  return freeBytes < SPACE_WARNING_BYTES ? warning(check, detail, 'Free some space soon.') : ok(check, detail)
}
