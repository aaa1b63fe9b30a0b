import { createPage, updateMarkdown } from '../databases/api.ts'
import type { Engine } from '../databases/engine.ts'
import { launch, type Running } from '../processes/launch.ts'
import { bar } from '../progress.ts'
import { serviceLaunch } from '../subjects/service.ts'
import { sectionOf } from './markdown.ts'
import { measureWaits } from './waits.ts'

/** Costs of changing a long page by its Markdown. */
export interface EditFigures {
  readonly label: string
  /** Processor time of the thread that handles requests in milliseconds, by round; empty if the system does not report it. */
  readonly mainThread: readonly number[]
  /** Longest wait of other requests in milliseconds, by round. */
  readonly waits: readonly number[]
}

const SECTIONS = 1_260
/** 15 in each section. */
export const EDITED_BLOCKS = 18_900
const SECTIONS_AT_ONCE = 420
const WARMING_ROUNDS = 8

export const BOTH_ENDS = 'a line at both ends'

/** The lines to change, as they are before the change with that number. */
const heading = (number: number): string => `## Section 0${number === 0 ? '' : `, change ${number}`} {color="blue"}`
const code = (number: number): string =>
  `const section = ${SECTIONS - 1} // ${number === 0 ? 'nothing in here is a *mark*' : `change ${number}`}`

/** The replaced lines of each kind of change, by the number of earlier changes. */
const EDITS: Readonly<Record<string, readonly ((number: number) => string)[]>> = {
  'a line': [heading],
  [BOTH_ENDS]: [heading, code],
}

/** Changes a long page repeatedly, with a service on each engine. */
export async function measureEdits(engines: readonly Engine[], rounds: number): Promise<EditFigures[]> {
  const figures: EditFigures[] = []
  for (const engine of engines) {
    const name = engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    const service = await launch(serviceLaunch(await engine.create('edits')))
    try {
      const page = await createPage(service.url, { properties: { title: { title: [{ text: { content: 'Notes' } }] } } })
      await fillPage(service.url, page, name)
      const changes = new Map<(number: number) => string, number>()
      for (const [edit, lines] of Object.entries(EDITS)) {
        const change = (): Promise<void> => {
          const updates = lines.map((line) => {
            const number = changes.get(line) ?? 0
            changes.set(line, number + 1)
            return { old_str: line(number), new_str: line(number + 1) }
          })
          return updateMarkdown(service.url, page, { type: 'update_content', update_content: { content_updates: updates } })
        }
        figures.push({ label: `${name}, ${edit}`, ...(await measureEdit(service, change, rounds)) })
      }
    } finally {
      await service.stop()
    }
  }
  return figures
}

async function fillPage(url: string, page: string, name: string): Promise<void> {
  for (let start = 0; start < SECTIONS; start += SECTIONS_AT_ONCE) {
    const sections = Array.from({ length: SECTIONS_AT_ONCE }, (_section, index) => sectionOf(start + index))
    await updateMarkdown(url, page, { type: 'insert_content', insert_content: { content: sections.join('\n') } })
    bar(`filling a page, ${name}`, (start + SECTIONS_AT_ONCE) / SECTIONS)
  }
}

async function measureEdit(
  { url, figures }: Running,
  change: () => Promise<void>,
  rounds: number,
): Promise<Omit<EditFigures, 'label'>> {
  for (let round = 0; round < WARMING_ROUNDS; round += 1) await change()
  const mainThread: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = figures().mainThreadSeconds
    await change()
    const after = figures().mainThreadSeconds
    if (before !== undefined && after !== undefined) mainThread.push((after - before) * 1000)
  }
  const { longest } = await measureWaits(url, '', change)
  return { mainThread, waits: longest }
}
