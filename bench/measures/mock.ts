import { newestRelease, operations } from '../../generated/operations.ts'
import { launch } from '../processes/launch.ts'
import { bar } from '../progress.ts'

/** The mock, one process for each round. */
export interface MockFigures {
  /** From the start of the process to its first response. */
  readonly milliseconds: readonly number[]
  /** Processor time until then, which other work on the machine hardly changes; empty if the system does not report it. */
  readonly processorMilliseconds: readonly number[]
  readonly residentBytes: readonly number[]
  /** Measured after many responses of every GET operation. */
  readonly usedBytes: readonly number[]
}

const SOME_ID = '479dd02e-5974-4f6b-8eeb-4467a5c46004'
const RESPONSES_OF_EACH = 50

/** Starts the mock once a round, as `npm run mock` does, and requests examples. */
export async function measureMock(rounds: number): Promise<MockFigures> {
  const figures = {
    milliseconds: [] as number[],
    processorMilliseconds: [] as number[],
    residentBytes: [] as number[],
    usedBytes: [] as number[],
  }
  for (let round = 0; round < rounds; round += 1) {
    const running = await launch({
      script: 'scripts/mock.ts',
      nodeOptions: ['--max-semi-space-size=1'],
      arguments: (port) => ['--port', String(port)],
      readyPath: '/v1/users',
      readyStatus: 'any',
    })
    try {
      figures.milliseconds.push(running.startMilliseconds)
      const { residentBytes, processorSeconds } = running.figures()
      figures.residentBytes.push(residentBytes)
      if (processorSeconds !== undefined) figures.processorMilliseconds.push(processorSeconds * 1_000)
      await requestAll(running.url)
      figures.usedBytes.push(running.figures().residentBytes)
    } finally {
      await running.stop()
    }
    bar('mock', (round + 1) / rounds)
  }
  return figures
}

async function requestAll(url: string): Promise<void> {
  const headers = { Authorization: 'Bearer any', 'Service-Version': newestRelease }
  for (const { method, path } of Object.values(operations)) {
    if (method !== 'get') continue
    const target = url + path.replaceAll(/\{\w+\}/g, SOME_ID)
    for (let time = 0; time < RESPONSES_OF_EACH; time += 1) await (await fetch(target, { headers })).arrayBuffer()
  }
}
