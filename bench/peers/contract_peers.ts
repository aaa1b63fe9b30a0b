import { headers } from '../databases/api.ts'
import { manyBlocks } from '../databases/content.ts'
import type { BlockSample } from '../databases/fill.ts'
import { serviceRequests } from '../measures/operations.ts'
import { launch, type Launch } from '../processes/launch.ts'
import { prismLaunch } from '../subjects/others.ts'
import { serviceLaunch } from '../subjects/service.ts'
import type { Peer } from './peer.ts'

const oneBlock = JSON.stringify(manyBlocks(1))

export function startServicePeer(databaseUrl: string, sample: BlockSample): Promise<Peer> {
  return startContractPeer('this service, SQLite', serviceLaunch(databaseUrl), sample, {
    checks: 'a token, its rights, two rate limits, the whole request',
    writes: 'a row with two keys, the edit times of its ancestors, and events for subscribers',
    flushes: 'each commit before it responds',
  })
}

/** Prism on the mock form of the contract, with the same requests. */
export function startPrismPeer(sample: BlockSample): Promise<Peer> {
  return startContractPeer('Prism, mock', prismLaunch(), sample, {
    checks: 'the whole request, that a token is there',
    writes: 'nothing, and responds with examples of the contract, in which a list has few records',
    flushes: 'nothing',
  })
}

async function startContractPeer(name: string, how: Launch, sample: BlockSample, does: Peer['does']): Promise<Peer> {
  const running = await launch(how)
  const { items } = sample
  return {
    name,
    does,
    running,
    requests: {
      get: () => serviceRequests.get(sample),
      list: () => serviceRequests.list(sample),
      create: (round, count) =>
        Array.from({ length: count }, (_request, index) => ({
          method: 'PATCH',
          path: `/v1/blocks/${items[(round * count + index) % items.length]}/children`,
          headers,
          body: oneBlock,
        })),
    },
    stop: () => running.stop(),
  }
}
