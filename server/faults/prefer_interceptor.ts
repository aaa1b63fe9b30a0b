import type { Interceptor } from '../http/interceptor.ts'
import { Faults } from './faults.ts'

/** Applies only the faults that a request selects by its own `Prefer` header. */
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
