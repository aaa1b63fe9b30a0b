import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blockJson, headers } from '../databases/api.ts'
import type { BlockSample } from '../databases/fill.ts'
import { cacheFolder, MILLION, type Prepared } from '../databases/prepare.ts'
import { launch, type Launch, type Running } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { expressLaunch, nodeHttpLaunch, prismLaunch, rowsLaunch } from './others.ts'
import type { OtherCommit } from './other_commit.ts'
import { serviceLaunch } from './service.ts'

/** A server under measurement. */
export interface BenchSubject {
  readonly name: string
  readonly kind: 'node:http' | 'express' | 'rows' | 'prism' | 'service'
  readonly launch: Launch
  readonly running: Running
  /** Of this service only. */
  readonly database?: Prepared
  /** Content of the baseline's own database. */
  readonly sample?: BlockSample
}

export const NODE_HTTP = 'node:http'
export const EXPRESS = 'Express 5'
/** Prefix of the names of baselines on the service's own tables. */
export const EXPRESS_WITH = 'Express with '
export const PRISM = 'Prism'

const ENGINES = { sqlite: 'SQLite', postgresql: 'PostgreSQL' }

/** @returns `SQLite 1 k`, `PostgreSQL 1 M` and the like */
export function serviceName(database: Pick<Prepared, 'blocks' | 'engine'>): string {
  return `${ENGINES[database.engine.name]} ${database.blocks === MILLION ? '1 M' : '1 k'}`
}

/** The running subjects of a run. */
export interface Subjects {
  readonly all: readonly BenchSubject[]
  stop(): Promise<void>
}

/** Starts this service on each database, then the baselines, which respond with the service's JSON. Without a database, starts nothing. */
export async function startSubjects(
  databases: readonly Prepared[],
  withPrism: boolean,
  { profile, other }: { readonly profile: string | undefined; readonly other: OtherCommit | undefined },
): Promise<Subjects> {
  const all: BenchSubject[] = []
  const payloadFile = join(cacheFolder, `payload-${process.pid}.json`)
  const stop = async (): Promise<void> => {
    await Promise.all(all.map(({ running }) => running.stop()))
    await rm(payloadFile, { force: true })
  }
  const start = async (
    name: string,
    kind: BenchSubject['kind'],
    how: Launch,
    data: Pick<BenchSubject, 'database' | 'sample'> = {},
  ): Promise<void> => {
    step(`starting ${name}`)
    all.push({ name, kind, launch: how, running: await launch(how), ...data })
  }
  try {
    for (const database of databases) {
      await start(serviceName(database), 'service', serviceLaunch(database.url, { profile }), { database })
      if (!other) continue
      const copy = { ...database, url: await database.copy() }
      await start(`${serviceName(database)}, ${other.name}`, 'service', serviceLaunch(copy.url, { root: other.root }), {
        database: copy,
      })
    }
    const [service] = all
    const [database] = databases
    if (!service || !database) return { all, stop }
    await writeFile(payloadFile, await blockJson(service.running.url, database.sample.spread[0] ?? ''))
    await start(NODE_HTTP, 'node:http', nodeHttpLaunch(payloadFile))
    await start(EXPRESS, 'express', expressLaunch(payloadFile))
    for (const { engine, copy, sample } of databases.filter(({ blocks }) => blocks !== MILLION))
      await start(EXPRESS_WITH + ENGINES[engine.name], 'rows', rowsLaunch(await copy()), { sample })
    await requireSameResponses(all)
    if (withPrism) await start(PRISM, 'prism', prismLaunch())
  } catch (error) {
    await stop()
    throw error
  }
  return { all, stop }
}

/**
 * Comparing with a baseline that returns less than the service would be meaningless.
 * @throws Error for the first response that differs
 */
async function requireSameResponses(subjects: readonly BenchSubject[]): Promise<void> {
  for (const { kind, name, running, sample } of subjects) {
    if (kind !== 'rows' || !sample) continue
    const service = subjects.find(({ database }) => database?.sample.topPage === sample.topPage)
    const [block = '', page = ''] = [sample.spread[0], sample.pages[0]]
    for (const path of [`/v1/blocks/${block}`, `/v1/pages/${page}`, `/v1/blocks/${page}/children?page_size=100`]) {
      const [wanted, given] = [await responseOf(service?.running, path), await responseOf(running, path)]
      if (wanted !== given) throw new Error(`${name} does not return the service's response for ${path}:\n${given}\n${wanted}`)
    }
  }
}

/** Leaves out the parts of responses that differ between servers. */
async function responseOf(running: Running | undefined, path: string): Promise<string> {
  const { request_id, ...response } = (await (await fetch(`${running?.url}${path}`, { headers })).json()) as Record<
    string,
    unknown
  >
  return JSON.stringify({ ...response, has: typeof request_id }).replaceAll(running?.url ?? '', '')
}
