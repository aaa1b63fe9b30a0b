import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadJob, LoadResult } from './job.ts'

/** The process that generates the load. It is kept for the whole run, so that it stays warm. */
export interface Load {
  /** @throws Error if a request fails or a connection breaks */
  run(job: LoadJob): Promise<LoadResult>
  stop(): void
}

export function startLoad(): Load {
  const worker = fork(join(import.meta.dirname, 'worker.ts'), { stdio: 'inherit' })
  return {
    async run(job) {
      const result = once(worker, 'message')
      worker.send(job)
      const [message] = (await result) as [{ result: LoadResult } | { error: string }]
      if ('error' in message) throw new Error(`${job.url}: ${message.error}`)
      const others = Object.entries(message.result.statuses).filter(([status]) => !status.startsWith('2'))
      if (others.length > 0)
        throw new Error(
          `${job.url}${job.requests[0]?.path} returned ${others.map(([status, count]) => `${count} × ${status}`).join(', ')}`,
        )
      return message.result
    },
    stop: () => worker.disconnect(),
  }
}
