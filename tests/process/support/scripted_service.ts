import { parseConfig } from '../../../server/config.ts'
import { systemClock, type Clock } from '../../../server/kernel/clock.ts'
import { composeService } from '../../../server/service.ts'
import { proposing, ScriptedAgents } from '../../harness/scripted_agents.ts'

/** A service process whose agents halt at the point that `HALT` names, until a signal ends it. Its clock is `AHEAD_MS` ahead. */
const aheadMs = Number(process.env['AHEAD_MS'] ?? 0)
const clock: Clock = { now: () => systemClock.now() + aheadMs }
const halt = process.env['HALT']
const forever = (): Promise<void> => new Promise(() => undefined)

const agents = new ScriptedAgents()
agents.add('Slow', async function* () {
  yield { type: 'thinking', text: 'Hm.' }
  yield { type: 'read', call: { callId: 'a', tool: 'look', arguments: {} }, settle: () => undefined }
  yield { type: 'usage', inputTokens: 10, outputTokens: 5 }
  yield { type: 'message', text: 'First.' }
  yield { type: 'usage', inputTokens: 1, outputTokens: 1 }
  if (halt === 'run') await forever()
  yield { type: 'message', text: 'Second.' }
})
agents.add('Write', async function* (input, signal) {
  yield* proposing(() => input.message.promptContext ?? '', 'a line')(input, signal)
})
agents.onWritten = () => (halt === 'write' ? forever() : Promise.resolve())

const service = await composeService(parseConfig(process.env), clock, {}, agents)
console.log(`listens on ${service.url}`)
process.once('SIGTERM', () => void service.stop())
