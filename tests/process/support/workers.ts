import { readFileSync, readdirSync } from 'node:fs'
import type { RunningProcess } from '../../harness/process.ts'
import { TOKEN } from '../../harness/server.ts'

/** Processes that a process started, by what the kernel says. */
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

/** Each on a connection of its own, so that all workers get some. */
export async function ask(service: RunningProcess, times: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await fetch(`${service.url}/v1/users/me`, {
        headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11', Connection: 'close' },
      })
      await answer.text()
      return answer.status
    }),
  )
}
