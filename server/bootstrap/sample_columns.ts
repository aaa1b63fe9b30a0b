import type { StoredProperty } from '../domain/properties/stored.ts'
import { storedReference } from '../domain/formulas/references.ts'
import { story } from './story.ts'

type Color = 'default' | 'red' | 'yellow' | 'gray' | 'blue' | 'green' | 'orange' | 'brown'

const option = (id: string, name: string, color: Color): { id: string; name: string; color: Color; description: null } => ({
  id,
  name,
  color,
  description: null,
})
const column = <Type extends string>(
  id: string,
  name: string,
  type: Type,
): { id: string; name: string; description: null; type: Type } => ({
  id,
  name,
  description: null,
  type,
})

const { repairJobs, spareParts } = story.dataSources
const cost = storedReference({ dataSourceId: repairJobs, propertyId: 'cost', lastName: 'Cost' })

/** Columns of the data source Repair jobs, as spec/story.md has them. */
export const jobColumns: readonly StoredProperty[] = [
  column('title', 'Job', 'title'),
  {
    ...column('stat', 'Status', 'status'),
    options: [option('nsta', 'Not started', 'default'), option('prog', 'In progress', 'blue'), option('done', 'Done', 'green')],
    groups: [
      { id: 'gtdo', name: 'To-do', color: 'gray', option_ids: ['nsta'] },
      { id: 'ginp', name: 'In progress', color: 'blue', option_ids: ['prog'] },
      { id: 'gcmp', name: 'Complete', color: 'green', option_ids: ['done'] },
    ],
  },
  {
    ...column('prio', 'Priority', 'select'),
    options: [option('high', 'High', 'red'), option('norm', 'Normal', 'yellow'), option('lowp', 'Low', 'gray')],
  },
  {
    ...column('skil', 'Skills', 'multi_select'),
    options: [option('rigg', 'Rigging', 'blue'), option('join', 'Joinery', 'brown'), option('engi', 'Engine', 'orange')],
  },
  { ...column('cost', 'Cost', 'number'), format: 'euro' },
  { ...column('totl', 'Total', 'formula'), expression: `prop(${cost}) * 1.21` },
  column('dued', 'Due', 'date'),
  column('ownr', 'Owner', 'people'),
  column('appr', 'Approved', 'checkbox'),
  column('note', 'Notes', 'rich_text'),
  column('crtm', 'Created', 'created_time'),
  { ...column('tick', 'Ticket', 'unique_id'), prefix: 'JOB' },
]

/** Columns of the data source Spare parts: each part names the jobs that need it, and what they cost together. */
export const partColumns: readonly StoredProperty[] = [
  column('title', 'Part', 'title'),
  { ...column('stok', 'Stock', 'number'), format: 'number' },
  column('shlf', 'Shelf', 'rich_text'),
  { ...column('pjob', 'Jobs', 'relation'), dataSourceId: repairJobs },
  { ...column('pcst', 'Cost of jobs', 'rollup'), function: 'sum', relationId: 'pjob', targetId: 'cost' },
]

const days = (start: string): object => ({ start, end: null, time_zone: null })

/** A row of the sample. */
export interface SampleRow {
  readonly id: string
  readonly dataSourceId: string
  readonly title: string
  readonly values: Readonly<Record<string, unknown>>
}

const [keelBolts, mast] = ['101379c7-d2ab-4d67-8074-a6442ba33d67', '543bcfbb-c9f2-4a8a-9ecf-958027801375']

/** Jobs before the parts that name them. */
export const sampleRows: readonly SampleRow[] = [
  {
    id: keelBolts,
    dataSourceId: repairJobs,
    title: 'Replace keel bolts',
    values: {
      stat: 'prog',
      prio: 'high',
      skil: ['join'],
      cost: 480,
      dued: days('2026-05-08'),
      ownr: [{ object: 'user', id: story.people[1].id }],
      tick: 1,
    },
  },
  {
    id: mast,
    dataSourceId: repairJobs,
    title: 'Varnish the mast',
    values: { stat: 'nsta', prio: 'norm', skil: ['rigg', 'join'], cost: 120, dued: days('2026-05-15'), appr: true, tick: 2 },
  },
  {
    id: '3f1c9d52-77b0-4c1e-9c5a-8a1f0c6e2b41',
    dataSourceId: spareParts,
    title: 'Keel bolt, bronze',
    values: { stok: 24, shlf: [{ type: 'text', text: { content: 'B2' } }], pjob: { ids: [keelBolts] } },
  },
]
