/** All measures in the order of the run: reads come before writes, which make the databases grow. */
export const measureNames = [
  'get',
  'page',
  'list',
  'deep',
  'search',
  'query',
  'patch',
  'create',
  'append',
  'events',
  'deliveries',
  'memory',
  'streams',
  'start',
  'first',
  'markdown',
  'kit',
  'mock',
  'disk',
  'workers',
  'soak',
] as const

export type MeasureName = (typeof measureNames)[number]

/** Runs only when it is named: it takes as long as requested. */
export const onlyNamed: readonly MeasureName[] = ['soak']
