/**
 * Plants mistakes in copies of the tree, one at a time, and counts those that the tests notice: `npm run test:faults`.
 * `-- --area paging` takes one list, `--only 3-9` some of its faults, `--lanes 1` judges one at a time (two, unless told otherwise).
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Fault } from './fault.ts'
import { Lane, type Outcome } from './lane.ts'
import { areas } from './planted/index.ts'

const PART_NOTICED_MIN = 0.95

interface Planted {
  readonly name: string
  readonly fault: Fault
}

const { values } = parseArgs({
  options: { area: { type: 'string' }, only: { type: 'string' }, lanes: { type: 'string', default: '2' } },
})
const planted = chosen(values.area, values.only)
const outcomes = await judgeAll(planted, Number(values.lanes))
process.exitCode = report(outcomes)

function chosen(area: string | undefined, only: string | undefined): Planted[] {
  if (area !== undefined && !Object.hasOwn(areas, area))
    throw new Error(`There are ${Object.keys(areas).join(', ')}; not ${area}.`)
  const [first = 1, last = first] = only === undefined ? [1, Infinity] : only.split('-').map(Number)
  return Object.entries(areas)
    .filter(([name]) => area === undefined || name === area)
    .flatMap(([name, faults]) => faults.map((fault, index) => ({ name: `${name} ${index + 1}`, fault, index })))
    .filter(({ fault, index }) => fault.equivalent === undefined && index + 1 >= first && index + 1 <= last)
}

async function judgeAll(all: readonly Planted[], laneCount: number): Promise<Map<Planted, Outcome>> {
  const outcomes = new Map<Planted, Outcome>()
  const waiting = [...all]
  const lanes = Array.from({ length: laneCount }, () => new Lane(resolve(import.meta.dirname, '../..')))
  process.once('exit', () => lanes.forEach((lane) => lane.close()))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await lane.judge(next.fault)
        outcomes.set(next, outcome)
        process.stdout.write(`[${outcomes.size}/${all.length}] ${next.name}: ${next.fault.title}\n    ${inWords(outcome)}\n`)
      }
    }),
  )
  return outcomes
}

function inWords(outcome: Outcome): string {
  return outcome.by === 'nobody' ? 'NOT NOTICED' : `noticed by ${outcome.by}: ${outcome.first}`
}

/** @returns the exit code */
function report(outcomes: ReadonlyMap<Planted, Outcome>): number {
  const missed = [...outcomes].filter(([, { by }]) => by === 'nobody' || by === 'compiler')
  const byTests = outcomes.size - missed.length
  const byCompiler = missed.filter(([, { by }]) => by === 'compiler').length
  const percent = (count: number): string => `${((100 * count) / Math.max(1, outcomes.size)).toFixed(1)} %`
  process.stdout.write(`\nNoticed by tests: ${percent(byTests)}; by tests or the compiler: ${percent(byTests + byCompiler)}\n`)
  for (const [{ name, fault }, outcome] of missed)
    process.stdout.write(`  ${name}: ${fault.title} (server/${fault.file}) ${inWords(outcome)}\n`)
  process.stdout.write(`${byTests} passed, ${missed.length} failed\n`)
  return byTests >= PART_NOTICED_MIN * outcomes.size ? 0 : 1
}
