import { foundId, openSource, personNamed } from './steps.ts'
import type { Task } from './tasks.ts'
import type { Values } from './worker.ts'

function file(name: string, plan: Task['plan']): Task {
  return { kind: 'file', name, plan }
}

interface NewJob {
  readonly title: string
  readonly values: Values
  readonly markdown?: string
}

/** A task: file notes as rows and report how many there are. */
function fileRows(name: string, source: string, rows: readonly NewJob[]): Task {
  return file(name, async (worker) => {
    const opened = await openSource(worker, source)
    return (await worker.createRows(opened.source, opened.schema, rows)).length
  })
}

const REPORT = '## Findings\n\n- The sill is silted\n- The winch needs grease\n\n| Hour | Depth |\n|---|---|\n| 10:40 | 2.1 m |\n'
const LINES = Array.from({ length: 30 }, (_line, index) => `${index + 1}. Step ${index + 1} of the winter lay-up`).join('\n')

export const filing: readonly Task[] = [
  file('a report below the handbook', async (worker) => {
    const page = await worker.createPage(await foundId(worker, 'handbook'), 'Slipway report', REPORT)
    return (await worker.read(page)).includes('The winch needs grease')
  }),
  file('a long list with an icon', async (worker) => {
    const page = await worker.createPage(await foundId(worker, 'handbook'), 'Winter lay-up', LINES, '❄️')
    return (await worker.read(page)).includes('Step 30')
  }),
  fileRows('a job', 'Repair jobs', [{ title: 'Caulk the deck', values: { Status: 'Not started', Cost: 300 } }]),
  fileRows('a job with its text', 'Repair jobs', [
    { title: 'Survey Heron', values: { Priority: 'High', Due: '2026-06-12' }, markdown: REPORT },
  ]),
  fileRows('three jobs of a phone call', 'Repair jobs', [
    { title: 'New warps', values: { Cost: 80, Skills: ['Rigging'] } },
    { title: 'Paint the rudder', values: { Cost: 140, Priority: 'Low' } },
    { title: 'Replace anodes', values: { Cost: 60, Notes: 'Before the launch' } },
  ]),
  fileRows(
    'five parts of a delivery',
    'Spare parts',
    ['Shackle', 'Turnbuckle', 'Fuel filter', 'Bilge hose', 'Anode'].map((title, index) => ({
      title,
      values: { Stock: index + 2, Shelf: `D${index}` },
    })),
  ),
  file('a comment on the checklist', async (worker) => {
    const page = await foundId(worker, 'safety')
    await worker.comment(page, 'The radio is on channel 14 now')
    return (await worker.comments(page)).at(-1)?.text
  }),
  file('a comment on each urgent job', async (worker) => {
    const { source, schema } = await openSource(worker, 'Repair jobs')
    const where = { property: 'Priority', condition: 'equals', value: 'High' }
    const rows = await worker.query(source, schema, { where, columns: ['Job'] })
    for (const { id } of rows) await worker.comment(id, 'Still on time?')
    return rows.length
  }),
]

function update(name: string, plan: Task['plan']): Task {
  return { kind: 'update', name, plan }
}

/** A task: change values of a job and report one of them. */
function updateJob(name: string, job: string, values: Values): Task {
  return update(name, async (worker) => {
    const { source, schema } = await openSource(worker, 'Repair jobs')
    const where = { property: 'Job', condition: 'equals', value: job }
    const [row] = await worker.query(source, schema, { where, columns: ['Job'] })
    await worker.update(row?.id ?? '', schema, { values })
    return row?.title
  })
}

function editPage(name: string, words: string, old: string, text: string): Task {
  return update(name, async (worker) => {
    const page = await foundId(worker, words)
    if (!(await worker.read(page)).includes(old)) return 'not found'
    await worker.replace(page, [[old, text]])
    return 'replaced'
  })
}

export const updates: readonly Task[] = [
  updateJob('a job is done', 'Varnish the mast', { Status: 'Done' }),
  updateJob('three values of a job', 'Renew the standing rigging', { Cost: 1400, Priority: 'High', Approved: true }),
  update('who does a job', async (worker) => {
    const { schema } = await openSource(worker, 'Repair jobs')
    const job = await foundId(worker, 'hull')
    await worker.update(job, schema, { values: { Owner: [await personNamed(worker, 'Ines Varga')] } })
    return job
  }),
  update('a title and an icon', async (worker) => {
    const page = await foundId(worker, 'checklist')
    await worker.update(page, { title: 'title' }, { title: 'Safety checklist of the yard', icon: '🦺' })
    return page
  }),
  editPage('a point of the checklist is checked', 'checklist', '- [ ] Life jackets on', '- [x] Life jackets on'),
  editPage('a sentence of the plan', 'launch', 'High water at 11:40.', 'High water at 11:55.'),
  editPage('one word of a long page', 'lay-up', 'Step 17 of', 'Step 17 (new) of'),
  update('a section at the end', async (worker) => {
    const page = await foundId(worker, 'slipway report')
    await worker.append(page, '## Next\n\n- Grease on Monday')
    return (await worker.read(page)).includes('Grease on Monday')
  }),
]

function reorganize(name: string, plan: Task['plan']): Task {
  return { kind: 'reorganize', name, plan }
}

export const reorganizing: readonly Task[] = [
  reorganize('a page below another', async (worker) => {
    await worker.move(await foundId(worker, 'slipway report'), await foundId(worker, 'launch'))
  }),
  reorganize('a new section with two pages', async (worker) => {
    const section = await worker.createPage(await foundId(worker, 'handbook'), 'Archive of the yard', 'Older pages')
    for (const words of ['slipway report', 'lay-up']) await worker.move(await foundId(worker, words), section)
  }),
  reorganize('finished jobs to the trash', async (worker) => {
    const { source, schema } = await openSource(worker, 'Repair jobs')
    const where = { property: 'Status', condition: 'equals', value: 'Done' }
    const rows = await worker.query(source, schema, { where, columns: ['Job'] })
    for (const { id } of rows) await worker.trash(id)
    return rows.length
  }),
  reorganize('a page out of the trash', async (worker) => {
    const page = await foundId(worker, 'lay-up')
    await worker.trash(page)
    await worker.trash(page, true)
    return (await worker.read(page)).includes('Step 30')
  }),
  reorganize('the text of a page as a new page', async (worker) => {
    const text = await worker.read(await foundId(worker, 'checklist'))
    await worker.createPage(await foundId(worker, 'handbook'), 'Copy of the checklist', text.slice(text.indexOf('Read this')))
    return linesOf(text)
  }),
  reorganize('urgent jobs by name of the skill', async (worker) => {
    const { source, schema } = await openSource(worker, 'Repair jobs')
    const where = { property: 'Priority', condition: 'equals', value: 'High' }
    const rows = await worker.query(source, schema, { where, columns: ['Job', 'Skills'] })
    for (const { id } of rows) await worker.update(id, schema, { values: { Skills: ['Engine'] } })
    return rows.length
  }),
]

function linesOf(text: string): number {
  return text.split('\n').filter((line) => line.startsWith('- [')).length
}
