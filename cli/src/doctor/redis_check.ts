import { inspectRedis } from '@workspace-service/server/store/open_counters.ts'
import { ok, problem, skipped, type DoctorFinding, type CheckInput } from './finding.ts'

const CHECK = 'redis'

/** Whether requests can be counted in Redis: it responds, has the commands, and accepts writes. */
export async function checkRedis({ config }: CheckInput): Promise<DoctorFinding> {
  if (config === undefined) return skipped(CHECK, 'not checked without valid settings')
  if (config.redisUrl === undefined) return skipped(CHECK, 'REDIS_URL is not set')
  const { host } = new URL(config.redisUrl)
  try {
    return ok(CHECK, `Redis ${await inspectRedis(config.redisUrl)} at ${host} counts requests`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return problem(
      CHECK,
      `${host} cannot be used: ${reason}`,
      'Check REDIS_URL and the permissions of its user. Until then, each process counts on its own.',
    )
  }
}
