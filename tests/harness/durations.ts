import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const FILE = new URL('durations.json', import.meta.url)
const ROOT = new URL('../..', import.meta.url).pathname

/** Shorter files hardly affect how well a run is packed. */
const RECORDED_SECONDS_MIN = 1

/** Seconds that each test file took when the durations were last recorded, by project and path. */
export function recordedDurations(): ReadonlyMap<string, number> {
  return new Map(existsSync(FILE) ? Object.entries(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, number>) : [])
}

/** The key of a test file in `durations.json`. */
export const durationKey = (project: string, path: string): string => `${project} ${relative(ROOT, path)}`

/** Records the durations of a whole run, and keeps those of other files: `RECORD_DURATIONS=true npm run test:all`. */
export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!process.env['RECORD_DURATIONS']) return
    const ran = modules.map((module) => [durationKey(module.project.name, module.moduleId), secondsOf(module)] as const)
    const keys = new Set(ran.map(([key]) => key))
    const others = [...recordedDurations()].filter(([key]) => !keys.has(key) && existsSync(ROOT + key.split(' ')[1]))
    const durations = [...ran, ...others]
      .filter(([, seconds]) => seconds >= RECORDED_SECONDS_MIN)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(durations), null, 2)}\n`)
  }
}

function secondsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic()
  return Math.round((duration + collectDuration + setupDuration) / 100) / 10
}
