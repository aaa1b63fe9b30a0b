import type { Attempt } from './job.ts'

/** Does work that may take longer than the lease of its job, which is extended meanwhile. @param leaseMs of each extension */
export async function whileExtending<T>(attempt: Attempt, leaseMs: number, work: () => Promise<T>): Promise<T> {
  const extending = setInterval(() => void attempt.extend(leaseMs).catch(() => undefined), leaseMs / 3)
  try {
    return await work()
  } finally {
    clearInterval(extending)
  }
}
