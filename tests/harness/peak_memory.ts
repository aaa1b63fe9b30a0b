import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { scratchFolder } from './databases.ts'
import { spawnProcess, type ServiceProcess } from './process.ts'

export interface MeasuredProcess extends ServiceProcess {
  /** Maximum resident memory in megabytes. Available once the process has exited by itself. */
  peakMegabytes(): number
}

/** Like `spawnProcess`, for a process that reports its peak memory at exit. */
export function spawnWithPeakMemory(
  script: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): MeasuredProcess {
  const file = join(scratchFolder('peak-memory-'), 'kilobytes')
  const reporting = { NODE_OPTIONS: `--import=${resolve(import.meta.dirname, 'report_peak_memory.ts')}`, PEAK_MEMORY_FILE: file }
  const child = spawnProcess(script, words, { ...settings, ...reporting })
  return {
    ...child,
    peakMegabytes() {
      const megabytes = Number(readFileSync(file, 'utf8')) / 1024
      if (!(megabytes > 0)) throw new Error('the process has not reported its memory')
      return megabytes
    },
  }
}
