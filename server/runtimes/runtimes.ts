import type { Runtimes } from '../domain/agents/index.ts'
import type { ModelEndpoint } from '../kernel/addresses.ts'
import { embeddedRuntime } from './embedded/embedded_runtime.ts'
import { modelEndpointRuntime, type EndpointDeps } from './model_endpoint/model_endpoint_runtime.ts'

interface RuntimeConfig {
  /** Undefined if none is configured: agents then have only the embedded runtime. */
  readonly agentModel: ModelEndpoint | undefined
}

export function runtimesOf({ agentModel }: RuntimeConfig, deps: EndpointDeps = {}): Runtimes {
  const remote = agentModel && modelEndpointRuntime(agentModel, deps)
  return {
    for(model) {
      if (model.mode === 'auto') return remote ?? embeddedRuntime
      return [embeddedRuntime, remote].find((runtime) => model.id !== null && runtime?.models.includes(model.id))
    },
  }
}
