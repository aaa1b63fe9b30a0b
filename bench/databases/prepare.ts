import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, projectRoot } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { serviceLaunch } from '../subjects/service.ts'
import type { Engine } from './engine.ts'
import { fill, type Sample } from './fill.ts'

/** Databases are filled once and kept here; the folder may be removed at any time. */
export const cacheFolder = join(tmpdir(), 'workspace-service-bench')

/** A filled database of this run. */
export interface Prepared {
  readonly engine: Engine
  readonly blocks: number
  /** What `DATABASE_URL` takes. */
  readonly url: string
  readonly sample: Sample
}

export const THOUSAND = 1_000
export const MILLION = 1_000_000

/** Copies of filled databases; what is not there yet is made, which takes minutes for a million blocks. */
export async function prepare(engine: Engine, sizes: readonly number[]): Promise<Prepared[]> {
  await mkdir(cacheFolder, { recursive: true })
  const keyOf = (blocks: number): string => `${blocks}_${stateOfSources()}`
  await engine.forgetAllBut([THOUSAND, MILLION].map(keyOf))
  const prepared: Prepared[] = []
  for (const blocks of sizes) {
    const key = keyOf(blocks)
    const sampleFile = join(cacheFolder, `${engine.name}_${key}.json`)
    if (!(await engine.has(key))) await make(engine, blocks, key, sampleFile)
    const sample = JSON.parse(await readFile(sampleFile, 'utf8')) as Sample
    prepared.push({ engine, blocks, url: await engine.copy(key), sample })
  }
  return prepared
}

async function make(engine: Engine, blocks: number, key: string, sampleFile: string): Promise<void> {
  const label = `${engine.name}, ${blocks.toLocaleString('en')} blocks`
  step(`making ${label}: once, later runs find it in ${cacheFolder}`)
  const service = await launch(serviceLaunch(await engine.create(key)))
  try {
    await writeFile(sampleFile, JSON.stringify(await fill(service.url, blocks, label)))
  } finally {
    await service.stop()
  }
  await engine.keep(key)
}

/** Changes when the schema or the content does. */
function stateOfSources(): string {
  const migrations = join(projectRoot, 'server/store/migrations')
  const files = [
    ...readdirSync(migrations)
      .sort()
      .map((name) => join(migrations, name)),
    ...['content.ts', 'fill.ts'].map((name) => join(import.meta.dirname, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
