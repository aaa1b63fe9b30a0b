import type { Config } from '../config.ts'
import type { TestParts } from '../service/ingress.ts'

/** What a service for development has beside any other; nothing of it is loaded unless a setting asks for it. */
export async function developmentParts({ preferFaults }: Pick<Config, 'preferFaults'>): Promise<TestParts> {
  if (!preferFaults) return {}
  const { preferInterceptor } = await import('../faults/prefer_interceptor.ts')
  return { interceptor: preferInterceptor() }
}
