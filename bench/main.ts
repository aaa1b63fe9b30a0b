/**
 * Compares this service with node:http, Express and Prism in one run, each in its own process.
 *
 *     node bench/main.ts [--quick] [--only <name>]… [--compare <commit>] [--profile <folder>] [--json <file>]
 */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  cacheFolder,
  MILLION,
  prepare,
  type Prepared,
  type PreparedTitles,
  prepareTitles,
  THOUSAND,
  HUNDRED_THOUSAND,
  prepareRows,
  type PreparedRows,
} from './databases/prepare.ts'
import type { Engine } from './databases/engine.ts'
import { postgresqlEngine } from './databases/postgresql.ts'
import { sqliteEngine } from './databases/sqlite.ts'
import { judgeGoals } from './goals.ts'
import { startLoad } from './load/load.ts'
import { describeMachine } from './machine.ts'
import { parseOptions, type Options } from './options.ts'
import { onTheirOwn } from './measures/names.ts'
import { step } from './progress.ts'
import { report } from './report/report.ts'
import { runMeasures } from './run.ts'
import { checkOut } from './subjects/other_commit.ts'
import { serviceName, startSubjects } from './subjects/subject.ts'

async function main(): Promise<void> {
  const options = parseOptions()
  const machine = describeMachine()
  console.log(
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}, ${machine.time}`,
  )
  if (machine.loadAverage > machine.cores / 4)
    console.log(
      `Other work runs on this machine (load ${machine.loadAverage.toFixed(1)}): trust the ratios more than the figures.`,
    )

  const engines = await startEngines(options)
  try {
    const needsBlocks = options.measures.some((name) => !onTheirOwn.includes(name))
    const databases = needsBlocks ? await prepareAll(engines, options, prepare) : []
    const titles = options.measures.includes('search') ? await prepareAll(engines, options, prepareTitles) : []
    const rows = options.measures.includes('query') ? await prepareAll(engines, options, prepareRows, HUNDRED_THOUSAND) : []
    const results = await withSubjects(databases, titles, rows, options, machine, engines)
    const goals = judgeGoals(results)
    console.log(`\n${report(results, goals)}\n`)
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ ...results, goals }, null, 2)}\n`)
  } finally {
    for (const engine of engines) await engine.dropCopies().finally(() => engine.stop())
  }
}

async function withSubjects(
  databases: readonly Prepared[],
  titles: readonly PreparedTitles[],
  rows: readonly PreparedRows[],
  options: Options,
  machine: ReturnType<typeof describeMachine>,
  engines: readonly Engine[],
): ReturnType<typeof runMeasures> {
  const prism = options.measures.includes('get') && isWanted(options, 'prism')
  const other = options.compare === undefined ? undefined : checkOut(options.compare)
  const { profile } = options
  const subjects = await startSubjects(databases, prism, { profile, other }).catch((error: unknown) => {
    other?.remove()
    throw error
  })
  const load = startLoad()
  try {
    return await runMeasures(subjects.all, titles, rows, options, machine, load, engines)
  } finally {
    load.stop()
    await subjects.stop()
    other?.remove()
  }
}

async function startEngines(options: Options): Promise<Engine[]> {
  const engines: Engine[] = []
  await mkdir(cacheFolder, { recursive: true })
  if (isWanted(options, 'sqlite')) engines.push(await sqliteEngine(join(cacheFolder, 'sqlite')))
  if (isWanted(options, 'postgresql')) {
    step('starting PostgreSQL')
    engines.push(await postgresqlEngine(join(cacheFolder, 'postgresql')))
  }
  return engines
}

async function prepareAll<T>(
  engines: readonly Engine[],
  options: Options,
  make: (engine: Engine, sizes: readonly number[]) => Promise<T[]>,
  small = THOUSAND,
): Promise<T[]> {
  const databases: T[] = []
  for (const engine of engines) {
    const sizes = [small, MILLION].filter(
      (blocks) => blocks === small || (!options.quick && isWanted(options, serviceName({ engine, blocks }))),
    )
    databases.push(...(await make(engine, sizes)))
  }
  return databases
}

/** Whether a word of `--only` is part of this name, or none was given. */
function isWanted({ subjects }: Options, name: string): boolean {
  const lower = name.toLowerCase()
  return (
    subjects.length === 0 || subjects.some((word) => lower.includes(word.toLowerCase()) || word.toLowerCase().includes(lower))
  )
}

main().catch((error: unknown) => {
  process.stderr.write(
    `\nThe bench did not finish.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  process.exitCode = 1
})
