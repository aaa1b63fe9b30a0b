import { readFileSync, writeFileSync } from 'node:fs'

// Imported into a process whose memory is measured, see `spawnWithPeakMemory`.
process.once('exit', () => {
  const { PEAK_MEMORY_FILE } = process.env
  if (PEAK_MEMORY_FILE !== undefined) writeFileSync(PEAK_MEMORY_FILE, String(peakKilobytes()))
})

/** The kernel's count for this process; `maxRSS` on Linux includes the memory that the parent had when it started the process. */
function peakKilobytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}
