import type { Config } from '../config.ts'
import type { TestOverrides } from '../service/ingress.ts'

/** The additional parts of a service for development; none of them is loaded unless a setting enables it. */
export async function developmentOverrides({ preferFaults }: Pick<Config, 'preferFaults'>): Promise<TestOverrides> {
  if (!preferFaults) return {}
  const { preferInterceptor } = await import('../faults/prefer_interceptor.ts')
  return { interceptor: preferInterceptor() }
}
