import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessFigures {
  readonly residentBytes: number
  /** Processor time since its start, user and system; undefined if the system does not report it exactly. */
  readonly processorSeconds: number | undefined
  /** Of this, the time of the main thread, which handles requests; undefined if the system does not report it exactly. */
  readonly mainThreadSeconds: number | undefined
}

const TICKS_PER_SECOND = 100 // of /proc, independent of the kernel's own rate
/** Indexes after the process name; `man proc_pid_stat` counts from 3. */
const [UTIME, STIME, CHILDREN_UTIME, CHILDREN_STIME] = [11, 12, 13, 14] as const

export function figuresOf(pid: number): ProcessFigures {
  if (process.platform !== 'linux') {
    return {
      residentBytes: Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024,
      processorSeconds: undefined,
      mainThreadSeconds: undefined,
    }
  }
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return {
    residentBytes: Number(resident) * 1024,
    processorSeconds: processorSecondsIn(`/proc/${pid}/stat`),
    mainThreadSeconds: processorSecondsIn(`/proc/${pid}/task/${pid}/stat`),
  }
}

/**
 * Processor time of a process and its descendants, ended ones included.
 * @returns undefined if the system does not report it
 */
export function processorSecondsOfTree(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  const below = children.reduce((sum, child) => sum + (processorSecondsOfTree(child) ?? 0), 0)
  return below + processorSecondsIn(`/proc/${pid}/stat`, [UTIME, STIME, CHILDREN_UTIME, CHILDREN_STIME])
}

function processorSecondsIn(file: string, parts: readonly number[] = [UTIME, STIME]): number {
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return parts.reduce((sum, part) => sum + Number(fields[part]), 0) / TICKS_PER_SECOND
}
