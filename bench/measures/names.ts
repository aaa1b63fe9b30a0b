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
] as const

export type MeasureName = (typeof measureNames)[number]
