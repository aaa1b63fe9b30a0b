import { cpus, loadavg, platform, release, totalmem } from 'node:os'

export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  readonly time: string
  /** Load average of the last minute: other work distorts the figures. */
  readonly loadAverage: number
}

export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    time: new Date().toISOString(),
    loadAverage: loadavg()[0] ?? 0,
  }
}
