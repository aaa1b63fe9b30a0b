/**
 * Plants mistakes in copies of the tree, one at a time, and counts those that tests detect: `npm run test:faults`. `-- --area paging` runs
 * one list, `--only 3-9,12` some of its faults, `--lanes 1` one at a time (default two). `--near` runs only the tests that each fault
 * names; other tests might detect more.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathOf, plant, type Fault } from './fault.ts'
import { Lane, type Outcome } from './lane.ts'
import { plantedFaults } from './planted/index.ts'
import { parseCommandLine } from '../../scripts/parse_command_line.ts'

const PART_NOTICED_MIN = 0.95

interface Planted {
  readonly name: string
  readonly fault: Fault
}

const { values } = parseCommandLine(import.meta.filename, {
  options: {
    area: { type: 'string' },
    only: { type: 'string' },
    lanes: { type: 'string', default: '2' },
    near: { type: 'boolean', default: false },
  },
})
const ROOT = resolve(import.meta.dirname, '../..')
const planted = chosen(values.area, values.only)
requireTexts(planted)
const outcomes = await judgeAll(planted, Number(values.lanes))
process.exitCode = report(outcomes)

function chosen(area: string | undefined, only: string | undefined): Planted[] {
  if (area !== undefined && !Object.hasOwn(plantedFaults, area))
    throw new Error(`There are ${Object.keys(plantedFaults).join(', ')}; not ${area}.`)
  const ranges = (only ?? '1-').split(',').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [Number(first), last === '' ? Infinity : Number(last)] as const
  })
  return Object.entries(plantedFaults)
    .filter(([name]) => area === undefined || name === area)
    .flatMap(([name, faults]) => faults.map((fault, index) => ({ name: `${name} ${index + 1}`, fault, index })))
    .filter(
      ({ fault, index }) =>
        fault.equivalent === undefined && ranges.some(([first, last]) => index + 1 >= first && index + 1 <= last),
    )
}

/** @throws Error listing every fault whose text is missing, before running the others */
function requireTexts(all: readonly Planted[]): void {
  const gone = all.flatMap(({ name, fault }) => {
    try {
      plant(readFileSync(resolve(ROOT, pathOf(fault)), 'utf8'), fault)
      return []
    } catch (error) {
      return [`${name}: ${String(error)}`]
    }
  })
  if (gone.length > 0) throw new Error(gone.join('\n'))
}

async function judgeAll(all: readonly Planted[], laneCount: number): Promise<Map<Planted, Outcome>> {
  const outcomes = new Map<Planted, Outcome>()
  const waiting = [...all]
  const lanes = Array.from({ length: laneCount }, () => new Lane(ROOT, values.near))
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
    process.stdout.write(`  ${name}: ${fault.title} (${pathOf(fault)}) ${inWords(outcome)}\n`)
  process.stdout.write(`${byTests} passed, ${missed.length} failed\n`)
  return byTests >= PART_NOTICED_MIN * outcomes.size ? 0 : 1
}
