import { AggregatorRegistry, Registry, type MetricObject } from 'prom-client'
import { processMetrics, type Metrics } from './metrics.ts'

/** Metrics of one process in a form that can be sent to another. */
export type MetricsReport = readonly MetricObject[]

export interface MetricsText {
  readonly contentType: string
  readonly text: string
}

export function ownMetrics(metrics: Metrics): Registry {
  return Registry.merge([processMetrics(), metrics.registry])
}

export async function reportOf(metrics: Metrics): Promise<MetricsReport> {
  return ownMetrics(metrics).getMetricsAsJSON()
}

export async function renderMetrics(registry: Registry): Promise<MetricsText> {
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** Merges the metrics of several processes: counts are added up, other values are aggregated as each metric specifies. */
export function mergeReports(reports: readonly MetricsReport[]): Registry {
  return AggregatorRegistry.aggregate([...reports])
}
