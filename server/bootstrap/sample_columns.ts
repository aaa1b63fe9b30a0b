import type { StatusGroup } from '../../generated/types.ts'
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

const { repairJobs, boats } = story.dataSources
/** The groups of a status, with the one option that each has. */
const groups = (todo: string, progress: string, complete: string): StatusGroup[] => [
  { id: 'gtdo', name: 'To-do', color: 'gray', option_ids: [todo] },
  { id: 'ginp', name: 'In progress', color: 'blue', option_ids: [progress] },
  { id: 'gcmp', name: 'Complete', color: 'green', option_ids: [complete] },
]
const cost = storedReference({ dataSourceId: repairJobs, propertyId: 'cost', lastName: 'Cost' })

/** Columns of the data source Repair jobs, as spec/story.md has them. */
export const jobColumns: readonly StoredProperty[] = [
  column('title', 'Job', 'title'),
  {
    ...column('stat', 'Status', 'status'),
    options: [option('nsta', 'Not started', 'default'), option('prog', 'In progress', 'blue'), option('done', 'Done', 'green')],
    groups: groups('nsta', 'prog', 'done'),
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
  column('phot', 'Photos', 'files'),
  column('guid', 'Guide', 'url'),
  column('mail', 'Supplier email', 'email'),
  column('phon', 'Supplier phone', 'phone_number'),
  { ...column('boat', 'Boat', 'relation'), dataSourceId: boats, syncedId: 'jobs' },
  { ...column('blch', 'Boat launch', 'rollup'), function: 'earliest_date', relationId: 'boat', targetId: 'lnch' },
  { ...column('tick', 'Ticket', 'unique_id'), prefix: 'JOB' },
  column('veri', 'Signed off', 'verification'),
  column('butn', 'Start', 'button'),
  column('dock', 'Dock', 'place'),
  column('site', 'Site', 'location'),
  column('lvis', 'Last visit', 'last_visited_time'),
  column('crtm', 'Created', 'created_time'),
  column('crby', 'Created by', 'created_by'),
  column('edtm', 'Edited', 'last_edited_time'),
  column('edby', 'Edited by', 'last_edited_by'),
]

/** Columns of the data source Boats. */
export const boatColumns: readonly StoredProperty[] = [
  column('title', 'Boat', 'title'),
  {
    ...column('stat', 'Status', 'status'),
    options: [option('ashr', 'Ashore', 'default'), option('inrp', 'In repair', 'yellow'), option('aflt', 'Afloat', 'green')],
    groups: groups('ashr', 'inrp', 'aflt'),
  },
  {
    ...column('hull', 'Hull', 'select'),
    options: [option('wood', 'Wood', 'brown'), option('stel', 'Steel', 'gray'), option('gfib', 'Glass fibre', 'blue')],
  },
  column('lnch', 'Launch', 'date'),
  { ...column('jobs', 'Jobs', 'relation'), dataSourceId: repairJobs, syncedId: 'boat' },
  column('skip', 'Skipper', 'people'),
  column('insr', 'Insured', 'checkbox'),
  column('brth', 'Berth', 'place'),
]

/** Columns of the data source Spare parts: each part names the jobs that need it, and what they cost together. */
export const partColumns: readonly StoredProperty[] = [
  column('title', 'Part', 'title'),
  { ...column('stok', 'Stock', 'number'), format: 'number' },
  column('shlf', 'Shelf', 'rich_text'),
  { ...column('pjob', 'Jobs', 'relation'), dataSourceId: repairJobs },
  { ...column('pcst', 'Cost of jobs', 'rollup'), function: 'sum', relationId: 'pjob', targetId: 'cost' },
]
