import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessFigures {
  readonly residentBytes: number
  /** Processor time since its start, user and system; undefined if the system does not report it exactly. */
  readonly processorSeconds: number | undefined
  /** The part of its main thread, which answers requests; undefined likewise. */
  readonly mainThreadSeconds: number | undefined
}

const TICKS_PER_SECOND = 100 // of /proc, whatever the kernel's own rate
const UTIME = 11 // counted from the field behind the name, as `man proc_pid_stat` does from 3

/** Figures of a process from the operating system. */
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

function processorSecondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) / TICKS_PER_SECOND
}
