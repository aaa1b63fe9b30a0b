import type { Attempt } from './job.ts'

/**
 * Runs work that may take longer than the lease of its job, and extends the lease meanwhile.
 * @param leaseMs the length of each extension
 */
export async function whileExtending<T>(attempt: Attempt, leaseMs: number, work: () => Promise<T>): Promise<T> {
  const extending = setInterval(() => void attempt.extend(leaseMs).catch(() => undefined), leaseMs / 3)
  try {
    return await work()
  } finally {
    clearInterval(extending)
  }
}
