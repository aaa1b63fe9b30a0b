import { listBlocks } from '../databases/api.ts'
import type { Engine } from '../databases/engine.ts'
import { prepare, THOUSAND, type Prepared } from '../databases/prepare.ts'
import type { Load } from '../load/load.ts'
import { startPrismPeer, startServicePeer } from '../peers/contract_peers.ts'
import { startJsonServer } from '../peers/json_server.ts'
import type { MissingPeer, Peer, PeerContent, PeerOperation, PeerRecord } from '../peers/peer.ts'
import { startPocketBase } from '../peers/pocket_base.ts'
import { step } from '../progress.ts'
import { runSeries, type Bounds, type SeriesFigures } from './series.ts'

/** This service and other servers that store records, in one run. */
export interface PeerFigures {
  readonly series: Readonly<Record<PeerOperation, readonly SeriesFigures[]>>
  readonly peers: readonly (Pick<Peer, 'name' | 'does'> & { readonly residentBytes: number })[]
  readonly missing: readonly MissingPeer[]
}

const CONNECTIONS = 16
/** json-server writes its whole file for each new record, so the limit is low. */
const REQUESTS_MAX: Readonly<Record<PeerOperation, number>> = { get: 20_000, list: 2_000, create: 200 }

/** Figures of every available peer, on SQLite, which is embedded as their databases are. */
export async function measurePeers(
  engine: Engine | undefined,
  size: Pick<Bounds, 'rounds' | 'millisecondsMax' | 'warmingMillisecondsMax'> & { readonly share: number },
  load: Load,
): Promise<PeerFigures | undefined> {
  const [database] = engine ? await prepare(engine, [THOUSAND]) : []
  if (!database) return undefined
  const [peers, missing]: [Peer[], MissingPeer[]] = [[], []]
  try {
    const service = await startServicePeer(database.url, database.sample)
    peers.push(service)
    const content = await contentOf(service.running.url, database)
    for (const start of [startPocketBase, startJsonServer, () => startPrismPeer(database.sample)]) {
      const started = await start(content)
      step(`${started.name} ${'why' in started ? 'is missing' : 'is filled'}`)
      if ('why' in started) missing.push(started)
      else peers.push(started)
    }
    const run = (operation: PeerOperation): Promise<SeriesFigures[]> => {
      const requestsMax = Math.ceil(REQUESTS_MAX[operation] * size.share)
      const series = peers.map(({ name, running, requests }) => ({
        subject: { running },
        label: name,
        requests: (round: number) => requests[operation](round, requestsMax),
      }))
      return runSeries(`peers, ${operation}`, series, { ...size, connections: CONNECTIONS, requestsMax }, load)
    }
    const series = { get: await run('get'), list: await run('list'), create: await run('create') }
    const figures = peers.map(({ name, does, running }) => ({ name, does, residentBytes: running.figures().residentBytes }))
    return { series, peers: figures, missing }
  } finally {
    for (const peer of peers) await peer.stop()
  }
}

/** The blocks of the service's database. */
async function contentOf(url: string, { sample }: Prepared): Promise<PeerContent> {
  const listed = sample.pages[0] ?? ''
  const records: PeerRecord[] = []
  for (const parent of [listed, ...sample.items]) {
    const blocks = await listBlocks(url, parent)
    records.push(...blocks.map(({ type, ...content }, position) => ({ parent, position, type: String(type), content })))
  }
  return { records, listed }
}
