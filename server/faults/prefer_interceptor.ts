import type { Interceptor } from '../http/interceptor.ts'
import { Faults } from './faults.ts'

/** Does to requests what they ask for by their own `Prefer` header, and nothing else. */
export function preferInterceptor(): Interceptor {
  const faults = new Faults(true)
  const unheard = (): void => undefined
  return {
    takesPrefer: true,
    receive: (_request, _response, proceed) => proceed(),
    onRoute: (operation, request, response) => faults.act('route', { operation, request, response }, unheard),
    onAdmission: (operation, request, response) => faults.act('admission', { operation, request, response }, unheard),
  }
}
