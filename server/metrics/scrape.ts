import { AggregatorRegistry, Registry, type MetricObject } from 'prom-client'
import { watchProcess, type Metrics } from './metrics.ts'

/** Metrics of one process in a form that can be sent to another. */
export type MetricsReport = readonly MetricObject[]

export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

/** All metrics of this process. */
export function ownMetrics(metrics: Metrics): Registry {
  return Registry.merge([watchProcess(), metrics.registry])
}

export async function reportOf(metrics: Metrics): Promise<MetricsReport> {
  return ownMetrics(metrics).getMetricsAsJSON()
}

export async function render(registry: Registry): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** The metrics of several processes as one: counts are added up, others aggregated as each metric says. */
export function together(reports: readonly MetricsReport[]): Registry {
  return AggregatorRegistry.aggregate([...reports])
}
