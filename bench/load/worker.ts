/** The process that generates the load. It receives jobs as messages, one at a time, and sends back their results. */

import { setTimeout as pause } from 'node:timers/promises'
import { quantile } from '../statistics.ts'
import { encode, LoadConnection } from './connection.ts'
import type { LoadJob, LoadResult } from './job.ts'

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

/** Waits until a time. @returns the time */
async function waited(time: number): Promise<number> {
  const left = time - performance.now()
  if (left > 0) await pause(left)
  return time
}

async function run(job: LoadJob): Promise<LoadResult> {
  const url = new URL(job.url)
  const requests = job.requests.map((request) => encode(request, url.host))
  const connections = await Promise.all(
    Array.from({ length: Math.min(job.connections, job.requestsMax) }, () => LoadConnection.open(url)),
  )
  const latencies: number[] = []
  const statuses: Record<string, number> = {}
  const start = performance.now()
  const end = start + job.millisecondsMax
  let sent = 0
  const keepBusy = async (connection: LoadConnection): Promise<void> => {
    for (let now = performance.now(); sent < job.requestsMax && now < end;) {
      const turn = sent
      sent += 1
      const bytes = requests[turn % requests.length]
      if (bytes === undefined) throw new Error('a job without requests')
      if (job.perSecond !== undefined) now = await waited(start + (turn * 1000) / job.perSecond)
      const status = await connection.send(bytes)
      const arrival = performance.now()
      latencies.push(arrival - now)
      statuses[status] = (statuses[status] ?? 0) + 1
      now = arrival
    }
  }
  try {
    await Promise.all(connections.map(keepBusy))
  } finally {
    for (const connection of connections) connection.close()
  }
  const milliseconds = performance.now() - start
  const first = latencies[0] ?? NaN
  const sorted = Float64Array.from(latencies).sort()
  return {
    completed: latencies.length,
    milliseconds,
    statuses,
    latencies: { first, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), max: quantile(sorted, 1) },
  }
}
