/** What can be measured, in the order of the run: what only reads comes before what makes the databases grow. */
export const measureNames = [
  'get',
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
] as const

export type MeasureName = (typeof measureNames)[number]
