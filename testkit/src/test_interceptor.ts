import type { Interceptor, Response } from '@workspace-service/server/http/interceptor.ts'
import type { FaultRule } from '@workspace-service/server/faults/fault_rule.ts'
import type { Faults } from '@workspace-service/server/faults/faults.ts'
import type { Journal } from './journal/journal.ts'
import type { Recording } from './journal/recording.ts'
import type { SeededRandom } from './seeded_random.ts'

interface InterceptorDeps {
  readonly faults: Faults
  readonly journal: Journal
  readonly random: SeededRandom | undefined
}

/** Records every request in the journal, gives it its random sequence, and applies the fault rules. */
export function testInterceptor({ faults, journal, random }: InterceptorDeps): Interceptor {
  const recordings = new WeakMap<Response, Recording>()
  const reach = (response: Response, reached: Recording['reached']): ((rule: FaultRule) => void) => {
    const recording = recordings.get(response)
    if (recording) recording.reached = reached
    return (rule) => void recording?.faults.push(rule)
  }
  return {
    takesPrefer: faults.takesPrefer,
    receive(request, response, proceed) {
      recordings.set(response, journal.record(request, response))
      if (random) random.run(proceed)
      else proceed()
    },
    runBackground: (name, work) => (random ? random.run(work, name) : work()),
    onRoute: (operation, request, response) => faults.act('route', { operation, request, response }, reach(response, 'caller')),
    onAdmission: (operation, request, response) =>
      faults.act('admission', { operation, request, response }, reach(response, 'content')),
  }
}
