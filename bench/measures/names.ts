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
  'peers',
  'validate',
  'soak',
] as const

export type MeasureName = (typeof measureNames)[number]

/** Run only by name: peers are installed first, and a soak takes as long as requested. */
export const onlyNamed: readonly MeasureName[] = ['peers', 'soak']

/** Measures that need no database of blocks and no subject. */
export const onTheirOwn: readonly MeasureName[] = [
  'search',
  'query',
  'deliveries',
  'markdown',
  'kit',
  'mock',
  'disk',
  'workers',
  'peers',
  'validate',
  'soak',
]
