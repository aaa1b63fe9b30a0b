import { Agent, get } from 'node:http'

/** Longest wait of requests while another one is running. */
export interface WaitFigures {
  readonly label: string
  /** Milliseconds of each round. */
  readonly longest: readonly number[]
}

const ROUNDS = 3
const PAUSE_MS = 2

/**
 * Repeatedly requests a page that needs no database while some work is running: each wait shows how long the service's event loop is
 * blocked.
 */
export async function measureWaits(url: string, label: string, work: () => Promise<unknown>): Promise<WaitFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const longest: number[] = []
  await ping(url, agent)
  for (let round = 0; round < ROUNDS; round += 1) {
    let [isOver, slowest] = [false, 0]
    const end = work().finally(() => (isOver = true))
    while (!isOver) {
      const start = performance.now()
      await ping(url, agent)
      slowest = Math.max(slowest, performance.now() - start)
      await new Promise((later) => setTimeout(later, PAUSE_MS))
    }
    await end
    longest.push(slowest)
  }
  agent.destroy()
  return { label, longest }
}

function ping(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject)
  })
}
