import { readFileSync, readdirSync } from 'node:fs'
import { newestRelease } from '../../../generated/operations.ts'
import type { RunningProcess } from '../../harness/process.ts'
import { TOKEN } from '../../harness/server.ts'

/** Child processes, as the kernel reports them. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        return Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) === pid
      } catch {
        return false
      }
    })
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Each request has a separate connection, so that all workers get some. */
export async function requestWorkers(service: RunningProcess, times: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(`${service.url}/v1/users/me`, {
        headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': newestRelease, Connection: 'close' },
      })
      await response.text()
      return response.status
    }),
  )
}
