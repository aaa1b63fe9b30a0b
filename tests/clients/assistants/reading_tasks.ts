import { foundId, personNamed, rowsOf } from './steps.ts'
import type { Task } from './tasks.ts'
import type { Row, Selection } from './worker.ts'

const titlesOf = (rows: readonly { readonly title: string }[]): string[] => rows.map(({ title }) => title).toSorted()

function find(name: string, plan: Task['plan']): Task {
  return { kind: 'find', name, plan }
}

/** A task: find rows and report their titles. */
function findRows(name: string, source: string, selection: Selection): Task {
  return find(name, async (worker) => titlesOf(await rowsOf(worker, source, { ...selection, columns: [titleColumn(source)] })))
}

function titleColumn(source: string): string {
  return { 'Repair jobs': 'Job', Boats: 'Boat', 'Spare parts': 'Part' }[source] ?? 'Name'
}

export const finding: readonly Task[] = [
  find('the plan for launch day', (worker) => foundId(worker, 'launch')),
  find('the safety checklist', (worker) => foundId(worker, 'safety')),
  find('the table of repair jobs', (worker) => foundId(worker, 'repair', 'data_source')),
  find('the id of a colleague', (worker) => personNamed(worker, 'Aiko Brandt')),
  findRows('jobs in progress', 'Repair jobs', { where: { property: 'Status', condition: 'equals', value: 'In progress' } }),
  findRows('jobs over 500', 'Repair jobs', { where: { property: 'Cost', condition: 'greater_than', value: 500 } }),
  findRows('parts that are used up', 'Spare parts', { where: { property: 'Stock', condition: 'equals', value: 0 } }),
  findRows('uninsured boats', 'Boats', { where: { property: 'Insured', condition: 'equals', value: false } }),
]

function summarize(name: string, plan: Task['plan']): Task {
  return { kind: 'summarize', name, plan }
}

/** A task: read rows and report something about them. */
function summarizeRows(name: string, source: string, selection: Selection, say: (rows: readonly Row[]) => unknown): Task {
  return summarize(name, async (worker) => say(await rowsOf(worker, source, selection)))
}

const linesWith = (text: string, words: RegExp): number => text.split('\n').filter((line) => words.test(line)).length

export const summaries: readonly Task[] = [
  summarize('what is left to do before launch', async (worker) =>
    linesWith(await worker.read(await foundId(worker, 'launch')), /- \[ \]/),
  ),
  summarize('the points of the checklist', async (worker) =>
    linesWith(await worker.read(await foundId(worker, 'safety')), /- \[/),
  ),
  summarize('what the handbook contains', async (worker) =>
    linesWith(await worker.read(await foundId(worker, 'handbook')), /^</),
  ),
  summarize('the comments on the launch plan', async (worker) =>
    (await worker.comments(await foundId(worker, 'launch'))).map(({ text }) => text),
  ),
  summarize('one job with its text', async (worker) => /480/.test(await worker.readRow(await foundId(worker, 'keel bolts')))),
  summarizeRows('all jobs', 'Repair jobs', {}, (rows) => rows.length),
  summarizeRows('all boats', 'Boats', {}, (rows) => rows.map(({ values }) => values['Hull']).toSorted()),
  summarizeRows('jobs by state', 'Repair jobs', { columns: ['Job', 'Status'] }, (rows) =>
    rows.map(({ values }) => values['Status']).toSorted(),
  ),
  summarizeRows(
    'the cost of urgent jobs',
    'Repair jobs',
    { where: { property: 'Priority', condition: 'equals', value: 'High' }, columns: ['Job', 'Cost'] },
    (rows) => rows.reduce((sum, { values }) => sum + Number(values['Cost']), 0),
  ),
  summarizeRows(
    'what is due before June',
    'Repair jobs',
    { where: { property: 'Due', condition: 'before', value: '2026-06-01' }, sort: 'Due', columns: ['Job', 'Due', 'Owner'] },
    (rows) => rows.map(({ title }) => title),
  ),
]
